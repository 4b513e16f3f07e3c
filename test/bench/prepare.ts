// Brings the benchmark's database to the current migrations and data; data made by the same files before is taken as it is.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { migrate, readMigrations } from "#src/db/migrate.ts";
import { generate, generatorFile } from "./generate.ts";

/** Fills the database at `url` when it is not yet filled by the present generate.sql and migrations. */
export async function prepareData(url: string, say: (line: string) => void): Promise<void> {
  const wanted = await fingerprint();
  if ((await storedFingerprint(url)) === wanted) return;
  say("Generating the data (about a minute, once):");
  await execute(url, "drop schema public cascade; create schema public");
  await migrate(url);
  await generate(url, say);
  await execute(
    url,
    `create extension if not exists pg_stat_statements schema public; comment on schema public is '${wanted}'`,
  );
}

async function fingerprint(): Promise<string> {
  const hash = createHash("sha256").update(await readFile(generatorFile));
  for (const { checksum } of await readMigrations()) hash.update(checksum);
  return hash.digest("hex");
}

async function storedFingerprint(url: string): Promise<string | null> {
  const [row] = await execute<{ mark: string | null }>(
    url,
    "select obj_description('public'::regnamespace, 'pg_namespace') as mark",
  );
  return row?.mark ?? null;
}

async function execute<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(text);
    return rows;
  } finally {
    await client.end();
  }
}
