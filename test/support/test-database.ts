// A database for one test file: a copy of the migrated template, so that files run beside each other and see nothing of one another.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { databaseUrl } from "#src/db/embedded/start.ts";

export const templateName = "docgraph_template";

export interface TestDatabase {
  readonly url: string;
  /** Removes the database, ending the sessions that are still on it. */
  drop(): Promise<void>;
}

/** Copies the migrated, empty template (some 50 ms). `{ empty: true }` gives one without any table, for tests of the migrations. */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${options.empty ? "template1" : templateName}`);
  return {
    url: databaseUrl(inject("serverUrl"), name),
    drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("serverUrl") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
