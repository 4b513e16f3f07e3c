// Migrations while gateways serve: what locks a table for long is refused, and those since the last release lock no
// table whose rows they read or write.
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lockFaults, separateOnline } from "#src/cli/database/online-migration.ts";
import { loneMark, migrate, type MigrationFile, readMigrations } from "#src/db/maintenance/migrate.ts";
import { compileCache, startDocgraph } from "#test/support/docgraph-process.ts";
import { fillTables } from "#test/support/filled-tables.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";

const lone = (sql: string) => `${loneMark}${sql}`;

test.each<[statement: string, script: string, remedy: RegExp | null]>([
  ["a nullable column", `ALTER TABLE "Comment" ADD COLUMN "a" TEXT;`, null],
  ["a constant default", `ALTER TABLE "Comment" ADD COLUMN "a" INTEGER NOT NULL DEFAULT 0;`, null],
  [
    "a default per row",
    `ALTER TABLE "Comment" ADD COLUMN "a" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp();`,
    /rewrites/,
  ],
  ["a required column", `ALTER TABLE "Comment" ADD COLUMN "a" TEXT NOT NULL;`, /constant default/],
  ["a serial", `ALTER TABLE "Comment" ADD COLUMN "a" BIGSERIAL;`, /sequence/],
  ["a generated column", `ALTER TABLE "Comment" ADD COLUMN "a" INTEGER GENERATED ALWAYS AS (1) STORED;`, /rewrites/],
  ["SET NOT NULL", `ALTER TABLE "Comment" ALTER COLUMN "a" SET NOT NULL;`, /NOT VALID/],
  ["a type", `ALTER TABLE "Comment" ALTER COLUMN "a" SET DATA TYPE BIGINT;`, /rewrites/],
  ["a check", `ALTER TABLE "Comment" ADD CONSTRAINT "c" CHECK ("a" > 0);`, /NOT VALID/],
  ["a check that is not valid", `ALTER TABLE "Comment" ADD CONSTRAINT "c" CHECK ("a" > 0) NOT VALID;`, null],
  ["a foreign key", `ALTER TABLE "Comment" ADD CONSTRAINT "f" FOREIGN KEY ("a") REFERENCES "Space"("id");`, /VALIDATE/],
  ["a unique rule", `ALTER TABLE "Comment" ADD CONSTRAINT "u" UNIQUE ("a");`, /CONCURRENTLY/],
  ["an index", `CREATE INDEX "i" ON "Comment"("a");`, /CONCURRENTLY/],
  ["an index within a transaction", `CREATE INDEX CONCURRENTLY "i" ON "Comment"("a");`, /begins with/],
  ["an index beside writers", lone(`CREATE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "Comment"("a");`), null],
  ["an index that goes", `DROP INDEX "i";`, /CONCURRENTLY/],
  ["an index of a new table", `CREATE TABLE "New" ("id" TEXT NOT NULL);\nCREATE INDEX "i" ON "New"("id");`, null],
  ["a name", `ALTER TABLE "Comment" RENAME COLUMN "a" TO "b";`, /previous release/],
  ["all rows", `ALTER TABLE "Comment" ADD COLUMN "a" TEXT;\nUPDATE "Comment" SET "a" = '';`, /until all rows/],
  ["rows of another table", `ALTER TABLE "Comment" ADD COLUMN "a" TEXT;\nDELETE FROM "Space";`, /until all rows/],
  [
    "some rows before the lock",
    `UPDATE "Comment" SET "a" = '' WHERE "id" = 'c';\nALTER TABLE "Comment" ADD COLUMN "b" TEXT;`,
    null,
  ],
  ["all rows before the lock", `DELETE FROM "Comment";\nALTER TABLE "Comment" ADD COLUMN "b" TEXT;`, /Each row/],
  ["all rows without a lock", `UPDATE "Comment" SET "a" = '';`, /Each row/],
  ["all rows by a query of some", `UPDATE "Comment" SET "a" = (SELECT 1 FROM "Space" WHERE "id" = '');`, /Each row/],
  ["all rows as a part", `WITH d AS (DELETE FROM "Comment" RETURNING id) SELECT FROM d WHERE true;`, /Each row/],
  ["all rows of a statement that runs alone", lone(`UPDATE "Comment" SET "a" = '';`), /Each row/],
  ["some rows of a statement that runs alone", lone(`DELETE FROM "Comment" WHERE "id" = 'c';`), null],
  ["a serial of a statement that runs alone", lone(`ALTER TABLE "Comment" ADD COLUMN "a" BIGSERIAL;`), /sequence/],
  ["a lock of rows", `WITH a AS (SELECT 1) SELECT FROM "Comment" WHERE false FOR UPDATE;`, null],
  ["a row that may exist", `WITH a AS (SELECT 1) INSERT INTO "Mark" SELECT 1 ON CONFLICT DO UPDATE SET "a" = 1;`, null],
  [
    "rows of a new table",
    `CREATE TABLE "New" ("id" TEXT);\nALTER TABLE "Space" ADD COLUMN "a" TEXT;\nUPDATE "New" SET "id" = '';`,
    null,
  ],
  ["one row", `ALTER TABLE "Comment" ADD COLUMN "a" TEXT;\nINSERT INTO "Mark" VALUES (1);`, null],
  [
    "a function that writes",
    `ALTER TABLE "Comment" ADD COLUMN "a" TEXT;\nCREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE "Comment" SET "a" = ''; $$;`,
    null,
  ],
])("%s", (_, script, remedy) => {
  const remedies = lockFaults(script).map((fault) => fault.remedy);
  if (remedy) expect(remedies.join("\n")).toMatch(remedy);
  else expect(remedies).toEqual([]);
});

test("npm run migration -- --check refuses a migration that locks a table for long, and says what to write", async () => {
  const root = await mkdtemp(join(tmpdir(), "docgraph-migration-check-"));
  const project = fileURLToPath(new URL("../..", import.meta.url));
  for (const name of ["src", "prisma", "package.json"])
    await cp(join(project, name), join(root, name), { recursive: true });
  await symlink(join(project, "node_modules"), join(root, "node_modules"));
  const check = async () => {
    const npm = startDocgraph({
      command: ["npm", "run", "-s", "migration", "--", "--check"],
      cwd: root,
      env: compileCache,
    });
    return { code: await npm.ended, output: npm.output() };
  };
  expect(await check()).toEqual({ code: 0, output: `${pending.length} migrations lock no table for long.\n` });
  const name = "99991231235959_faulty";
  await mkdir(join(root, "prisma/migrations", name));
  await writeFile(
    join(root, "prisma/migrations", name, "migration.sql"),
    `-- why\nUPDATE "Comment" SET "body" = '';\n`,
  );
  const { code, output } = await check();
  await rm(root, { recursive: true });
  expect(code).not.toBe(0);
  expect(output).toContain(`these statements lock tables for long:
${name}, line 2: UPDATE "Comment" SET "body" = '';
  Each row stays locked until all rows are written: fill it in batches by a job`);
});

test("indexes and foreign keys of existing tables are separated from what Prisma writes", () => {
  const of = `-- CreateTable
CREATE TABLE "New" ("id" TEXT NOT NULL);

-- CreateIndex
CREATE INDEX "New_idx" ON "New"("id");

-- CreateIndex
CREATE UNIQUE INDEX "Comment_a_key" ON "Comment"("a");

-- DropIndex
DROP INDEX "Comment_b_idx";

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_a_fkey" FOREIGN KEY ("a") REFERENCES "New"("id") ON DELETE CASCADE;
`;
  const { script, after } = separateOnline(of);
  expect(script).toBe(`-- CreateTable
CREATE TABLE "New" ("id" TEXT NOT NULL);

-- CreateIndex
CREATE INDEX "New_idx" ON "New"("id");

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_a_fkey" FOREIGN KEY ("a") REFERENCES "New"("id") ON DELETE CASCADE NOT VALID;
`);
  expect(after).toBe(
    lone(`CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "Comment_a_key" ON "Comment"("a");
DROP INDEX CONCURRENTLY IF EXISTS "Comment_b_idx";
ALTER TABLE "Comment" VALIDATE CONSTRAINT "Comment_a_fkey";
`),
  );
  expect([lockFaults(script), lockFaults(after)]).toEqual([[], []]);
});

let database: TestDatabase;
let client: pg.Client;
let pending: readonly MigrationFile[];
beforeAll(async () => {
  const [initial, ...later] = await readMigrations();
  pending = later;
  database = await createTestDatabase({ empty: true });
  await migrate(database.url, { only: (name) => name === initial?.name });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await fillTables(pool, { count: 50, except: ["IntegrationFeed", "OutboxSegment", "OutboxTrim"], values: {} });
  await pool.end();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Tables that the transaction has locked against others, with the rows that it read and wrote, and its files. */
const lockedTables = `select c.relname as name, pg_relation_filenode(c.oid)::int as file,
    (s.seq_tup_read + s.idx_tup_fetch + s.n_tup_ins + s.n_tup_upd + s.n_tup_del)::int as rows
  from pg_locks l join pg_class c on c.oid = l.relation join pg_stat_xact_user_tables s on s.relid = c.oid
  where l.pid = pg_backend_pid() and c.relkind = 'r' and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`;

test("no migration since the release reads, writes or rewrites rows of a table that it locks", async () => {
  const files = "select relname as name, pg_relation_filenode(oid)::int as file from pg_class where relkind = 'r'";
  for (const { name, script } of pending) {
    expect([name, lockFaults(script)]).toEqual([name, []]);
    if (script.startsWith(loneMark)) {
      await migrate(database.url, { only: (one) => one <= name });
      continue;
    }
    const { rows: before } = await client.query<{ name: string; file: number }>(files);
    const known = new Map(before.map((table) => [table.name, table.file]));
    await client.query("begin");
    await client.query(script);
    const { rows } = await client.query<{ name: string; file: number; rows: number }>(lockedTables);
    const slow = rows.filter(
      (table) => known.has(table.name) && (table.rows > 0 || known.get(table.name) !== table.file),
    );
    await client.query("rollback");
    expect([name, slow]).toEqual([name, []]);
    await migrate(database.url, { only: (one) => one <= name });
  }
});

test("spaces from before their change requests and comments were counted have the numbers of these", async () => {
  await migrate(database.url);
  const { rows } = await client.query(
    `select "changeRequests", "openChangeRequests", "draftChangeRequests", "openComments", count(*)::int as spaces
      from "SpaceCount" group by 1, 2, 3, 4`,
  );
  // Each of the filled ones has a draft and an open comment.
  expect(rows).toEqual([
    { changeRequests: 1, openChangeRequests: 0, draftChangeRequests: 1, openComments: 1, spaces: 50 },
  ]);
});
