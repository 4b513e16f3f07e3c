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
  await onServer((server) => server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`));
  return { url: databaseUrl(inject("serverUrl"), name), drop: () => onServer((server) => drop(server, name)) };
}

/**
 * Sessions that were just closed need a moment to end; cut off before, they would raise an error that nobody awaits.
 */
async function drop(server: pg.Client, name: string): Promise<void> {
  const sessions = () => server.query("SELECT FROM pg_stat_activity WHERE datname = $1", [name]);
  for (let patience = 100; patience > 0 && (await sessions()).rowCount !== 0; patience--) await sleep(10);
  await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function onServer(work: (server: pg.Client) => Promise<unknown>): Promise<void> {
  const server = new pg.Client({ connectionString: inject("serverUrl") });
  await server.connect();
  try {
    await work(server);
  } finally {
    await server.end();
  }
}
