// Counts what a warm request costs that the load of a machine does not change, in a process of its own: calls of
// functions under src (V8's precise coverage), promises, entries of AsyncLocalStorage, headers set one by one, and SQL
// statements. `node test/speed/count.ts DATABASE_URL TOKEN < requests.json`, requests being `{ name: request }`.
import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { mkdtempSync } from "node:fs";
import { Agent, type IncomingMessage, request, ServerResponse } from "node:http";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { openDatabase } from "#src/db/connection/database.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { createApp } from "#src/server/process/app.ts";

export interface CountedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** What one costs: the least of several. */
export interface RequestCosts {
  readonly calls: number;
  readonly promises: number;
  readonly storeRuns: number;
  readonly headersSet: number;
  readonly statements: number;
}

const [url = "", token = ""] = process.argv.slice(2);
const never = 2 ** 30;
const tally = { promises: 0, storeRuns: 0, headersSet: 0 };
const warmRuns = 30;
const countedRuns = 5;

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
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

async function send({ method, path, body }: CountedRequest): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const type = body !== undefined && { "content-type": "application/json" };
  const headers = { authorization: `Bearer ${token}`, ...type };
  const sent = request({ agent, port, host: "127.0.0.1", method, path, headers }, resolve);
  sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  const response = await promise;
  const answer = await text(response);
  if (response.statusCode !== 200 || answer.includes('"errors"')) throw new Error(`${path}: ${answer.slice(0, 300)}`);
}

const promises = createHook({
  init(_id, type) {
    if (type === "PROMISE") tally.promises++;
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
  for (let run = 0; run < warmRuns; run++) await send(asked);
  const least = {
    calls: Infinity,
    promises: Infinity,
    storeRuns: Infinity,
    headersSet: Infinity,
    statements: Infinity,
  };
  const keepLeast = (found: Partial<RequestCosts>) => {
    for (const [name, count] of Object.entries(found) as [keyof RequestCosts, number][])
      least[name] = Math.min(least[name], count);
  };
  // Counted apart: to watch promises is to call functions.
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  for (let run = 0; run < countedRuns; run++) {
    await sleep(restMs);
    await takeCalls();
    await send(asked);
    await sleep(5); // the response is closed
    keepLeast({ calls: await takeCalls() });
  }
  await session.post("Profiler.stopPreciseCoverage");
  promises.enable();
  for (let run = 0; run < countedRuns; run++) {
    await sleep(restMs);
    Object.assign(tally, { promises: 0, storeRuns: 0, headersSet: 0 });
    const before = database.counts.sent;
    await send(asked);
    keepLeast({ ...tally, statements: database.counts.sent - before });
  }
  promises.disable();
  return least;
}

const requests = JSON.parse(await text(process.stdin)) as Readonly<Record<string, CountedRequest>>;
const found: Record<string, RequestCosts> = {};
for (const [name, asked] of Object.entries(requests)) found[name] = await costsOf(asked);
process.stdout.write(JSON.stringify(found));
agent.destroy();
await app.close({ graceMs: 0 });
await database.close();
