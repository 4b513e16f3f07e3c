// Migrations: applied once for all processes, atomically, and in agreement with the models.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compareWithModels, isByteOrdered, withByteOrder } from "#src/cli/database/schema-engine.ts";
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { migrate, pendingMigrations, readMigrations } from "#src/db/maintenance/migrate.ts";
import { lockHolder } from "#test/support/locks.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";

let database: TestDatabase;
let opened: Database;
let pool: pg.Pool;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  opened = openDatabase({ url: database.url, wires: false });
  pool = opened.pool;
  folder = await mkdtemp(join(tmpdir(), "docgraph-migrations-"));
});

afterEach(async () => {
  await opened.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function write(name: string, script: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, "migration.sql"), script);
}

async function tables(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '\\_prisma%' ORDER BY 1",
  );
  return rows.map((row) => row.name);
}

test("the migrations produce the schema of the models", async () => {
  const logged: string[] = [];
  const { applied } = await migrate(database.url, { log: (line) => void logged.push(line) });
  expect(logged).toEqual(applied.map((name) => `applied migration ${name}`));
  expect(await compareWithModels(database.url)).toEqual({ agrees: true, script: "" });
});

test("ids, positions and hashes have the collation C in every table", async () => {
  await migrate(database.url);
  const { rows } = await pool.query<{ place: string; column: string; collation: string | null }>(
    `SELECT table_name || '.' || column_name AS place, column_name AS column, collation_name AS collation
       FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name NOT LIKE '\\_prisma%' AND (data_type = 'text' OR udt_name = '_text')`,
  );
  const ordered = rows.filter(({ column }) => isByteOrdered(column));
  expect(ordered.length).toBeGreaterThan(80);
  expect(ordered.filter(({ collation }) => collation !== "C").map(({ place }) => place)).toEqual([]);
});

test("a new migration declares how it may run", () => {
  const script = `CREATE TABLE "Mark" (
    "id" TEXT NOT NULL,
    "spaceId" TEXT,
    "parents" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "title" TEXT NOT NULL,
    CONSTRAINT "Mark_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "Page" ADD COLUMN     "textHash" TEXT COLLATE "C",
ALTER COLUMN "position" SET DATA TYPE TEXT;`;
  expect(withByteOrder(script)).toBe(`CREATE TABLE "Mark" (
    "id" TEXT COLLATE "C" NOT NULL,
    "spaceId" TEXT COLLATE "C",
    "parents" TEXT[] COLLATE "C" DEFAULT ARRAY[]::TEXT[],
    "title" TEXT NOT NULL,
    CONSTRAINT "Mark_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "Page" ADD COLUMN     "textHash" TEXT COLLATE "C",
ALTER COLUMN "position" SET DATA TYPE TEXT COLLATE "C";`);
});

test("reports a difference from the models as SQL", async () => {
  await migrate(database.url);
  await pool.query(`ALTER TABLE "User" DROP COLUMN "email"`);
  const difference = await compareWithModels(database.url);
  expect(difference.agrees).toBe(false);
  expect(difference.script).toContain(`ALTER TABLE "User" ADD COLUMN     "email"`);
});

test("several processes that start at once apply each migration once", async () => {
  const files = await readMigrations();
  const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url)));
  expect(runs.flatMap((run) => run.applied)).toEqual(files.map((file) => file.name));
  const { rows } = await pool.query(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, applied_steps_count AS steps
       FROM "_prisma_migrations" ORDER BY 1`,
  );
  expect(rows).toEqual(files.map(({ name, checksum }) => ({ name, checksum, finished: true, steps: 1 })));
});

test("pending migrations are listed before, during and after a run", async () => {
  await write("1_first", "CREATE TABLE first (id int);");
  expect(await pendingMigrations(opened, folder)).toEqual(["1_first"]);
  await migrate(database.url, { folder });
  expect(await pendingMigrations(opened, folder)).toEqual([]);
  await write("2_second", "CREATE TABLE second (id int);");
  expect(await pendingMigrations(opened, folder)).toEqual(["2_second"]);
});

test("a broken migration is reported with its line and rolled back; once fixed, it runs", async () => {
  await write("1_good", "CREATE TABLE good (id int);");
  await write("2_broken", "CREATE TABLE half (id int);\nINSERT INTO half VALUES (1);\nSELECT nonsense FROM half;");
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    /2_broken failed at line 3: .*"nonsense" does not exist/,
  );
  expect(await tables()).toEqual(["good"]);
  expect(await pendingMigrations(opened, folder)).toEqual(["2_broken"]);
  await write("2_broken", "CREATE TABLE whole (id int);");
  expect(await migrate(database.url, { folder })).toEqual({ applied: ["2_broken"] });
  expect(await tables()).toEqual(["good", "whole"]);
});

test("splits no functions and strings at semicolons", async () => {
  await write(
    "1_function",
    "CREATE FUNCTION two() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM ';'; RETURN 2; END; $$;\nCREATE TABLE used AS SELECT two();",
  );
  await migrate(database.url, { folder });
  expect(await tables()).toEqual(["used"]);
});

test("a migration may not end the runner's transaction", async () => {
  await write("1_first", "CREATE TABLE first (id int);");
  await write("2_early", "CREATE TABLE early (id int);\nCOMMIT;\nSELECT nonsense;");
  await expect(migrate(database.url, { folder })).rejects.toThrow("2_early must not begin or end a transaction");
  expect(await tables()).toEqual(["first"]);
});

test("a new database runs all migrations in order, also non-transactional ones, and records each", async () => {
  await write("1_first", "CREATE TABLE first AS SELECT 1 AS id -- without a semicolon");
  await write("2_index", "-- without a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS first_id ON first (id);");
  await write("3_last", "ALTER INDEX first_id RENAME TO first_index;");
  const names = ["1_first", "2_index", "3_last"];
  expect(await migrate(database.url, { folder })).toEqual({ applied: names });
  const { rows } = await pool.query<{ name: string; isTimed: boolean }>(
    `SELECT migration_name AS name, started_at <= finished_at AS "isTimed" FROM "_prisma_migrations" ORDER BY started_at, 1`,
  );
  expect(rows).toEqual(names.map((name) => ({ name, isTimed: true })));
});

test("a lost connection during the first migrations is reported, and the next run continues", async () => {
  await write("1_first", "CREATE TABLE first (id int);");
  await write("2_lost", "SELECT pg_terminate_backend(pg_backend_pid());");
  await expect(migrate(database.url, { folder })).rejects.toThrow("terminating connection");
  expect(await pendingMigrations(opened, folder)).toEqual(["2_lost"]);
  await write("2_lost", "CREATE TABLE second (id int);");
  expect(await migrate(database.url, { folder })).toEqual({ applied: ["2_lost"] });
});

test("refuses an edited migration and one left unfinished by another tool", async () => {
  await write("1_first", "CREATE TABLE first (id int);");
  await migrate(database.url, { folder });
  await write("1_first", "CREATE TABLE first (id bigint);");
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    "1_first was edited after this database had applied it",
  );
  await pool.query(`UPDATE "_prisma_migrations" SET finished_at = NULL`);
  await expect(migrate(database.url, { folder })).rejects.toThrow("1_first was started by another tool and failed");
});

test("an older docgraph accepts migrations of a newer one", async () => {
  await write("1_first", "CREATE TABLE first (id int);");
  await write("2_newer", "CREATE TABLE newer (id int);");
  await migrate(database.url, { folder });
  await rm(join(folder, "2_newer"), { recursive: true });
  expect(await migrate(database.url, { folder })).toEqual({ applied: [] });
});

test("says how many roles an upgrade raises and lowers, and nothing if it keeps them", async () => {
  await write(
    "1_first",
    `CREATE TYPE "Role" AS ENUM ('read', 'comment', 'edit');
     CREATE TABLE "Grant" (space text, holder int, role "Role", PRIMARY KEY (space, holder));
     INSERT INTO "Grant" SELECT 'a', n, 'comment' FROM generate_series(1, 9) n;
     INSERT INTO "Grant" VALUES ('b', 1, NULL);`,
  );
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  await migrate(database.url, { folder, log });
  await write("2_kept", `INSERT INTO "Grant" VALUES ('c', 1, 'edit'); UPDATE "Grant" SET role = role;`);
  await migrate(database.url, { folder, log });
  expect(lines).toEqual(["applied migration 1_first", "applied migration 2_kept"]);
  await write(
    "3_changed",
    `UPDATE "Grant" SET role = 'edit' WHERE holder < 4; UPDATE "Grant" SET role = 'read' WHERE holder = 8;
     UPDATE "Grant" SET role = NULL WHERE holder = 9;`,
  );
  await migrate(database.url, { folder, log });
  expect(lines.slice(2)).toEqual([
    "applied migration 3_changed",
    "the migrations have raised 4 and lowered 2 roles in Grant.role: review who has access",
  ]);
});

test("a migration waiting for a lock does not block others, and retries until it has it", async () => {
  await write("1_first", "CREATE TABLE first (id int);");
  await migrate(database.url, { folder });
  await write("2_altered", "ALTER TABLE first ADD COLUMN name text;");
  await using holder = await lockHolder(database.url);
  await holder.hold("SELECT FROM first");
  const told = new Set<string>();
  const second = Promise.withResolvers<void>();
  const log = (line: string): void => {
    told.add(line);
    second.resolve();
  };
  const run = migrate(database.url, { folder, log, locks: { waitMs: 20, restMs: 1, tries: 1_000 } });
  await second.promise;
  expect((await pool.query("SELECT FROM first")).rowCount).toBe(0);
  await holder.release();
  expect(await run).toEqual({ applied: ["2_altered"] });
  expect([...told]).toEqual([
    "migration 2_altered waits for a lock that another session has; it tries again",
    "applied migration 2_altered",
  ]);
});

test("a migration waits 0.3 seconds for each lock: requests wait behind it", async () => {
  await write("1_first", "CREATE TABLE first AS SELECT current_setting('lock_timeout') AS wait;");
  await migrate(database.url, { folder });
  expect((await pool.query(`SELECT wait FROM first`)).rows).toEqual([{ wait: "300ms" }]);
});

test("a migration that never gets its lock fails and leaves nothing behind", async () => {
  await write("1_first", "CREATE TABLE first (id int);");
  await migrate(database.url, { folder });
  await write("2_altered", "ALTER TABLE first ADD COLUMN name text;");
  await using holder = await lockHolder(database.url);
  await holder.hold("SELECT FROM first");
  const run = migrate(database.url, { folder, locks: { waitMs: 1, restMs: 1, tries: 2 } });
  await expect(run).rejects.toThrow("2_altered failed: error: canceling statement due to lock timeout");
  expect(await pendingMigrations(opened, folder)).toEqual(["2_altered"]);
});

test("creates an index concurrently with writers, also after a failed attempt", async () => {
  await write("1_first", "CREATE TABLE first AS SELECT 1 AS id FROM generate_series(1, 2);");
  const index = "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS first_id ON first (id);";
  await write("2_index", `-- without a transaction\n${index}`);
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    "2_index failed: error: could not create unique index",
  );
  await pool.query("DELETE FROM first");
  expect(await migrate(database.url, { folder })).toEqual({ applied: ["2_index"] });
  const { rows } = await pool.query("SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'first_id'::regclass");
  expect(rows).toEqual([{ valid: true }]);
});

test("writes nothing if no migration is pending, so that a read-only database works", async () => {
  await write("1_first", "CREATE TABLE first (id int);");
  await migrate(database.url, { folder });
  await pool.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = on`);
  expect(await migrate(database.url, { folder })).toEqual({ applied: [] });
});
