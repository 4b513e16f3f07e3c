// A process that measures the path of requests: `node test/support/count-files.ts DATABASE_URL < requests.json`. Each
// request is `{ name: [{ method, path, token, headers, body }, …] }`, with a variant for each time that it is sent: six
// to warm up, then those that are counted. It prints `{ files, steps }`: for each request the files of src that ran
// each time (V8's precise coverage), and the names of the steps (src/server/http/steps.ts) in the order in which they
// began.
import { mkdtempSync } from "node:fs";
import http from "node:http";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import pino from "pino";
import { openDatabase } from "#src/db/connection/database.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { steps } from "#src/server/http/steps.ts";
import { createApp } from "#src/server/process/app.ts";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const warmUp = 6;
const never = 2 ** 30;
const root = new URL("../../src/", import.meta.url).href;

const database = openDatabase({ url: process.argv[2] ?? "" });
const app = createApp({
  database,
  files: new FolderStore(mkdtempSync(join(tmpdir(), "count-files-"))),
  log: pino({ level: "info" }, { write: (line) => void (line.includes('"err"') && process.stderr.write(line)) }),
  // Background work is postponed.
  viewerAge: never,
  pollMs: never,
  filesCheckMs: never,
  deliveryMs: null,
  translationMs: null,
});
const { port } = await app.listen({ host: "127.0.0.1", port: 0 });
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

async function send({ method, path, token, body, ...sent }: Sent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...sent.headers,
  };
  const request = http.request({ agent, port, host: "127.0.0.1", method, path, headers }, resolve);
  request.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  const response = await promise;
  const answer = await text(response);
  if (response.statusCode !== 200 || answer.includes('"errors"')) throw new Error(`${path}: ${answer.slice(0, 500)}`);
  await wait(5); // the response is closed
}

const session = new Session();
session.connect();

/** The files of which a function ran since the last call. The broker of subscriptions has a timer of its own. */
async function takeFiles(): Promise<Set<string>> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const isRun = result.filter(
    ({ url, functions }) => url.startsWith(root) && functions.some(({ ranges: [range] }) => range && range.count > 0),
  );
  return new Set(isRun.map(({ url }) => url.slice(root.length)).filter((file) => !file.startsWith("server/live/")));
}

/** The files that run each time. */
async function countFiles(variants: readonly Sent[]): Promise<string[]> {
  let inEach: Set<string> | undefined;
  for (const [index, sent] of variants.entries()) {
    if (index >= warmUp) await wait(150); // quotas are written 100 ms after a request
    await takeFiles();
    await send(sent);
    const files = await takeFiles();
    if (index >= warmUp) inEach = new Set([...files].filter((file) => inEach?.has(file) ?? true));
  }
  return [...(inEach ?? [])].toSorted();
}

/** The names of the steps, recorded by breakpoints that do not pause. */
async function listSteps(sent: Sent): Promise<string[]> {
  const taken: string[] = [];
  Object.assign(globalThis, { steps, taken });
  await session.post("Debugger.enable");
  for (const [index, { name, by }] of steps.entries())
    for (const place of by.keys()) {
      const { result } = await session.post("Runtime.evaluate", { expression: `steps[${index}].by[${place}]` });
      const condition = `taken.push(${JSON.stringify(name)}) && false`;
      await session.post("Debugger.setBreakpointOnFunctionCall", { objectId: result.objectId ?? "", condition });
    }
  await send(sent);
  await session.post("Debugger.disable");
  return [...new Set(taken)];
}

await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
const files: Record<string, string[]> = {};
const requests = JSON.parse(await text(process.stdin)) as Record<string, Sent[]>;
for (const [name, variants] of Object.entries(requests)) files[name] = await countFiles(variants);
await session.post("Profiler.stopPreciseCoverage");
const [longest] = Object.values(requests).at(-1) ?? [];
process.stdout.write(JSON.stringify({ files, steps: longest ? await listSteps(longest) : [] }));
agent.destroy();
await app.close({ graceMs: 0 });
await database.close();
