// The lock of a data folder and the socket of its database: in the folder, private to its owner, for paths of any
// length; one of several concurrent starts gets it.
import { link, mkdir, readdir, readFile, readlink, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { findHolder, FolderInUseError, type FolderLock, lockFolder } from "#src/db/embedded/folder-lock.ts";
import { startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { makeDataFolder } from "#test/support/docgraph-process.ts";
import { times } from "#test/support/world.ts";

/** The names of the Unix sockets on which this process listens; those outside the file system begin with @. */
async function socketsOfThisProcess(): Promise<string[]> {
  const links = (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ""));
  const own = new Set((await Promise.all(links)).flatMap((to) => /^socket:\[(\d+)\]$/.exec(to)?.[1] ?? []));
  const lines = (await readFile("/proc/net/unix", "utf8")).split("\n").map((line) => line.trim().split(/\s+/));
  return lines.flatMap(([, , , flags, , , inode = "", path = ""]) =>
    flags === "00010000" && own.has(inode) ? [path] : [],
  );
}

const modeOf = async (path: string) => {
  const { uid, mode } = await stat(path);
  return { uid, mode: mode & 0o777 };
};

test.each([
  ["short", ""],
  ["too long for a socket", `${"long/".repeat(30)}path`],
])(
  "the lock of a folder whose path is %s is in it and private to its owner",
  async (_how, below) => {
    const folder = await makeDataFolder();
    const dataDir = join(folder.env.DATA_DIR, below);
    await mkdir(dataDir, { recursive: true });
    const before = await socketsOfThisProcess();
    const server = await startEmbeddedPostgres({ dataDir, durable: false });
    try {
      const listening = (await socketsOfThisProcess()).filter((path) => !before.includes(path));
      expect(listening).toHaveLength(1);
      expect(await readdir(join(dataDir, "lock"))).toEqual([listening[0]?.split("/").at(-1)]);
      expect(await modeOf(join(dataDir, "lock"))).toEqual({ uid: (await stat(dataDir)).uid, mode: 0o700 });
      const socket = join(server.dataDir, "socket");
      expect((await readdir(socket)).toSorted()).toEqual([".s.PGSQL.5432", ".s.PGSQL.5432.lock"]);
      const { uid } = await stat(join(server.dataDir, "data"));
      expect(await modeOf(socket)).toEqual({ uid, mode: 0o700 });
      expect(await modeOf(join(socket, ".s.PGSQL.5432"))).toEqual({ uid, mode: 0o700 });

      const holder = await findHolder(dataDir);
      expect(holder).toEqual({ pid: process.pid, url: server.url });
      const client = new pg.Client({ connectionString: holder?.url });
      await client.connect();
      expect((await client.query("select 7 as seven")).rows).toEqual([{ seven: 7 }]);
      await client.end();
      await expect(lockFolder(dataDir)).rejects.toThrow(`is already running on the data folder ${dataDir}`);
    } finally {
      await server.stop();
    }
    expect(await findHolder(dataDir)).toBeUndefined();
    expect(await readdir(join(dataDir, "lock"))).toEqual([]);
    await folder.remove(server.dataDir);
  },
  120_000,
);

/** Leaves a socket without a listener in the folder, as a killed process does. */
async function leaveSocket(folder: string, name: string): Promise<void> {
  const server = createServer();
  const path = join(folder, "going");
  await new Promise<void>((done) => server.listen(path, done));
  await link(path, join(folder, name));
  await new Promise((done) => server.close(done)); // which removes the first name
}

test("one of many processes gets the folder lock, also after killed owners, and then the next", async () => {
  const folder = await makeDataFolder();
  const place = folder.folder;
  await mkdir(join(place, "lock"), { mode: 0o700 });
  for (let round = 0; round < 20; round += 1) {
    await leaveSocket(join(place, "lock"), `${round % 2 === 0 ? "0000" : "ffff"}.sock`);
    const taken = await Promise.allSettled(times(6, () => lockFolder(place)));
    const locks = taken.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const refusals = taken.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    expect(locks).toHaveLength(1);
    expect(refusals.every((refusal) => refusal instanceof FolderInUseError)).toBe(true);
    const [lock] = locks as [FolderLock];
    lock.publish(`postgres://round-${round}`);
    expect(await findHolder(place)).toEqual({ pid: process.pid, url: `postgres://round-${round}` });
    await lock.release();
  }
  expect(await readdir(join(place, "lock"))).toEqual([]);
  await folder.remove();
});
