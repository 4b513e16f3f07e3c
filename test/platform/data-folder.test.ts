// The data folder of the embedded database: its permissions and its socket.
import { mkdirSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { makeDataFolder } from "#test/support/docgraph-process.ts";

const folder = await makeDataFolder();
const dataDir = folder.env.DATA_DIR;
/** A folder as left by the initdb of a killed start. */
const unfinished = join(dataDir, "postgres", "data.0123abcd.new");
const onLaunch = (program: string) => void (program === "initdb" && mkdirSync(unfinished, { recursive: true }));
const server = await startEmbeddedPostgres({ dataDir, durable: false, onLaunch });
afterAll(async () => {
  await server.stop();
  await folder.remove(server.dataDir);
});

test("the data folder and the socket are accessible only to their owner", async () => {
  const socket = new URL(server.url).searchParams.get("host") ?? "";
  for (const path of [join(server.dataDir, "data"), socket]) {
    const { mode } = await stat(path);
    expect([path, (mode & 0o077).toString(8)]).toEqual([path, "0"]);
  }
  const { mode } = await stat(join(socket, ".s.PGSQL.5432"));
  expect((mode & 0o077).toString(8)).toBe("0");
});

test("a start killed while creating the data folder leaves nothing behind", async () => {
  expect((await readdir(server.dataDir)).filter((name) => name.startsWith("data"))).toEqual(["data"]);
});

test("the embedded PostgreSQL listens on no network", async () => {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query("show listen_addresses");
  await client.end();
  expect(rows).toEqual([{ listen_addresses: "" }]);
});
