// Starting and stopping docgraph as real processes with real signals, terminals and crashes.
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { findHolder } from "#src/db/embedded/folder-lock.ts";
import {
  ask,
  type DocgraphProcess,
  makeDataFolder,
  postgresPid,
  type Ready,
  startDocgraph,
  stopStarted,
} from "#test/support/docgraph-process.ts";
import { fillFolder } from "#test/support/filled-folder.ts";
import { runInTurn } from "#test/support/commands.ts";
import { startSettling } from "#test/support/settling-gateway.ts";
import { sized } from "#test/support/runs.ts";

interface Running {
  readonly docgraph: DocgraphProcess;
  readonly ready: Ready;
  readonly limits: Limits;
}

type Limits = Readonly<Record<string, string>>;

/** As root, a folder inaccessible to other accounts, so that the data needs another place. */
const isHidden = process.getuid?.() === 0;
/** The data folder of all tests but those of a first start, with an organization. */
let data: Awaited<ReturnType<typeof makeDataFolder>>;
let made: Awaited<ReturnType<typeof fillFolder>>;
/** The shared docgraph, until a test takes it to stop it. */
let current: Running | undefined;

/** The first start on a folder of its own, with the demo, which is left alone while the others are stopped. */
const settling = startSettling({ isPrivate: isHidden });
settling.catch(() => {}); // its tests fail

beforeAll(async () => {
  data = await makeDataFolder(isHidden);
  made = await fillFolder(data.env.DATA_DIR);
}, 60_000);

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  await stopStarted(); // the next test begins with a start
  current = undefined;
});

afterAll(async () => {
  await settling.then(
    (gateway) => gateway.stop(),
    () => {},
  );
  await stopStarted();
  await data.remove(made.place);
});

const withoutLimits: Limits = {};
/** The same limits for a docgraph run by `npm start`. */
const byNpm: Limits = {};
/** Short grace period, long requests. */
const shortStop: Limits = { STOP_GRACE_SECONDS: "1", REQUEST_TIMEOUT: "60", STATEMENT_TIMEOUT: "120" };

const envWith = (limits: Limits) => ({ ...data.env, DRAIN_SECONDS: "1", TOKENS_PER_USER: "10000", ...limits });

/** The docgraph on the data folder, for a test that only sends requests. */
const runningAnyhow = (): Promise<Running> => running(current?.limits ?? byNpm);

/** The same with these limits; restarts it if it runs with others or not at all. */
async function running(limits = withoutLimits): Promise<Running> {
  if (current?.limits === limits) return current;
  await stopCurrent();
  const env = envWith(limits);
  const docgraph = startDocgraph(limits === byNpm ? { command: ["npm", "start"], env } : { env });
  return (current = { docgraph, ready: await docgraph.ready(), limits });
}

/** The same, for a test that stops it. */
async function takeRunning(limits = withoutLimits): Promise<Running> {
  const taken = await running(limits);
  current = undefined;
  return taken;
}

async function stopCurrent(): Promise<void> {
  const stopping = current?.docgraph;
  current = undefined;
  stopping?.signal("SIGTERM");
  if (stopping) expect(await stopping.ended).toBe(0);
}

async function connectToDatabase(): Promise<pg.Client> {
  const holder = await findHolder(data.env.DATA_DIR);
  const client = new pg.Client({ connectionString: holder?.url });
  client.on("error", () => {}); // the server may be stopped under it
  await client.connect();
  return client;
}

const newToken = `mutation New($name: String!) { createApiToken(input: { name: $name }) { token } }`;

async function makeToken(url: string, token: string, name: string): Promise<string> {
  // The shape of the selection.
  const answer = (await ask(url, token, newToken, { name })) as { createApiToken: { token: string } };
  return answer.createApiToken.token;
}

const secretText = /dg[a-z]?_\w{40}/; // of tokens, sessions and links

test("the first start prints URLs and a token to a terminal, but no secret to a file or pipe", async () => {
  const { banner: output, ready, folder } = await settling;
  expect(output).toContain(`${ready.url}/graphql`);
  expect(output).toContain(`${ready.url}/v1`);
  expect(output).toContain(`${ready.url.replace("http", "ws")}/graphql`);
  if (isHidden) expect(ready.data).toMatch(/^\/var\/lib\/docgraph\//);
  else expect(ready.data).toBe(`${folder}/postgres`);
  expect(ready.token).toMatch(/^dg_/);
  const lines = output.trim().split("\n");
  const own = lines.filter((line) => !line.startsWith("> ") && !line.includes("applied migration")); // npm prints `> `
  expect(own.length).toBeLessThan(20);
  expect(output).not.toMatch(secretText);
}, 240_000);

test("the printed curl command works, and a second docgraph on the same folder is refused", async () => {
  const { docgraph, ready } = await runningAnyhow();
  const { url, token } = ready;
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: "ok" });
  const line = /curl -s .*/.exec(docgraph.output())?.[0] ?? "";
  const curl = startDocgraph({ command: ["sh", "-c", line] });
  expect(await curl.ended).toBe(0);
  const { title } = made.organization;
  expect(JSON.parse(curl.output())).toMatchObject({ data: { organizations: { nodes: [{ title }] } } });

  const holder = await findHolder(data.env.DATA_DIR);
  const second = startDocgraph({ env: data.env });
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`already running on the data folder ${data.env.DATA_DIR} (process ${holder?.pid})`);
  await ask(url, await makeToken(url, token, "still writing"), "{ viewer { id } }");
});

describe("commands beside a running docgraph", () => {
  const token = (...args: string[]) => startDocgraph({ script: "src/cli/token.ts", args, env: data.env });

  test("token prints only a working token", async () => {
    const { ready } = await runningAnyhow();
    const whileRunning = token(made.admin.email, "--name", "laptop", "--expires-in", "30d");
    expect(await whileRunning.ended).toBe(0);
    expect(whileRunning.output()).toMatch(/^dg_\w+\n$/);
    await ask(ready.url, whileRunning.output().trim(), "{ viewer { id } }");
  });

  test("login prints a working sign-in link regardless of the limit of requests", async () => {
    const { docgraph, ready } = await runningAnyhow();
    const { url } = ready;
    const { email } = made.admin;
    const body = new URLSearchParams({ email });
    for (let asked = 0; asked < 4; asked += 1)
      expect((await fetch(`${url}/sign-in`, { method: "POST", body })).status).toBe(200);
    await docgraph.says(`A link to sign in: npm run -s login -- ${email}`);
    expect(docgraph.output()).not.toMatch(secretText);
    const env = { ...data.env, PUBLIC_URL: url };
    const login = startDocgraph({ script: "src/cli/login.ts", args: [email], env });
    expect([await login.ended, login.output()]).toEqual([0, expect.stringMatching(/^http\S+secret=dgl_\w{40}\n$/)]);
    const link = new URL(login.output().trim());
    const form = { method: "POST", body: link.searchParams, headers: { origin: url }, redirect: "manual" } as const;
    const signedIn = await fetch(`${url}/sign-in/link`, form);
    expect([signedIn.status, signedIn.headers.get("set-cookie")]).toEqual([303, expect.stringContaining("dgs_")]);
  });

  test("token prints its usage and the mistake for wrong arguments", async () => {
    const runs = await runInTurn([["token", "--help"], ["token"], ["token", "a@example.com", "--expires-in", "soon"]]);
    expect(runs.map(({ code, output, errors }) => [code, output + errors])).toEqual([
      [0, expect.stringContaining("--expires-in   How long the token is valid")],
      [2, expect.stringContaining("usage: npm run -s token")],
      [2, expect.stringContaining("--expires-in must be a duration like")],
    ]);
  });
});

test("docgraph ends when npm is killed with -9, so that it can be started again", async () => {
  const { docgraph: npm } = await takeRunning(byNpm);
  npm.signal("SIGKILL");
  expect(await npm.ended).toBe("SIGKILL"); // once its output is closed, by docgraph too
  await running();
}, 240_000);

describe("a graceful stop", () => {
  test("logs it, finishes the request in flight, refuses new ones, closes sockets and stops PostgreSQL", async () => {
    const { docgraph, ready } = await takeRunning();
    const { url, token, data: place } = ready;
    const postgres = await postgresPid(place);
    const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    await new Promise((resolve) => socket.once("open", resolve));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const other = await connectToDatabase();
    await other.query(`BEGIN; LOCK TABLE "Organization"`);
    const inFlight = ask(url, token, "{ organizations { nodes { title } } }");
    while (!(await isAnyoneWaiting(other))); // until the request waits for the lock

    docgraph.signal("SIGTERM");
    await docgraph.says("finishing requests in flight");
    const leaving = await fetch(`${url}/readyz`);
    expect([leaving.status, leaving.headers.get("connection"), await leaving.json()]).toEqual([
      503,
      "close",
      { status: "leaving" },
    ]);
    expect(await closed).toBe(1001); // going away
    await expect(fetch(`${url}/healthz`)).rejects.toThrow("fetch failed");
    await other.query("COMMIT");
    expect(await inFlight).toEqual({ organizations: { nodes: [{ title: made.organization.title }] } });
    expect(await docgraph.ended).toBe(0);
    expect(docgraph.output().trimEnd().split("\n").at(-1)).toContain('"stopped"');
    expect(() => process.kill(postgres, 0)).toThrow("ESRCH");
  }, 240_000);
});

async function isAnyoneWaiting(client: pg.Client, least = 1): Promise<boolean> {
  const { rows } = await client.query("SELECT FROM pg_locks WHERE NOT granted");
  if (rows.length < least) await client.query("SELECT pg_sleep(0.01)"); // it is asked again
  return rows.length >= least;
}

test("a restart keeps the data and all tokens, and writes no demo beside them", async () => {
  await stopCurrent();
  const occupant = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => occupant.once("listening", resolve));
  const { port } = occupant.address() as AddressInfo; // it listens on TCP
  const refused = startDocgraph({ env: { ...data.env, PORT: String(port) } });
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain(`port ${port} on 127.0.0.1 is already in use`);
  expect(refused.output().trim().split("\n")).toHaveLength(1); // nothing was started
  occupant.close();

  const args = [made.admin.email.toUpperCase()];
  const command = startDocgraph({ script: "src/cli/token.ts", args, env: data.env });
  expect(await command.ended).toBe(0);
  const { docgraph, ready } = await running(shortStop);
  expect(docgraph.output()).not.toContain("took over");
  expect(ready.token).toBe(made.admin.token);
  expect(await ask(ready.url, command.output().trim(), "{ organizations { totalCount } }")).toEqual({
    organizations: { totalCount: 1 },
  });
}, 240_000);

describe("kill -9", () => {
  /** Writes acknowledged before a kill, by four writers. */
  const writes = sized(20, 60);
  const both = { victim: "both", kills: ["docgraph", "PostgreSQL"], exit: "SIGKILL" };
  const each = [
    { victim: "docgraph", kills: ["docgraph"], exit: "SIGKILL" },
    { victim: "PostgreSQL", kills: ["PostgreSQL"], exit: 1 },
  ];
  /** merge-killed.test.ts kills each at any size. */
  const cases = sized([both], [...each, both]);

  /** Writes until the processes with these ids are killed; returns the acknowledged writes. */
  async function writeAndKill({ url, token }: Ready, ids: number[]): Promise<readonly string[]> {
    const acknowledged: string[] = [];
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (;;) {
        acknowledged.push(await makeToken(url, token, `writer ${writer}`));
        if (acknowledged.length < writes) continue;
        for (const id of ids.splice(0)) process.kill(id, "SIGKILL");
      }
    });
    await Promise.allSettled(writers);
    return acknowledged;
  }

  test("of docgraph, PostgreSQL or both: the next start recovers with every acknowledged write", async () => {
    for (const { victim, kills, exit } of cases) {
      const { docgraph, ready } = await takeRunning(shortStop);
      const processes: Record<string, number> = { docgraph: docgraph.pid, PostgreSQL: await postgresPid(ready.data) };
      const ids = kills.map((name) => processes[name] ?? 0);
      const acknowledged = await writeAndKill(ready, ids);
      expect(await docgraph.ended, victim).toBe(exit);
      expect(docgraph.output().includes("PostgreSQL ended unexpectedly"), victim).toBe(exit === 1);

      const { url } = (await running(shortStop)).ready;
      expect(acknowledged.length).toBeGreaterThanOrEqual(writes);
      await Promise.all(acknowledged.map((written) => ask(url, written, "{ viewer { id } }")));
    }
  }, 240_000);
});

describe("a forced stop", () => {
  test("ends statements that are still stuck in the database after the grace period", async () => {
    const { docgraph, ready } = await takeRunning(shortStop);
    const { url, token } = ready;
    const other = await connectToDatabase();
    await other.query(`BEGIN; LOCK TABLE "ApiToken" IN SHARE MODE; LOCK TABLE "Space"`);
    const stuck = Promise.allSettled([
      makeToken(url, token, "waits to write"),
      ask(url, token, "{ organizations { nodes { spaces { totalCount } } } }"),
    ]);
    while (!(await isAnyoneWaiting(other, 2)));
    docgraph.signal("SIGTERM");
    expect(await docgraph.ended).toBe(0); // 1 if the stop was forced
    expect(await stuck).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
  }, 240_000);
});

const mostMegabytes = 200;

test.skipIf(!existsSync("/proc/self/status"))(
  `npm start settles below ${mostMegabytes} MB of private memory, GraphiQL and a hundred queries included`,
  async () => {
    const gateway = await settling;
    const message = "MB in memory (RssAnon), without PostgreSQL";
    // Its threads end a minute after their last task, which comes late on a busy machine.
    await expect
      .poll(() => gateway.megabytes(), { message, timeout: 120_000, interval: 1_000 })
      .toBeLessThan(mostMegabytes);
  },
  180_000,
);

test("npm start treats Ctrl-C as one signal although npm forwards it", async () => {
  const gateway = await settling;
  const { docgraph, ready } = gateway;
  process.kill(-docgraph.pid, "SIGINT"); // the whole group, as a terminal does
  expect(await docgraph.ended).toBe(0);
  expect(docgraph.output()).toContain("finishing requests in flight");
  await expect(fetch(`${ready.url}/healthz`)).rejects.toThrow("fetch failed");
}, 240_000);
