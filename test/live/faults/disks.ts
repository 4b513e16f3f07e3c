// Full disks of the database and of files, as small file systems in memory, which need root.
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { type Outcome, othersThan, setScene } from "#test/live/faults/scene.ts";
import { upload } from "#test/live/faults/upload.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { makeDataFolder, startDocgraph } from "#test/support/docgraph-process.ts";

const run = promisify(execFile);

export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** Fills the disk. */
  fill(): Promise<void>;
  /** Frees the disk. */
  clear(): Promise<void>;
}

/** Mounts a file system in memory; needs root. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), "docgraph-disk-"));
  await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", path]);
  await chmod(path, 0o755);
  const ballast = join(path, "ballast");
  return {
    path,
    // To the last byte: the copy is expected to fail.
    fill: () =>
      run("dd", ["if=/dev/zero", `of=${ballast}`, "bs=64k"]).then(
        () => {},
        () => {},
      ),
    clear: () => rm(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      await run("umount", ["-l", path]);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** The allowed error codes of a full disk. */
const allowedCodes = ["STORAGE_FULL", "UNAVAILABLE", "TIMEOUT", "503", "507"];

/** No space for tables: reads succeed, mutations are refused, and no acknowledged write is lost. */
export async function fillDatabaseDisk(): Promise<Outcome> {
  await using disk = await mountSmallDisk(400);
  const place = join(disk.path, "data");
  await (await startOwnPostgres(place))[Symbol.asyncDispose]();
  await using log = await moveLog(join(place, "postgres/data"));
  await using postgres = await startOwnPostgres(place);
  await using scene = await setScene(postgres);
  const figures = await scene.during(async () => {
    await wait(2_000);
    await disk.fill();
    await wait(10_000);
    await disk.clear();
    await wait(3_000);
  });
  const isServed = figures.reads.good >= figures.reads.sent * 0.9;
  const refused = figures.writes.sent - figures.writes.good;
  const more = `${refused} writes refused; the write-ahead log has room in ${log.path}`;
  return await scene.judge(figures, isServed && refused > 0 && othersThan(allowedCodes, figures) === 0, more);
}

/** No space for the WAL: PostgreSQL exits and is restarted, as a service is, once there is space. */
export async function fillLogDisk(): Promise<Outcome> {
  await using disk = await mountSmallDisk(400);
  await using postgres = await startOwnPostgres(join(disk.path, "data"));
  await using scene = await setScene(postgres);
  let hasEnded = false;
  const figures = await scene.during(async () => {
    await wait(2_000);
    await disk.fill();
    // More than a WAL segment: the next one cannot be created.
    const most = "select pg_logical_emit_message(true, 'x', repeat('x', 1000000)) from generate_series(1, 40)";
    hasEnded = await postgres.pool.query(most).then(
      () => false,
      () => postgres.ended.then(() => true),
    );
    await wait(3_000);
    await disk.clear();
    if (hasEnded) await postgres.restart();
    await wait(3_000);
  });
  const more = `PostgreSQL ${hasEnded ? "ended, and was started again" : "did not end"}`;
  return await scene.judge(figures, hasEnded && othersThan(allowedCodes, figures) === 0, more);
}

/** Moves the WAL of a stopped database to a disk with space. */
async function moveLog(data: string): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "docgraph-wal-"));
  await chmod(path, 0o755);
  await run("cp", ["-a", join(data, "pg_wal"), path]);
  await rm(join(data, "pg_wal"), { recursive: true });
  await symlink(join(path, "pg_wal"), join(data, "pg_wal"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** No space for files: uploads return 507 and leave nothing, and everything else works. */
export async function fillFilesDisk(): Promise<Outcome> {
  await using disk = await mountSmallDisk(20);
  await using postgres = await startOwnPostgres();
  const data = await makeDataFolder();
  const filesFolder = join(disk.path, "files");
  const gateway = startDocgraph({
    env: { ...data.env, DATABASE_URL: postgres.url, FILES_DIR: filesFolder, LOG_LEVEL: "warn" },
  });
  const { url } = await gateway.ready();
  const { token, spaces } = await makeLiveWorld(postgres.pool);
  const send = (text: string) => upload(url, token, { spaceId: spaces[0] ?? "", bytes: Buffer.alloc(1_000_000, text) });
  const before = await send("before");
  await disk.fill();
  const full = await Promise.all(["a", "b", "c"].map(send));
  const left = await readdir(join(filesFolder, "incoming"));
  await disk.clear();
  const after = await send("after");
  gateway.signal("SIGTERM");
  await gateway.ended;
  await data.remove();
  const figures = `before ${before}, full ${full.join(" ")}, ${left.length} files left of them, after ${after}`;
  return {
    figures,
    passes: before === 200 && full.every((status) => status === 507) && left.length === 0 && after === 200,
  };
}

/** An unwritable folder: the start reports it in one sentence. */
export async function refuseFiles(): Promise<Outcome> {
  const data = await makeDataFolder();
  const file = join(data.folder, "a-file");
  await writeFile(file, "");
  const gateway = startDocgraph({ env: { ...data.env, FILES_DIR: file } });
  const code = await gateway.ended;
  const said = gateway
    .output()
    .split("\n")
    .filter((line) => line.startsWith("docgraph:"));
  await data.remove();
  const isStack = gateway.output().includes("    at ");
  return { figures: `exit ${code}: ${said.join(" ")}`, passes: code === 1 && said.length === 1 && !isStack };
}
