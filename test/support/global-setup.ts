// Before all tests: one embedded PostgreSQL for the whole run, with one migrated database that the test files copy.
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startScratchPostgres } from "#src/db/embedded/scratch.ts";
import { databaseUrl } from "#src/db/embedded/start.ts";
import { migrate } from "#src/db/migrate.ts";
import { templateName } from "#test/support/test-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Any database of the server of this run. */
    serverUrl: string;
  }
}

/** vitest calls it once; what it returns is called at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startScratchPostgres();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
  await migrate(databaseUrl(server.url, templateName));
  project.provide("serverUrl", server.url);
  return () => server.stop();
}
