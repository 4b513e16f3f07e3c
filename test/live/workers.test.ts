// Workers: several gateways on one port, by one command. Restarts of gateways behind a balancer are in crash.test.ts.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Subscriber } from "#test/live/subscriber.ts";
import {
  ask,
  type DocgraphProcess,
  makeDataFolder,
  startDocgraph,
  stopStarted,
} from "#test/support/docgraph-process.ts";
import { fillFolder } from "#test/support/filled-folder.ts";
import { freePort } from "#test/support/free-port.ts";

const data = await makeDataFolder();
const metricsPort = await freePort();
let primary: DocgraphProcess;
let url: string;
let token: string;
let place: string;
let organizationId: string;

/** Workers load docgraph some time after they receive messages: those sent until then are lost. */
const late = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `if (process.send) { process.on("message", () => {}); await new Promise((resolve) => setTimeout(resolve, 500)); }`,
  )}`,
};

beforeAll(async () => {
  const made = await fillFolder(data.env.DATA_DIR);
  place = made.place;
  organizationId = made.organization.id;
  // A connection on which a busy machine sends nothing for as long is closed, maybe under the next request.
  const drain = { DRAIN_SECONDS: "2" };
  const pools = { POOL_SIZE: "60" }; // more than the embedded PostgreSQL accepts for one gateway
  const env = { ...data.env, ...drain, ...late, ...pools, METRICS_PORT: String(metricsPort), LOG_LEVEL: "info" };
  primary = startDocgraph({ args: ["--workers", "2"], env });
  ({ url, token } = await primary.ready());
}, 120_000);

afterAll(async () => {
  await stopStarted();
  await data.remove(place);
});

/** The ids of the processes that wrote a line of requests. */
function workersInLog(): Set<number> {
  const lines = primary.output().matchAll(/^\{.*"pid":(\d+).*"path":"\/graphql".*$/gm);
  return new Set([...lines].map(([, pid]) => Number(pid)));
}

/** Sends requests on new connections, each answered by a worker in turn, until `isDone`. Throws if one fails. */
async function askUntil(isDone: () => boolean): Promise<void> {
  do await ask(url, token, "{ viewer { id } }");
  while (!isDone());
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"))];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}

test("the embedded PostgreSQL accepts the connections of all workers", () => {
  expect(primary.output()).not.toContain("docgraph opens up to"); // the warning of a server that does not
});

test("two workers answer on one port, one quota and one /metrics count for both", async () => {
  await askUntil(() => workersInLog().size === 2);
  const counted = await metric("docgraph_requests_total");
  expect(counted).toBeGreaterThanOrEqual(2);
  expect(await metric("docgraph_build_info")).toBe(1);
  // Each worker tells the primary process what it has spent, and learns the sum; alone it would see half of it.
  const [left, spent] = [await pointsLeft(), await metric("docgraph_points_total")];
  const seen = async () => (left - (await pointsLeft())) / ((await metric("docgraph_points_total")) - spent);
  await expect.poll(seen).toBeGreaterThan(0.75);
});

/** What the quota of the minute has left, by the worker that answers a new connection. */
async function pointsLeft(): Promise<number> {
  const query = JSON.stringify({ query: "{ viewer { id } }" });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", connection: "close" };
  const response = await fetch(`${url}/graphql`, { method: "POST", headers, body: query });
  await response.text();
  return Number(/r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]);
}

test("an event written at one worker reaches subscribers of both, each once", async () => {
  const spaceId = await makeSpace();
  const field = `commentEvents(of: { spaceId: "${spaceId}" })`;
  const subscribers = await Promise.all(
    [1, 2, 3, 4].map(() => new Subscriber({ gateway: () => url, token, field, over: "events" }).start()),
  );
  onTestFinished(async () => void (await Promise.all(subscribers.map((subscriber) => subscriber.stop()))));
  for (const text of ["One", "Two"]) await post(spaceId, text);
  const texts = ({ received }: Subscriber) => received.map(({ comment }) => comment?.body.markdown);
  for (const subscriber of subscribers) {
    await subscriber.until(() => subscriber.received.length >= 2);
    expect([texts(subscriber), subscriber.faults]).toEqual([["One", "Two"], []]);
  }
});

test("SIGHUP replaces the workers one after the other while every request is answered", async () => {
  const before = workersInLog();
  primary.signal("SIGHUP");
  let isOver = false;
  const over = primary.says("the workers were restarted").then(() => (isOver = true));
  await Promise.all([over, askUntil(() => isOver), askUntil(() => isOver)]);
  await askUntil(() => [...workersInLog()].filter((pid) => !before.has(pid)).length === 2);
}, 120_000);

test("a worker that is killed takes its connections with it and is replaced", async () => {
  const known = workersInLog();
  process.kill([...known].at(-1) ?? 0, "SIGKILL");
  await primary.says("a worker ended; another one replaces it");
  const signal = () => AbortSignal.timeout(1000); // of a connection that the killed worker had been given
  const headers = { authorization: `Bearer ${token}`, connection: "close" };
  const isReplaced = () => [...workersInLog()].some((pid) => !known.has(pid));
  const request = () => fetch(`${url}/graphql?query={viewer{id}}`, { headers, signal: signal() });
  while (!isReplaced())
    await request().then(
      (response) => response.text(),
      () => "cut",
    );
}, 120_000);

test("a signal stops the workers and the database", async () => {
  primary.signal("SIGTERM");
  expect(await primary.ended).toBe(0);
  const stopped = primary.output().match(/"msg":"stopped"/g) ?? [];
  expect(stopped).toHaveLength(2 + 2 + 1); // restarted workers, the last workers, and the primary process
});

test("a number of workers that is not allowed is refused with the values that are", async () => {
  const wrong = startDocgraph({ args: ["--workers", "0"], env: data.env });
  expect(await wrong.ended).toBe(1);
  expect(wrong.output()).toContain('WORKERS must be a whole number from 1 to 64, or auto, but is "0"');
});

async function makeSpace(): Promise<string> {
  const document =
    "mutation ($organizationId: ID!) { createSpace(input: { organizationId: $organizationId }) { space { id } } }";
  const { createSpace } = (await ask(url, token, document, { organizationId })) as {
    createSpace: { space: { id: string } };
  };
  return createSpace.space.id;
}

const post = (spaceId: string, markdown: string) =>
  ask(url, token, "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }", {
    input: { contentOf: { spaceId }, text: { markdown } },
  });
