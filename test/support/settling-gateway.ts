// A gateway that was used and is left alone: what it keeps in memory once its threads and caches have ended.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { WebSocket } from "ws";
import { findHolder } from "#src/db/embedded/folder-lock.ts";
import { demoQuery } from "#src/server/pages/graphiql.ts";
import {
  ask,
  type DocgraphProcess,
  makeDataFolder,
  type Ready,
  startDocgraph,
} from "#test/support/docgraph-process.ts";

export interface SettlingGateway {
  readonly docgraph: DocgraphProcess;
  readonly ready: Ready;
  /** What it printed until it was ready. */
  readonly banner: string;
  /** The data folder that it was given. */
  readonly folder: string;
  /** Private memory without PostgreSQL, in megabytes, after a collection of garbage. */
  megabytes(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts a gateway by `npm start` on a new folder, accessible to this account only if `isPrivate`, loads GraphiQL from
 * it and sends it a hundred queries.
 */
export async function startSettling({ isPrivate }: { isPrivate: boolean }): Promise<SettlingGateway> {
  const data = await makeDataFolder(isPrivate);
  const docgraph = startDocgraph({
    command: ["npm", "start"],
    // Any free port, once it is signalled.
    env: { ...data.env, DRAIN_SECONDS: "1", NODE_OPTIONS: "--inspect-port=0" },
  });
  const ready = await docgraph.ready();
  const banner = docgraph.output();
  const { url, token } = ready;
  await loadGraphiql(url);
  for (let round = 0; round < 100; round++) await ask(url, token, demoQuery);
  const pid = (await findHolder(data.env.DATA_DIR))?.pid ?? 0;
  process.kill(pid, "SIGUSR1");
  await docgraph.says("Debugger listening on ws://");
  const debuggerUrl = /Debugger listening on (ws:\S+)/.exec(docgraph.output())?.[1] ?? "";
  return {
    docgraph,
    ready,
    banner,
    folder: data.env.DATA_DIR,
    async megabytes() {
      await collectGarbage(debuggerUrl); // V8 waits for quiet minutes
      return ownMegabytes(pid);
    },
    async stop() {
      docgraph.signal("SIGTERM");
      await docgraph.ended;
      await data.remove(ready.data);
    },
  };
}

/** By a connection of its own, which ends with it: a process with a debugger would not end. Throws after 10 s. */
async function collectGarbage(debuggerUrl: string): Promise<void> {
  const inspector = new WebSocket(debuggerUrl);
  inspector.on("error", () => {}); // also of a connection that is ended before it is open
  const signal = AbortSignal.timeout(10_000);
  try {
    await once(inspector, "open", { signal });
    inspector.send(JSON.stringify({ id: 1, method: "HeapProfiler.collectGarbage" }));
    await once(inspector, "message", { signal });
  } finally {
    inspector.terminate();
  }
}

async function loadGraphiql(url: string): Promise<void> {
  const page = await fetch(`${url}/graphql`, { headers: { accept: "text/html" } });
  const scripts = [...(await page.text()).matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path = ""]) => path);
  const texts = await Promise.all(scripts.map(async (path) => (await fetch(url + path)).text()));
  if (!texts.some(({ length }) => length > 1_000_000)) throw new Error("GraphiQL, which is large, was not loaded.");
}

/** RssAnon: pages of the program file are shared and vary. */
async function ownMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
}
