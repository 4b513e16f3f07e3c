// The proof of an upgrade: a gateway of the last release serves readers and writers of a large database while this one
// starts beside it and migrates. Nothing fails, and nobody waits for long. The last release is the commit before the
// second migration.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { readMigrations } from "#src/db/maintenance/migrate.ts";
import { compileCache, makeDataFolder, startDocgraph, stopStarted } from "#test/support/docgraph-process.ts";
import { times } from "#test/support/world.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

export interface UpgradeReport {
  readonly comments: number;
  readonly requests: number;
  readonly failed: number;
  readonly longestMs: number;
  /** From the start of the new gateway until it is ready. */
  readonly tookMs: number;
}

/** The commit of the last release; null where the history of the project is missing, as in a shallow clone. */
export async function lastRelease(): Promise<string | null> {
  const [, second] = await readMigrations();
  const added = ["log", "--diff-filter=A", "--format=%P", "--", `prisma/migrations/${second?.name}`];
  const { stdout } = await run("git", added, { cwd: root }).catch(() => ({ stdout: "" }));
  return stdout.trim().split("\n").at(-1) || null;
}

async function unpackRelease(folder: string): Promise<void> {
  const commit = await lastRelease();
  if (!commit) throw new Error("the proof needs the history of the project: git fetch --unshallow");
  const archive = join(folder, "release.tar");
  await run("git", ["archive", "-o", archive, commit], { cwd: root });
  await run("tar", ["-xf", archive, "-C", folder]);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
}

/** Its own modules make the first rows, since those of this project write columns that it does not have. */
const seed = `// Rows for the proof of an upgrade.
import { openDatabase } from "#src/db/connection/database.ts";
import { createWorld } from "#test/support/world.ts";
const database = openDatabase({ url: process.env["DATABASE_URL"] ?? "" });
const { admin, space, comment } = await createWorld(database).comment();
process.stdout.write(JSON.stringify({ token: admin.token, spaceId: space.id, commentId: comment.id }));
await database.close();
`;

interface Seeded {
  readonly token: string;
  readonly spaceId: string;
  readonly commentId: string;
}

async function fill(url: string, release: string, comments: number): Promise<Seeded> {
  await writeFile(join(release, "src/seed.ts"), seed);
  const env = { PATH: process.env["PATH"], ...compileCache, DATABASE_URL: url };
  const { stdout } = await run(process.execPath, ["src/run.js", "seed"], { cwd: release, env });
  const seeded = JSON.parse(stdout) as Seeded; // what the seed prints
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set session_replication_role = replica");
  await client.query(
    `insert into "Comment" select r.* from "Comment" c cross join generate_series(1, ${comments}) n
      cross join lateral jsonb_populate_record(c, jsonb_build_object('id', left(c.id, 10) || lpad(n::text, 20, '0'))) r
      where c.id = $1`,
    [seeded.commentId],
  );
  await client.query("analyze");
  await client.end();
  return seeded;
}

export interface UpgradeSize {
  readonly comments: number;
  /** The pause of each reader and writer after a request, in milliseconds. */
  readonly restMs: number;
}

/** Upgrades a database with so many comments. */
export async function proveUpgrade(
  { comments, restMs }: UpgradeSize,
  say: (line: string) => void = () => {},
): Promise<UpgradeReport> {
  const [data, release] = [await makeDataFolder(), await mkdtemp(join(tmpdir(), "docgraph-release-"))];
  const files = join(release, "files");
  await mkdir(files);
  const postgres = await startEmbeddedPostgres({ dataDir: data.env.DATA_DIR });
  try {
    await unpackRelease(release);
    const env = { ...data.env, DATABASE_URL: postgres.url, FILES_DIR: files, LOG_LEVEL: "warn", PORT: "0" };
    const command = [process.execPath, join(release, "src/run.js"), "main"] as const;
    const { url } = await startDocgraph({ command, cwd: release, env }).ready();
    const seeded = await fill(postgres.url, release, comments);
    say(`the last release serves ${comments} comments`);
    const load = { requests: 0, failed: 0, longestMs: 0, isOver: false, restMs };
    const working = times(4, (index) => ask(url, seeded, { load, isWriter: index % 2 === 0 }));
    const begun = performance.now();
    await startDocgraph({ env }).ready();
    const tookMs = Math.round(performance.now() - begun);
    load.isOver = true;
    await Promise.all(working);
    const { requests, failed, longestMs } = load;
    return { comments, requests, failed, longestMs: Math.round(longestMs), tookMs };
  } finally {
    await stopStarted();
    await postgres.stop();
    await Promise.all([data.remove(), rm(release, { recursive: true })]);
  }
}

interface Load {
  requests: number;
  failed: number;
  longestMs: number;
  isOver: boolean;
  readonly restMs: number;
}

/** Reads or writes comments, one request after the other. */
async function ask(
  url: string,
  { token, spaceId }: Seeded,
  { load, isWriter }: { load: Load; isWriter: boolean },
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ body: { markdown: "A comment" } });
  while (!load.isOver) {
    const begun = performance.now();
    const sent = isWriter ? { method: "POST", headers, body } : { headers };
    const answer = await fetch(`${url}/v1/spaces/${spaceId}/comments`, sent).catch(() => null);
    await answer?.text();
    load.requests += 1;
    if (!answer?.ok) load.failed += 1;
    load.longestMs = Math.max(load.longestMs, performance.now() - begun);
    if (load.restMs > 0) await sleep(load.restMs);
  }
}
