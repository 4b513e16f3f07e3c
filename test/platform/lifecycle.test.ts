// Starting and stopping docgraph as real processes with real signals, terminals and crashes. At the small size a
// graceful stop is that of Ctrl-C alone, and half of the steps of a merge are interrupted by each kill.
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
import { inTurn, sized } from "#test/support/runs.ts";
import { type MergingGateway, requireMerge, steps, stopMerges, stops } from "#test/platform/stopped-merges.ts";

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
  made = await fillFolder(data.env.DATA_DIR, async ({ pool }) => {
    for (const statement of stops) await pool.query(statement);
  });
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

const envWith = (limits: Limits) => ({
  ...data.env,
  DRAIN_SECONDS: "1",
  TOKENS_PER_USER: "10000",
  OPERATIONS_PER_USER: String(2 * steps.length), // a merge of one user is stopped at each step, all at once
  ...limits,
});

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

async function connectToDatabase(dataDir = data.env.DATA_DIR): Promise<pg.Client> {
  const holder = await findHolder(dataDir);
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

test("commands beside a running docgraph print a working token, a working sign-in link, or their usage", async () => {
  const { docgraph, ready } = await runningAnyhow();
  const { url } = ready;
  const { email } = made.admin;
  const body = new URLSearchParams({ email });
  for (let asked = 0; asked < 4; asked += 1)
    expect((await fetch(`${url}/sign-in`, { method: "POST", body })).status).toBe(200);
  await docgraph.says(`A link to sign in: npm run -s login -- ${email}`);
  expect(docgraph.output()).not.toMatch(secretText);
  const [token, login, ...usages] = await runInTurn(
    [
      ["token", email, "--name", "laptop", "--expires-in", "30d"],
      ["login", email], // regardless of the limit of requests
      ["token", "--help"],
      ["token"],
      ["token", "a@example.com", "--expires-in", "soon"],
    ],
    { ...data.env, PUBLIC_URL: url },
  );
  const printed = expect.stringMatching(/^dg_\w+\n$/) as string;
  expect(token).toEqual({ code: 0, output: printed, errors: "" });
  await ask(url, token?.output.trim() ?? "", "{ viewer { id } }");
  const linked = expect.stringMatching(/^http\S+secret=dgl_\w{40}\n$/) as string;
  expect(login).toEqual({ code: 0, output: linked, errors: "" });
  const link = new URL(login?.output.trim() ?? "");
  const form = { method: "POST", body: link.searchParams, headers: { origin: url }, redirect: "manual" } as const;
  const signedIn = await fetch(`${url}/sign-in/link`, form);
  expect([signedIn.status, signedIn.headers.get("set-cookie")]).toEqual([303, expect.stringContaining("dgs_")]);
  expect(usages.map(({ code, output, errors }) => [code, output + errors])).toEqual([
    [0, expect.stringContaining("--expires-in   How long the token is valid")],
    [2, expect.stringContaining("usage: npm run -s token")],
    [2, expect.stringContaining("--expires-in must be a duration like")],
  ]);
}, 120_000);

async function isAnyoneWaiting(client: pg.Client, least = 1): Promise<boolean> {
  const { rows } = await client.query("SELECT FROM pg_locks WHERE NOT granted");
  if (rows.length < least) await client.query("SELECT pg_sleep(0.01)"); // it is asked again
  return rows.length >= least;
}

test("docgraph ends when npm is killed with -9, and a restart keeps the data and all tokens, without a demo", async () => {
  const { docgraph: npm } = await takeRunning(byNpm);
  npm.signal("SIGKILL");
  expect(await npm.ended).toBe("SIGKILL"); // once its output is closed, by docgraph too

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

/** A docgraph at which merges are stopped. */
async function mergingAt({ ready }: Running): Promise<MergingGateway> {
  const holder = await findHolder(data.env.DATA_DIR);
  return { ready, databaseUrl: holder?.url ?? "", organizationId: made.organization.id };
}

describe("kill -9", () => {
  /** Writes acknowledged before a kill, by four writers. */
  const writes = sized(20, 60);
  const each = [
    { victim: "docgraph", kills: ["docgraph"], exit: "SIGKILL" },
    { victim: "PostgreSQL", kills: ["PostgreSQL"], exit: 1 },
  ];
  const cases = sized(each, [...each, { victim: "both", kills: ["docgraph", "PostgreSQL"], exit: "SIGKILL" }]);

  /** Writes until the processes with these ids are killed; returns the acknowledged writes. */
  async function writeAndKill({ url }: Ready, ids: number[]): Promise<readonly string[]> {
    const acknowledged: string[] = [];
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (;;) {
        acknowledged.push(await makeToken(url, made.creator.token, `writer ${writer}`));
        if (acknowledged.length < writes) continue;
        for (const id of ids.splice(0)) process.kill(id, "SIGKILL");
      }
    });
    await Promise.allSettled(writers);
    return acknowledged;
  }

  test.each(cases.map((one, turn) => ({ ...one, turn })))(
    "of $victim: the next start recovers with every acknowledged write, and each merge completely or not at all",
    async ({ turn, kills, exit }) => {
      const taken = await takeRunning(shortStop);
      const { docgraph, ready } = taken;
      const merges = await stopMerges(await mergingAt(taken), inTurn([...steps.keys()], turn));
      const processes: Record<string, number> = { docgraph: docgraph.pid, PostgreSQL: await postgresPid(ready.data) };
      const ids = kills.map((name) => processes[name] ?? 0);
      const acknowledged = await writeAndKill(ready, ids);
      expect(await docgraph.ended).toBe(exit);
      expect(docgraph.output().includes("PostgreSQL ended unexpectedly")).toBe(exit === 1);
      await merges.requireLost();

      const next = await running(shortStop);
      expect(acknowledged.length).toBeGreaterThanOrEqual(writes);
      await Promise.all(acknowledged.map((written) => ask(next.ready.url, written, "{ viewer { id } }")));
      const merging = await mergingAt(next);
      await merges.requireAllOrNothing(merging);
      await requireMerge(merging);
    },
    240_000,
  );
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

describe("a graceful stop", () => {
  type Way = "SIGTERM" | "Ctrl-C, which npm forwards,";
  const ways: readonly Way[] = ["SIGTERM", "Ctrl-C, which npm forwards,"];

  async function takeForStop(way: Way) {
    if (way === "SIGTERM") return { ...(await takeRunning()), folder: data.env.DATA_DIR };
    return settling;
  }

  test.each(sized(ways.slice(1), ways))(
    "by %s finishes the request in flight, refuses new ones, closes sockets and stops PostgreSQL",
    async (way) => {
      const { docgraph, ready, folder } = await takeForStop(way);
      const { url, token, data: place } = ready;
      const postgres = await postgresPid(place);
      const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
      await new Promise((resolve) => socket.once("open", resolve));
      const closed = new Promise((resolve) => socket.once("close", resolve));
      const titles = "{ organizations { nodes { title } } }";
      const before = await ask(url, token, titles);
      const other = await connectToDatabase(folder);
      await other.query(`BEGIN; LOCK TABLE "Organization"`);
      const inFlight = ask(url, token, titles);
      while (!(await isAnyoneWaiting(other))); // until the request waits for the lock

      if (way === "SIGTERM") docgraph.signal(way);
      else process.kill(-docgraph.pid, "SIGINT"); // the whole group, as a terminal does
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
      expect(await inFlight).toEqual(before);
      expect(await docgraph.ended).toBe(0);
      expect(docgraph.output().trimEnd().split("\n").at(-1)).toContain('"stopped"');
      expect(() => process.kill(postgres, 0)).toThrow("ESRCH");
    },
    240_000,
  );
});
