// The proof of Idempotency-Key: a gateway is killed (-9) at random points of mutations that are retried with the same
// key until they get a response. Each runs once, and each response has its result.
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { startGateways } from "#test/live/gateways.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { makeRandom, type Random } from "#test/support/random.ts";
import { times } from "#test/support/world.ts";

export interface KeyedSize {
  readonly kills: number;
  readonly writers: number;
  readonly seed: number;
}

export interface KeyedReport {
  readonly sent: number;
  /** Requests interrupted by a kill. */
  readonly broken: number;
  /** First responses with the result of an interrupted run. */
  readonly replayed: number;
  /** Mutations that ran more than once or never. */
  readonly notOnce: number;
  /** Responses with a wrong id, or that differ from each other. */
  readonly wrong: number;
}

/** A mutation whose created row contains a unique text. */
interface KeyedMutation {
  readonly path: string;
  readonly body: object;
  /** The id of the created row, from a response. */
  readonly idIn: (answer: never) => string;
  /** SQL for the ids of created rows. */
  readonly made: string;
}

interface LiveWorld {
  readonly token: string;
  readonly spaces: readonly string[];
}

const creation = (type: string, selection: string) => `mutation ($input: ${type}) { done: ${selection} }`;

/** A mutation of a random kind; `mark` is its unique text. */
function randomMutation(random: Random, { spaces }: LiveWorld, mark: string): KeyedMutation {
  const spaceId = random.pick(spaces);
  const text = { markdown: mark };
  const comments = `select c.id from "Comment" c where c.markdown = $1`;
  return random.pick<KeyedMutation>([
    {
      path: "/graphql",
      body: {
        query: creation("CreateCommentInput!", "createComment(input: $input) { comment { id body { document } } }"),
        variables: { input: { contentOf: { spaceId }, text } },
      },
      idIn: ({ data }: { data: { done: { comment: { id: string } } } }) => data.done.comment.id,
      made: comments,
    },
    {
      path: `/v1/spaces/${spaceId}/comments`,
      body: { body: text },
      idIn: ({ id }: { id: string }) => id,
      made: comments,
    },
    {
      path: "/graphql",
      body: {
        query: creation("CreateChangeRequestInput!", "createChangeRequest(input: $input) { changeRequest { id } }"),
        variables: { input: { spaceId, subject: mark } },
      },
      idIn: ({ data }: { data: { done: { changeRequest: { id: string } } } }) => data.done.changeRequest.id,
      made: `select c.id from "ChangeRequest" c where c.subject = $1`,
    },
    {
      path: "/graphql",
      body: {
        query: creation("EditContentInput!", "editContent(input: $input) { revision { id } }"),
        variables: {
          input: { contentOf: { spaceId }, message: mark, edits: [{ createPage: { title: mark, slug: mark } }] },
        },
      },
      idIn: ({ data }: { data: { done: { revision: { id: string } } } }) => data.done.revision.id,
      made: `select r.id from "Revision" r where r.message = $1`,
    },
  ]);
}

interface Heard {
  readonly id: string;
  readonly isReplayed: boolean;
}

/** Error codes after which a client retries. */
const sendAgain = /"(?:CONFLICT|TIMEOUT|RATE_LIMITED|UNAVAILABLE)"/;

/** One attempt; null if it has to be retried. */
async function attempt(
  gateway: string,
  { mutation, token, key }: { mutation: KeyedMutation; token: string; key: string },
) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": key };
  const sent = { method: "POST", headers, body: JSON.stringify(mutation.body) };
  const answer = await fetch(`${gateway}${mutation.path}`, sent);
  const text = await answer.text();
  if (sendAgain.test(text)) return null;
  if (!answer.ok || text.includes('"errors":')) throw new Error(`${answer.status}: ${text}`);
  const id = mutation.idIn(JSON.parse(text) as never); // has the shape of its selection
  return { id, isReplayed: answer.headers.has("idempotency-replayed") } satisfies Heard;
}

/** Kills a gateway repeatedly under writers, and compares the responses with the database. */
export async function proveKeyedKills(
  { kills, writers, seed }: KeyedSize,
  say: (line: string) => void = () => {},
): Promise<KeyedReport> {
  const random = makeRandom(seed);
  await using postgres = await startOwnPostgres();
  await using gateways = await startGateways(1, postgres.url, { REQUEST_TIMEOUT: "2" });
  const liveWorld = await makeLiveWorld(postgres.pool);
  const report = { sent: 0, broken: 0, replayed: 0, notOnce: 0, wrong: 0 };
  let isOver = false;
  let answered = 0;
  const done: { readonly mutation: KeyedMutation; readonly mark: string; readonly received: readonly Heard[] }[] = [];

  /** Retries until there is a response. */
  async function insist(sending: Parameters<typeof attempt>[1]): Promise<Heard> {
    for (;;) {
      report.sent += 1;
      const received = await attempt(gateways.urlOf(0), sending).catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error; // of `fetch`: the connection was cut
        report.broken += 1;
        return null;
      });
      if (received) return received;
      await wait(50);
    }
  }
  const writing = times(writers, async () => {
    while (!isOver) {
      const mark = `m${randomUUID()}`;
      const mutation = randomMutation(random, liveWorld, mark);
      const sending = { mutation, token: liveWorld.token, key: randomUUID() };
      const first = await insist(sending);
      answered += 1;
      if (first.isReplayed) report.replayed += 1;
      done.push({ mutation, mark, received: [first, await insist(sending)] });
    }
  });
  const failure = Promise.all(writing).then(() => {});
  try {
    for (let kill = 1; kill <= kills; kill++) {
      const enough = answered + writers;
      while (answered < enough) await Promise.race([wait(random.below(40) + 1), failure, gateways.failure]);
      await gateways.crash(0);
      say(`${kill} of ${kills} kills, ${answered} answered, ${report.replayed} of them by what was done before a kill`);
    }
  } finally {
    isOver = true;
    await failure;
  }
  await compare(postgres.pool, done, report);
  return report;
}

async function compare(
  pool: pg.Pool,
  done: readonly { readonly mutation: KeyedMutation; readonly mark: string; readonly received: readonly Heard[] }[],
  report: { notOnce: number; wrong: number },
): Promise<void> {
  for (const { mutation, mark, received } of done) {
    const { rows } = await pool.query<{ id: string }>(mutation.made, [mark]);
    if (rows.length !== 1) report.notOnce += 1;
    if (received.some(({ id }) => id !== rows[0]?.id)) report.wrong += 1;
  }
}
