// Brings the benchmark's database to the current migrations and data; data made by the same files before is taken as it is.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { migrate, readMigrations } from "#src/db/migrate.ts";
import { generate, generatorFile } from "./generate.ts";
import { query } from "./server.ts";

/** Fills the database at `url` when it is not yet filled by the present generate.sql and migrations. */
export async function prepareData(url: string, say: (line: string) => void): Promise<void> {
  const wanted = await fingerprint();
  if ((await storedFingerprint(url)) === wanted) return;
  say("Generating the data (about a minute, once):");
  await query(url, "drop schema public cascade; create schema public");
  await migrate(url);
  await generate(url, say);
  await query(
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
  const [row] = await query<{ mark: string | null }>(
    url,
    "select obj_description('public'::regnamespace, 'pg_namespace') as mark",
  );
  return row?.mark ?? null;
}
