// The fixture of database faults: a gateway on its own PostgreSQL, with a proxy between them, eight subscribers, and
// requests of each kind.
import { SubscriberGroup, type LiveWorld } from "#test/live/subscriber-group.ts";
import { type NetworkProxy, startDatabaseProxy } from "#test/live/network-proxy.ts";
import { describeFigures, during, type Figures, type Kind } from "#test/live/faults/traffic.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { type OwnPostgres, startOwnPostgres } from "#test/live/postgres.ts";
import { writeLast } from "#test/live/writers.ts";
import { makeDataFolder, startDocgraph } from "#test/support/docgraph-process.ts";
import { makeRandom } from "#test/support/random.ts";

/** The outcome of a fault. */
export interface Outcome {
  /** In one line. */
  readonly figures: string;
  readonly passes: boolean;
}

type ByKind = Readonly<Record<"reads" | "comments" | "rest" | "writes" | "health", Figures>>;

export interface Scene extends AsyncDisposable {
  readonly url: string;
  readonly liveWorld: LiveWorld;
  readonly postgres: OwnPostgres;
  /** The proxy between the gateway and the database. */
  readonly proxy: NetworkProxy;
  readonly group: SubscriberGroup;
  /** The output of the gateway, which logs at WARN and above. */
  output(): string;
  /** Sends requests of all kinds during `work`. */
  during(work: () => Promise<void>): Promise<ByKind>;
  /** Compares the received events with the table, and checks the rest by `holds`. */
  judge(figures: Readonly<Record<string, Figures>>, holds: boolean, more?: string): Promise<Outcome>;
}

/** Starts the fixture; with `own`, on that server. */
export async function setScene(own?: OwnPostgres): Promise<Scene> {
  const postgres = own ?? (await startOwnPostgres());
  const proxy = await startDatabaseProxy(postgres.url);
  const data = await makeDataFolder();
  const gateway = startDocgraph({
    env: { ...data.env, DATABASE_URL: proxy.url, LOG_LEVEL: "warn", STOP_GRACE_SECONDS: "2" },
  });
  const { url } = await gateway.ready();
  const liveWorld = await makeLiveWorld(postgres.pool);
  const group = new SubscriberGroup(8, liveWorld, () => url, makeRandom(1));
  await group.start();
  const kinds = [...readingOf(url, liveWorld.otherToken, liveWorld.spaces), ...workingOf(url, liveWorld)];
  return {
    url,
    liveWorld,
    postgres,
    proxy,
    group,
    output: () => gateway.output(),
    during: async (work) => (await during(kinds, work)) as unknown as ByKind, // by the names of the kinds
    async judge(figures, holds, more = "") {
      await writeLast({ gateway: url, token: liveWorld.token }, liveWorld.spaces);
      const { expected, missing, doubled, different } = await group.compare(postgres.pool);
      const received = `events ${expected - missing}/${expected}, ${doubled} twice`;
      const passes = holds && missing + doubled + different === 0;
      return { figures: [describeFigures(figures), received, more].filter(Boolean).join("; "), passes };
    },
    async [Symbol.asyncDispose]() {
      await group[Symbol.asyncDispose]();
      gateway.signal("SIGTERM");
      await gateway.ended;
      await proxy[Symbol.asyncDispose]();
      if (!own) await postgres[Symbol.asyncDispose]();
      await data.remove();
    },
  };
}

const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });

function graphql(url: string, token: string, asked: { query: string; variables: object }): Kind["send"] {
  const request = { method: "POST", headers: headersOf(token), body: JSON.stringify(asked) };
  return async () => {
    const response = await fetch(`${url}/graphql`, request);
    // GraphQL over HTTP
    const { errors } = (await response.json()) as { errors?: { extensions?: { code?: string } }[] };
    return { status: response.status, code: errors?.[0] && (errors[0].extensions?.code ?? "NO_CODE") };
  };
}

function get(url: string, token: string): Kind["send"] {
  return async () => {
    const response = await fetch(url, { headers: headersOf(token) });
    await response.text();
    return { status: response.status };
  };
}

/** Reads without comments. */
function readingOf(url: string, token: string, [spaceId]: readonly string[]): readonly Kind[] {
  const title = { query: `query ($id: ID!) { space(id: $id) { title } }`, variables: { id: spaceId } };
  return [
    { name: "reads", perSecond: 20, send: graphql(url, token, title) },
    { name: "rest", perSecond: 10, send: get(`${url}/v1/orgs`, token) },
    { name: "health", perSecond: 5, send: get(`${url}/readyz`, token) },
  ];
}

/** Reads and writes of comments. */
function workingOf(url: string, { token, spaces: [spaceId] }: LiveWorld): readonly Kind[] {
  const comments = `query ($id: ID!) { space(id: $id) { comments(first: 5) { nodes { id } } } }`;
  const write = `mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }`;
  const input = { contentOf: { spaceId }, text: { markdown: "Written" } };
  return [
    { name: "comments", perSecond: 10, send: graphql(url, token, { query: comments, variables: { id: spaceId } }) },
    { name: "writes", perSecond: 10, send: graphql(url, token, { query: write, variables: { input } }) },
  ];
}

/** The number of failures with other outcomes than these. */
export function othersThan(outcomes: readonly string[], figures: Readonly<Record<string, Figures>>): number {
  return Object.values(figures)
    .flatMap(({ failures }) => Object.entries(failures))
    .filter(([outcome]) => !outcomes.includes(outcome))
    .reduce((sum, [, count]) => sum + count, 0);
}
