// Prepares the benchmark's database with the current migrations and data; data made by the same files before is kept.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { migrate, MigrationError } from "#src/db/maintenance/migrate.ts";
import { generate, generatorFile } from "#test/bench/generate.ts";
import { query } from "#test/bench/server.ts";

/**
 * Fills the database at `url` when it is not yet filled by the present generate.sql. New migrations are applied to data
 * existing data; if that fails (a migration was edited), the data is generated again.
 */
export async function prepareData(url: string, say: (line: string) => void): Promise<void> {
  const wanted = createHash("sha256")
    .update(await readFile(generatorFile))
    .digest("hex");
  const [row] = await query<{ mark: string | null }>(
    url,
    "select obj_description('public'::regnamespace, 'pg_namespace') as mark",
  );
  if (row?.mark === wanted && (await isMigrated(url, say))) return;
  say("Generating the data (about a minute, once):");
  await query(url, "drop schema public cascade; create schema public");
  await migrate(url);
  await generate(url, say);
  await query(
    url,
    `create extension if not exists pg_stat_statements schema public; comment on schema public is '${wanted}'`,
  );
}

async function isMigrated(url: string, say: (line: string) => void): Promise<boolean> {
  try {
    await migrate(url, { log: say });
    return true;
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    say(error.message);
    return false;
  }
}
