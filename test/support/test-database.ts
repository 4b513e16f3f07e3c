// A database for one test file: a copy of the migrated template, so that files run beside each other and see nothing of
// one another.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";
import { databaseUrl } from "#src/db/embedded/start.ts";

export const templateName = "docgraph_template";

export interface TestDatabase {
  readonly url: string;
  /** Removes the database, ending the sessions that are still on it. */
  drop(): Promise<void>;
}

/**
 * Copies the migrated, empty template, file by file: half the work of copying it through the write-ahead log.
 * `{ empty: true }` gives one without any table, for tests of the migrations.
 */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const template = options.empty ? "template1" : templateName;
  const server = await serverOfWorker();
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return { url: databaseUrl(inject("serverUrl"), name), drop: () => drop(server, name) };
}

/**
 * Sessions that were just closed need a moment to end; cut off before, they would raise an error that nobody awaits.
 */
async function drop(server: pg.Client, name: string): Promise<void> {
  const sessions = () => server.query("SELECT FROM pg_stat_activity WHERE datname = $1", [name]);
  for (let patience = 1_000; patience > 0 && (await sessions()).rowCount !== 0; patience--) await sleep(10);
  await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

let connected: Promise<pg.Client> | undefined;

/** The connection on which a worker makes and removes its databases, open as long as the worker runs. */
const serverOfWorker = (): Promise<pg.Client> => (connected ??= connect());

async function connect(): Promise<pg.Client> {
  const server = new pg.Client({ connectionString: inject("serverUrl") });
  server.on("error", () => {}); // the next statement says what is wrong
  await server.connect();
  (server as pg.Client & { unref(): void }).unref(); // left out of its types; it keeps no worker from ending
  // Where PostgreSQL can, it has the kernel copy the files: half the work again.
  await server.query(`
    SELECT set_config(name, 'clone', false) FROM pg_settings WHERE name = 'file_copy_method' AND 'clone' = ANY (enumvals)`);
  return server;
}
