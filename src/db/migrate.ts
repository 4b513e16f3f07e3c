// Applies the SQL files under prisma/migrations, and records them just as Prisma does, so that `prisma migrate` agrees.
import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";

export const migrationsFolder = fileURLToPath(new URL("../../prisma/migrations", import.meta.url));

/** A migration could not be applied, or the database's record contradicts the files. The message names it. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

export interface MigrationFile {
  readonly name: string;
  readonly script: string;
  /** SHA-256 in hex, as Prisma records it. */
  readonly checksum: string;
}

/** The lock that Prisma's own engine takes, so that the two never run together. */
const migrationLock = 72707369;

const recordTable = `
  CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    id varchar(36) PRIMARY KEY NOT NULL,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`;

/**
 * Brings the database at `url` up to date, in the order of the names. Each file runs whole in one transaction: a broken
 * one leaves nothing behind and stops the run ({@link MigrationError}). Any number of processes may call this at once;
 * one works, the others wait.
 */
export async function migrate(
  url: string,
  options: { log?: (message: string) => void; folder?: string } = {},
): Promise<{ applied: string[] }> {
  const files = await readMigrations(options.folder);
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {}); // the statement during which it is lost fails
  await client.connect();
  try {
    await lock(client, options.log);
    await client.query(recordTable);
    const pending = unapplied(files, await readRecords(client));
    for (const file of pending) {
      await apply(client, file);
      options.log?.(`applied migration ${file.name}`);
    }
    return { applied: pending.map((file) => file.name) };
  } finally {
    await client.end(); // gives the lock back, too
  }
}

/** Names of the migrations that the database still lacks; empty when it is ready. Reads only. */
export async function pendingMigrations(pool: pg.Pool, folder?: string): Promise<string[]> {
  const files = await readMigrations(folder);
  const { rows } = await pool.query<{ known: boolean }>(
    `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS known`,
  );
  if (!rows[0]?.known) return files.map((file) => file.name);
  return unapplied(files, await readRecords(pool)).map((file) => file.name);
}

/** The migrations on disk, oldest first. */
export async function readMigrations(folder: string = migrationsFolder): Promise<MigrationFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const bytes = await readFile(join(folder, name, "migration.sql"));
      return { name, script: bytes.toString("utf8"), checksum: createHash("sha256").update(bytes).digest("hex") };
    }),
  );
}

async function lock(client: pg.Client, log: ((message: string) => void) | undefined): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [migrationLock]);
  if (rows[0]?.taken) return;
  log?.("waiting for the migrations of another process");
  await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
}

interface MigrationRecord {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

async function readRecords(client: pg.Client | pg.Pool): Promise<Map<string, MigrationRecord>> {
  const { rows } = await client.query<MigrationRecord>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  );
  return new Map(rows.map((record) => [record.name, record]));
}

/** Records without a file are left alone: a newer docgraph may have migrated a database that this one still shares. */
function unapplied(files: MigrationFile[], records: ReadonlyMap<string, MigrationRecord>): MigrationFile[] {
  return files.filter((file) => {
    const record = records.get(file.name);
    if (!record) return true;
    if (!record.finished) {
      throw new MigrationError(
        `migration ${file.name} was begun by another tool and failed; repair it with that tool first`,
      );
    }
    if (record.checksum !== file.checksum) {
      throw new MigrationError(
        `migration ${file.name} was edited after this database had applied it; write a new migration instead`,
      );
    }
    return false;
  });
}

/** Would end the runner's own transaction early, and leave half of a file behind. */
const transactionCommand = /^\s*(begin|start\s+transaction|commit|rollback)\s*;/im;

async function apply(client: pg.Client, file: MigrationFile): Promise<void> {
  if (transactionCommand.test(file.script)) {
    throw new MigrationError(
      `migration ${file.name} must not begin or end a transaction: it already runs whole in one`,
    );
  }
  try {
    await client.query("BEGIN");
    const startedAt = new Date();
    await client.query(file.script);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
      [randomUUID(), file.checksum, file.name, startedAt],
    );
    await client.query("COMMIT");
  } catch (error) {
    // The connection may be gone; then the server has rolled back by itself.
    await client.query("ROLLBACK").catch(() => {});
    throw new MigrationError(`migration ${file.name} failed${lineOf(error, file.script)}: ${String(error)}`, {
      cause: error,
    });
  }
}

function lineOf(error: unknown, script: string): string {
  if (!(error instanceof pg.DatabaseError) || !error.position) return "";
  return ` at line ${script.slice(0, Number(error.position)).split("\n").length}`;
}
