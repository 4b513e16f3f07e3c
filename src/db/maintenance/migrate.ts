// Applies the SQL files under prisma/migrations, and records them exactly as Prisma does, for `prisma migrate`.
import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { DatabaseClient } from "#src/db/connection/client.ts";
import { type Queries, sql } from "#src/db/connection/database.ts";
import { describeRoleChanges, keepRoles, mayChangeRows } from "#src/db/maintenance/raised-roles.ts";
import { sessionName } from "#src/db/connection/writer-lock.ts";

export const migrationsFolder = fileURLToPath(new URL("../../../prisma/migrations", import.meta.url));

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

/** The lock that Prisma's own engine takes, so that the two never run concurrently. */
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

/** How long a migration waits for a lock, while requests wait behind it; how often, and the pauses between. */
const lockLimits = { waitMs: 300, tries: 310, restMs: 1_000 };

export interface MigrateOptions {
  readonly log?: (message: string) => void;
  readonly folder?: string;
  /** The applied ones, by name; all if absent. */
  readonly only?: (name: string) => boolean;
  readonly locks?: Partial<typeof lockLimits>;
  /** Whether a database that has tables of other software is migrated; by default it is not. */
  readonly isShared?: boolean;
}

/**
 * Migrates the database at `url`. Each file runs in one transaction, except those that begin with {@link loneMark}. Of
 * several processes one works, and the others wait; without pending files nothing is written. Throws
 * {@link MigrationError} for a file that fails, and for a database that other software uses.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const { only = () => true } = options;
  const files = (await readMigrations(options.folder)).filter(({ name }) => only(name));
  const client = new DatabaseClient({ connectionString: url, ...sessionName });
  await client.connect();
  try {
    if (unapplied(files, await readRecords(queriesOn(client))).length === 0) return { applied: [] };
    await lock(client, options.log);
    const records = await readRecords(queriesOn(client));
    if (!options.isShared && !files.some(({ name }) => records.has(name))) await requireNoOthers(client);
    await client.query(recordTable);
    const pending = unapplied(files, records);
    const isUpgrade = pending.length < files.length && pending.some(({ script }) => mayChangeRows(script));
    if (isUpgrade) await keepRoles(client);
    for (const file of pending) {
      await apply(client, file, options);
      options.log?.(`applied migration ${file.name}`);
    }
    if (isUpgrade) for (const change of await describeRoleChanges(client)) options.log?.(change);
    return { applied: pending.map((file) => file.name) };
  } finally {
    await client.end(); // releases the lock, too
  }
}

function queriesOn(client: pg.Client): Queries {
  return {
    query: async <Row extends object>({ text, values }: { text: string; values: unknown[] }) =>
      (await client.query<Row>(text, values)).rows,
  };
}

/** Names of the migrations that the database still lacks; empty if it is up to date. Only reads. */
export async function pendingMigrations(database: Queries, folder?: string): Promise<string[]> {
  const files = await readMigrations(folder);
  return unapplied(files, await readRecords(database)).map((file) => file.name);
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

/** Polls: a waiting statement would block CREATE INDEX CONCURRENTLY of the process that has the lock. */
async function lock(client: pg.Client, log: MigrateOptions["log"]): Promise<void> {
  for (let isTold = false; ; isTold = true) {
    const take = `SELECT pg_try_advisory_lock(${migrationLock}) AS taken`;
    const { rows } = await client.query<{ taken: boolean }>(take);
    if (rows[0]?.taken) return;
    if (!isTold) log?.("waiting for the migrations of another process");
    await sleep(100);
  }
}

/** Throws {@link MigrationError} for a database that has tables, except those of extensions. */
async function requireNoOthers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     ORDER BY c.relname LIMIT 4`,
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }, index) => (index < 3 ? `"${name}"` : "more"));
  throw new MigrationError(
    `the database has tables that do not belong to docgraph (${names.join(", ")}): ` +
      "give docgraph a database of its own, for example with 'createdb docgraph', or add --yes to create its tables beside them",
  );
}

type MigrationRecord = Pick<MigrationFile, "name" | "checksum"> & { readonly finished: boolean };

async function readRecords(database: Queries): Promise<Map<string, MigrationRecord>> {
  const [table] = await database.query<{ isThere: boolean }>(
    sql`SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS "isThere"`,
  );
  if (!table?.isThere) return new Map();
  const records = await database.query<MigrationRecord>(
    sql`SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  );
  return new Map(records.map((record) => [record.name, record]));
}

/** The first and the last of the migrations before 1.0, which its initial one replaces. */
export const former = {
  first: "20261120200000_initial",
  last: "20261126142340_limits_of_emails_and_organizations",
} as const;

/** The files that a database lacks; records without a file are of a newer docgraph. Throws for one from before 1.0. */
function unapplied(files: MigrationFile[], records: ReadonlyMap<string, MigrationRecord>): MigrationFile[] {
  if (records.has(former.first)) {
    throw new MigrationError(
      "the database was made by a docgraph before 1.0, and this version cannot migrate it: make an archive of it " +
        "with the last version before 1.0 ('npm run backup') and restore that with this one ('npm run restore') into a " +
        "new database, or start on a new one (another DATABASE_URL or DATA_DIR)",
    );
  }
  return files.filter((file) => {
    const record = records.get(file.name);
    if (!record) return true;
    const failed = "was started by another tool and failed; repair it with that tool first";
    const edited = "was edited after this database had applied it; write a new migration instead";
    if (!record.finished) throw new MigrationError(`migration ${file.name} ${failed}`);
    if (record.checksum !== file.checksum) throw new MigrationError(`migration ${file.name} ${edited}`);
    return false;
  });
}

/** Would end the runner's own transaction early, and leave a file half applied. */
const transactionCommand = /^\s*(begin|start\s+transaction|commit|rollback)\s*;/im;

/** The first line of a file whose statements cannot run in a transaction: each runs alone, and may be run again. */
export const loneMark = "-- without a transaction\n";

async function apply(client: pg.Client, file: MigrationFile, { log, locks }: MigrateOptions): Promise<void> {
  const whole = "must not begin or end a transaction: the whole file already runs in one";
  if (transactionCommand.test(withoutBodies(file.script))) throw new MigrationError(`migration ${file.name} ${whole}`);
  const { waitMs, tries, restMs } = { ...lockLimits, ...locks };
  for (let left = tries - 1; ; left--) {
    try {
      if (file.script.startsWith(loneMark)) return await runAlone(client, file);
      return await runInTransaction(client, file, waitMs);
    } catch (error) {
      // The connection may be lost; then the server has rolled back by itself.
      await client.query("ROLLBACK").catch(() => {});
      const message = `migration ${file.name} failed${lineOf(error, file.script)}: ${String(error)}`;
      if (left === 0 || !isLockTimeOut(error)) throw new MigrationError(message, { cause: error });
    }
    log?.(`migration ${file.name} waits for a lock that another session has; it tries again`);
    await sleep(restMs);
  }
}

/** Whether a lock was not available in time (lock_not_available). */
const isLockTimeOut = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "55P03";

async function runInTransaction(client: pg.Client, file: MigrationFile, lockMs: number): Promise<void> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockMs}`);
  await client.query(file.script);
  await client.query(`${recordOf(file)}; COMMIT`);
}

/** First removes the rest of an interrupted run: an index that is not valid. */
async function runAlone(client: pg.Client, file: MigrationFile): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid`,
  );
  for (const { name } of rows) if (file.script.includes(name)) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
  // By the database's clock, as for other files.
  const { rows: clock } = await client.query<{ now: string }>("SELECT clock_timestamp()::text AS now");
  for (const { statement, at } of statementsIn(file.script))
    await client.query(statement).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && error.position) error.position = String(Number(error.position) + at);
      throw error;
    });
  await client.query(recordOf(file, clock[0]?.now));
}

/** The script with the bodies of functions and blocks blank, in as many characters. */
export const withoutBodies = (script: string): string =>
  script.replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, (body) => body.replaceAll(/[^\n]/g, " "));

/** The statements of a file without a transaction, each with its semicolon at the end of a line. */
function statementsIn(script: string): { statement: string; at: number }[] {
  let end = 0;
  const texts = withoutBodies(script)
    .split(/(?<=;[ \t]*\n)/)
    .map(({ length }) => script.slice(end, (end += length)));
  const starts = texts.map((_, index) => texts.slice(0, index).join("").length);
  return texts
    .map((statement, index) => ({ statement, at: starts[index] ?? 0 }))
    .filter(({ statement }) => statement.trim() !== "");
}

/** The statement that records a file as applied; in its own transaction `begun` may be omitted. */
function recordOf({ name, checksum }: MigrationFile, begun?: string): string {
  const [id, hash, file] = [randomUUID(), checksum, name].map((text) => pg.escapeLiteral(text));
  const startedAt = begun ? pg.escapeLiteral(begun) : "now()";
  return `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
    VALUES (${id}, ${hash}, ${file}, ${startedAt}, clock_timestamp(), 1)`;
}

function lineOf(error: unknown, script: string): string {
  if (!(error instanceof pg.DatabaseError) || !error.position) return "";
  return ` at line ${script.slice(0, Number(error.position)).split("\n").length}`;
}
