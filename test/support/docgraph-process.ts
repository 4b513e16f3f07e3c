// docgraph as a real process: started, observed by its output, signalled, and queried over HTTP. Only processes started
// here are ended.
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../..", import.meta.url));

export interface Ready {
  readonly url: string;
  /** The demo token; empty without a demo. */
  readonly token: string;
  /** The data folder. */
  readonly data: string;
  /** Milliseconds from the start of the process to the banner. */
  readonly took: number;
}

export interface DocgraphProcess {
  readonly pid: number;
  /** Everything printed so far. */
  output(): string;
  /** Waits until the output contains the text; fails if the process exits first. */
  says(text: string): Promise<void>;
  /** Waits for the banner. */
  ready(): Promise<Ready>;
  /** Waits for the exit code or signal. */
  ended: Promise<number | NodeJS.Signals | null>;
  signal(signal: NodeJS.Signals): void;
}

interface Run {
  /** Below the project folder, in src; src/run.js runs it. */
  readonly script?: string;
  readonly args?: readonly string[];
  /** A program other than Node with the script. */
  readonly command?: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another account to run as; needs root. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
}

/** `npm start` sets the same: it takes a third off the time of each start. */
export const compileCache = { NODE_COMPILE_CACHE: join(project, "node_modules/.cache/compiled") };

const started = new Set<ChildProcess>();

/**
 * Starts a process of this project. The environment contains only `env`, without the settings of the person who runs
 * the tests.
 */
export function startDocgraph({
  script = "src/main.ts",
  args = [],
  command,
  env = {},
  cwd = project,
  account,
}: Run): DocgraphProcess {
  const name = script.replace(/^src\/|\.ts$/g, "");
  const [program, ...rest] = command ?? [process.execPath, join(project, "src/run.js"), name, ...args];
  const inherited = { PATH: process.env["PATH"], HOME: process.env["HOME"], ...compileCache };
  const child = spawn(program, rest, {
    ...account,
    cwd,
    env: { ...inherited, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.add(child);
  const begun = performance.now();
  let text = "";
  let bannerAt = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (bannerAt === 0 && text.includes("Try it:")) bannerAt = performance.now();
      child.emit("outputEvent");
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once("close", (code, signal) => {
      started.delete(child);
      resolve(code ?? signal);
    });
  });
  async function says(wanted: string): Promise<void> {
    const outputEvent = new Promise<void>((resolve) => {
      const look = () => text.includes(wanted) && resolve();
      child.on("outputEvent", look);
      look();
    });
    const end = await Promise.race([outputEvent, ended.then((code) => ({ code }))]);
    if (end && !text.includes(wanted)) throw new Error(`ended with ${end.code} before it said "${wanted}":\n${text}`);
  }
  const find = (name: string) => new RegExp(`^ {2}${name} +(\\S+)`, "m").exec(text)?.[1] ?? "";
  return {
    pid: child.pid ?? 0,
    output: () => text,
    says,
    async ready() {
      await says("curl -s");
      const file = find("Token"); // the output is not a terminal: it names the file of the demo's token
      return {
        url: find("REST").replace(/\/v1$/, ""),
        token: file.endsWith("/demo-token") ? (await readFile(file, "utf8")).trim() : "",
        data: find("Data"),
        took: bannerAt - begun,
      };
    },
    ended,
    signal: (signal) => void child.kill(signal),
  };
}

/** Starts a gateway on the database and files of a test's app; it may fetch from loopback addresses. */
export const startGateway = (
  { databaseUrl, filesFolder }: { readonly databaseUrl: string; readonly filesFolder: string },
  { env }: Pick<Run, "env">,
): DocgraphProcess =>
  startDocgraph({
    env: {
      ...env,
      DATABASE_URL: databaseUrl,
      FILES_DIR: filesFolder,
      ALLOWED_FETCH_HOSTS: "127.0.0.1",
      LOG_LEVEL: "warn",
    },
  });

/** Ends processes left by a failed test, and waits for them. */
export async function stopStarted(): Promise<void> {
  await Promise.all(
    [...started].map((child) => {
      const closed = new Promise((resolve) => child.once("close", resolve));
      child.kill("SIGTERM");
      return closed;
    }),
  );
}

/**
 * A data folder, accessible to other accounts unless `isPrivate`; `remove` deletes it, and the place that was used
 * instead.
 */
export async function makeDataFolder(isPrivate = false, parent = tmpdir()) {
  const folder = await mkdtemp(join(parent, "docgraph-lifecycle-"));
  await chmod(folder, isPrivate ? 0o700 : 0o755);
  return {
    folder,
    env: { DATA_DIR: join(folder, "data"), PORT: "0" },
    async remove(place?: string) {
      await rm(folder, { recursive: true, force: true });
      if (place?.startsWith("/var/lib/docgraph/")) await rm(place, { recursive: true, force: true });
    },
  };
}

/** The process id of the PostgreSQL in the data folder of a banner. */
export async function postgresPid(place: string): Promise<number> {
  const [pid] = (await readFile(join(place, "data/postmaster.pid"), "utf8")).split("\n", 1);
  return Number(pid);
}

/** Runs a GraphQL document; returns the data, or throws the response. */
export async function ask(
  url: string,
  token: string,
  query: string,
  variables: object = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  const body = JSON.parse(text) as { data?: Record<string, unknown>; errors?: unknown }; // GraphQL over HTTP
  if (!response.ok || body.errors || !body.data) throw new Error(`${response.status} for ${query}:\n${text}`);
  return body.data;
}
