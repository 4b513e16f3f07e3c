// Counts what one warm request costs that no load of the machine changes, in a process of its own:
// `node test/speed/count.ts DATABASE_URL TOKEN < requests.json`, requests being `{ name: { method, path, body } }`.
// Calls of functions under src are those of V8's precise coverage; promises and timers those of async_hooks.
import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { mkdtempSync } from "node:fs";
import http, { ServerResponse } from "node:http";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { openDatabase } from "#src/db/connection/database.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { createApp } from "#src/server/process/app.ts";

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** What a request costs. */
export interface Counts {
  readonly calls: number;
  readonly promises: number;
  readonly storeRuns: number;
  readonly timers: number;
  readonly headersSet: number;
  readonly bytes: number;
}

const [url = "", token = ""] = process.argv.slice(2);
const never = 2 ** 30;
const database = openDatabase({ url });
const app = createApp({
  database,
  files: new FolderStore(mkdtempSync(join(tmpdir(), "count-"))),
  log: pino({ level: "info" }, { write: () => {} }), // with its line, as in production
  // What goes on by itself is put off.
  ...{ viewerAge: never, pollMs: never, filesLookMs: never, deliveryMs: null, translationMs: null },
  trafficLimits: { pointsPerMinute: 1e12 },
});
const { port } = await app.listen({ host: "127.0.0.1", port: 0 });
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

async function ask({ method, path, body }: Asked): Promise<void> {
  const type = body !== undefined && { "content-type": "application/json" };
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const headers = { authorization: `Bearer ${token}`, ...type };
  const request = http.request({ agent, port, host: "127.0.0.1", method, path, headers }, resolve);
  request.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  const response = await promise;
  const answer = await text(response);
  if (response.statusCode !== 200 || answer.includes('"errors"')) throw new Error(`${path}: ${answer.slice(0, 300)}`);
}

const tally = { promises: 0, storeRuns: 0, timers: 0, headersSet: 0 };
const hook = createHook({
  init(_id, type) {
    if (type === "PROMISE") tally.promises++;
    else if (type === "Timeout") tally.timers++;
  },
});
const countingRun = AsyncLocalStorage.prototype.run;
AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...given: [never, never]) {
  tally.storeRuns++;
  return countingRun.apply(this, given);
} as typeof countingRun;
const settingHeader = ServerResponse.prototype.setHeader;
ServerResponse.prototype.setHeader = function (this: ServerResponse, ...given: [never, never]) {
  tally.headersSet++;
  return settingHeader.apply(this, given);
} as typeof settingHeader;

const session = new Session();
session.connect();
await session.post("Profiler.enable");
const root = new URL("../../src/", import.meta.url).href;

/** The calls since the last time, by file and function. */
async function takeCalls(): Promise<Map<string, number>> {
  const calls = new Map<string, number>();
  for (const { url: file, functions } of (await session.post("Profiler.takePreciseCoverage")).result)
    for (const { functionName, ranges } of file.startsWith(root) ? functions : []) {
      const [range] = ranges;
      if (range && range.count > 0)
        calls.set(`${file.slice(root.length)} ${functionName}@${range.startOffset}`, range.count);
    }
  return calls;
}
const sum = (calls: ReadonlyMap<string, number>) => [...calls.values()].reduce((all, one) => all + one, 0);

async function countsOf(asked: Asked) {
  for (let warm = 0; warm < 30; warm++) await ask(asked);
  let best: { calls: number; byFunction: Record<string, number> } | undefined;
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  for (let run = 0; run < 5; run++) {
    await sleep(150); // points are told to their store 100 ms after a request
    await takeCalls();
    await ask(asked);
    await sleep(5); // the response is closed
    const calls = await takeCalls();
    if (!best || sum(calls) < best.calls) best = { calls: sum(calls), byFunction: Object.fromEntries(calls) };
  }
  await session.post("Profiler.stopPreciseCoverage");
  const least = { promises: Infinity, storeRuns: Infinity, timers: Infinity, headersSet: Infinity };
  hook.enable();
  for (let run = 0; run < 5; run++) {
    await sleep(150);
    Object.assign(tally, { promises: 0, storeRuns: 0, timers: 0, headersSet: 0 });
    await ask(asked);
    for (const name of Object.keys(least) as (keyof typeof least)[]) least[name] = Math.min(least[name], tally[name]);
  }
  hook.disable();
  await sleep(150);
  const sample = 200;
  const before = process.memoryUsage().heapUsed;
  for (let run = 0; run < sample; run++) await ask(asked);
  const bytes = Math.round((process.memoryUsage().heapUsed - before) / sample);
  return { ...least, bytes, ...best };
}

const found: Record<string, object> = {};
const requests = JSON.parse(await text(process.stdin)) as Record<string, Asked>;
for (const [name, asked] of Object.entries(requests)) found[name] = await countsOf(asked);
process.stdout.write(JSON.stringify(found));
agent.destroy();
await app.close({ graceMs: 0 });
await database.close();
