// Counts what a warm request costs that the load of a machine does not change, in a process of its own: calls of
// functions under src (V8's precise coverage), promises, timers, entries of AsyncLocalStorage, headers set one by one,
// bytes on the heap, and SQL statements. `node test/speed/count.ts DATABASE_URL TOKEN < requests.json`, requests being
// `{ name: request }`. The young generation must hold all counted requests: `--max-semi-space-size=256 --expose-gc`.
// With `kept` after the token: how many kilobytes of a request's garbage get into the old generation, by name. For that
// the young one must be small (`--max-semi-space-size=1`).
import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { mkdtempSync } from "node:fs";
import { Agent, type IncomingMessage, request, ServerResponse } from "node:http";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
import { pino } from "pino";
import { openDatabase } from "#src/db/connection/database.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { createApp } from "#src/server/process/app.ts";

export interface CountedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Sent by a browser without a token. */
  readonly isPublic?: true;
  /** A subscription that must have received a message by the time that the request is over. */
  readonly heardBy?: string;
}

/** What one costs: the least of several. */
export interface RequestCosts {
  readonly calls: number;
  readonly promises: number;
  readonly timers: number;
  readonly storeRuns: number;
  readonly headersSet: number;
  readonly statements: number;
  /** Allocated on the heap, with those of the client in the same process: in kB, over many requests. */
  readonly kilobytes: number;
}

const [url = "", token = "", mode] = process.argv.slice(2);
const never = 2 ** 30;
const tally = { promises: 0, timers: 0, storeRuns: 0, headersSet: 0 };
const warmRuns = 30;
const countedRuns = 10;

/** The requests whose allocations are measured together, and how often: a collection spoils one of the measurements. */
const allocatingRuns = 20;
const allocationWindows = 5;
/** Requests before these: counting calls undid what V8 had optimised. */
const warmAllocatingRuns = 60;

/** Requests of which the kept garbage is measured: so many at once, since they must be alive when others end. */
const [concurrentRuns, warmKeepingRuns, keepingRuns] = [8, 400, 1_600];

/** Longer than what a request leaves for later, in milliseconds: its points reach their store. */
const restMs = 150;

const database = openDatabase({ url });
const app = createApp({
  database,
  files: new FolderStore(mkdtempSync(join(tmpdir(), "count-"))),
  log: pino({ level: "info" }, { write: () => {} }), // with its line, as in production
  // What goes on by itself is put off.
  viewerAge: never,
  pollMs: never,
  filesCheckMs: never,
  deliveryMs: null,
  translationMs: null,
  trafficLimits: { pointsPerMinute: 1e12 },
});
const { port } = await app.listen({ host: "127.0.0.1", port: 0 });
const agent = new Agent({ keepAlive: true, maxSockets: mode === "kept" ? concurrentRuns : 1 });

/** Has the next message of a subscription, once it has sent its first one: the cursor. */
interface Listener {
  next(): Promise<void>;
  close(): void;
}

async function listen(query: string): Promise<Listener> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "text/event-stream" };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request({ port, host: "127.0.0.1", method: "POST", path: "/graphql", headers }, resolve);
  sent.on("error", reject).end(JSON.stringify({ query }));
  const response = await promise;
  let heard = () => {};
  response.setEncoding("utf8").on("data", (text: string) => text.includes("event: next") && heard());
  response.on("error", () => {}); // it is destroyed
  const next = () => new Promise<void>((resolveNext) => (heard = resolveNext));
  await next();
  return { next, close: () => void response.destroy() };
}

async function send({ method, path, body, isPublic }: CountedRequest, listener?: Listener): Promise<void> {
  const heard = listener?.next();
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const type = body !== undefined && { "content-type": "application/json" };
  const headers = { ...(isPublic ? { accept: "text/html" } : { authorization: `Bearer ${token}` }), ...type };
  const sent = request({ agent, port, host: "127.0.0.1", method, path, headers }, resolve);
  sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  const response = await promise;
  const answer = await text(response);
  if (response.statusCode !== 200 || answer.includes('"errors"')) throw new Error(`${path}: ${answer.slice(0, 300)}`);
  if (heard) await heard;
}

const promises = createHook({
  init(_id, type) {
    if (type === "PROMISE") tally.promises++;
    if (type === "Timeout" || type === "Immediate") tally.timers++;
  },
});
/** Has every call of a method counted. */
function countCalls<Name extends string>(of: Readonly<Record<Name, unknown>>, name: Name, count: () => void): void {
  const method = of[name] as (...given: unknown[]) => unknown; // the methods of Node that are named below
  Object.assign(of, {
    [name](...given: unknown[]) {
      count();
      return method.apply(this, given);
    },
  });
}
countCalls(AsyncLocalStorage.prototype, "run", () => tally.storeRuns++);
countCalls(ServerResponse.prototype, "setHeader", () => tally.headersSet++);

const session = new Session();
session.connect();
await session.post("Profiler.enable");
const root = new URL("../../src/", import.meta.url).href;

/** The calls of functions under src since the last time. */
async function takeCalls(): Promise<number> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ours = result.filter((script) => script.url.startsWith(root)).flatMap(({ functions }) => functions);
  return ours.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
}

async function costsOf(asked: CountedRequest): Promise<RequestCosts> {
  const listener = asked.heardBy === undefined ? undefined : await listen(asked.heardBy);
  const run = () => send(asked, listener);
  for (let warm = 0; warm < warmRuns; warm++) await run();
  // Allocations are measured apart: counting allocates, too.
  const costs = { ...(await countsOf(run)), kilobytes: await kilobytesOf(run) };
  listener?.close();
  return costs;
}

type Run = () => Promise<void>;

async function countsOf(run: Run): Promise<Omit<RequestCosts, "kilobytes">> {
  const counts: Omit<RequestCosts, "kilobytes">[] = [];
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  for (let counted = 0; counted < countedRuns; counted++) {
    await sleep(restMs);
    await takeCalls();
    Object.assign(tally, { promises: 0, timers: 0, storeRuns: 0, headersSet: 0 });
    const before = database.counts.sent;
    promises.enable(); // its functions are not under src, so that their calls do not count
    await run();
    promises.disable();
    const of = { ...tally, statements: database.counts.sent - before };
    await sleep(5); // the response is closed
    counts.push({ calls: await takeCalls(), ...of });
  }
  await session.post("Profiler.stopPreciseCoverage");
  const least = (kind: keyof (typeof counts)[number]) => Math.min(...counts.map((each) => each[kind]));
  return {
    calls: least("calls"),
    promises: least("promises"),
    timers: least("timers"),
    storeRuns: least("storeRuns"),
    headersSet: least("headersSet"),
    statements: least("statements"),
  };
}

async function kilobytesOf(run: Run): Promise<number> {
  const allocated: number[] = [];
  for (let warm = 0; warm < warmAllocatingRuns; warm++) await run();
  globalThis.gc?.();
  for (let window = 0; window < allocationWindows; window++) {
    const before = process.memoryUsage().heapUsed;
    for (let counted = 0; counted < allocatingRuns; counted++) await run();
    allocated.push((process.memoryUsage().heapUsed - before) / allocatingRuns);
  }
  const middle = allocated.toSorted((one, other) => one - other)[Math.floor(allocationWindows / 2)] ?? 0;
  return Math.round(middle / 100) / 10;
}

/** What of a request's garbage outlives collections of the young generation, after a collection of all. */
async function keptOf(asked: CountedRequest): Promise<number> {
  const runAll = (count: number) =>
    Promise.all(
      Array.from({ length: concurrentRuns }, async () => {
        for (let run = 0; run < count / concurrentRuns; run++) await send(asked);
      }),
    );
  const old = () => {
    const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => !name.startsWith("new_"));
    return spaces.reduce((sum, { space_used_size: used }) => sum + used, 0);
  };
  await runAll(warmKeepingRuns);
  for (let times = 0; times < 3; times++) globalThis.gc?.();
  const before = old();
  await runAll(keepingRuns);
  return Math.round((old() - before) / keepingRuns / 100) / 10;
}

const requests = JSON.parse(await text(process.stdin)) as Readonly<Record<string, CountedRequest>>;
const measure = mode === "kept" ? keptOf : costsOf;
const found: Record<string, RequestCosts | number> = {};
for (const [name, asked] of Object.entries(requests)) found[name] = await measure(asked);
process.stdout.write(JSON.stringify(found));
agent.destroy();
await app.close({ graceMs: 0 });
await database.close();
