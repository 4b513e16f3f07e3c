// A backup made under concurrent writes and restored on another cluster: all rows and files exist, subscribers receive
// new events, and only complete archives are accepted.
import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import pg from "pg";
import tar from "tar-stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ArchiveWriter } from "#src/backup/archive.ts";
import { makeBackup } from "#src/backup/backup.ts";
import { restoreBackup } from "#src/backup/restore.ts";
import { readTables } from "#src/backup/tables.ts";
import { former } from "#src/db/maintenance/migrate.ts";
import { beginSegment } from "#src/events/segments.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import { pngFile, uploadAs } from "#test/features/content/uploads.ts";
import { keepDocument, smallDocument } from "#test/features/openapi/factory.ts";
import { giveSpec } from "#test/features/openapi/specs.ts";
import { post } from "#test/live/requests.ts";
import { type OwnPostgres, startOwnPostgres } from "#test/live/postgres.ts";
import { Subscriber } from "#test/live/subscriber.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { runInTurn } from "#test/support/commands.ts";
import { startDocgraph } from "#test/support/docgraph-process.ts";
import { createTestDatabase } from "#test/support/test-database.ts";
import { type TestFolder, testFolder } from "#test/support/test-files.ts";

// On its own database: whole tables are compared.
const { app, world } = await useApp({ own: true });
const { editor, space } = await world.space();
let folder: string;
let archive: string;
let files: FolderStore;
let filesFolder: TestFolder;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docgraph-backup-"));
  archive = join(folder, "backup.tar.zst");
  filesFolder = testFolder();
  files = new FolderStore(filesFolder.path);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await filesFolder.remove();
});

const backUp = (more: { path?: string; force?: boolean } = {}) =>
  makeBackup({ url: app.databaseUrl, files: app.files, path: archive, ...more });

/** The row count of each table. */
async function countRows(pool: pg.Pool): Promise<Record<string, number>> {
  const client = await pool.connect();
  try {
    const counts: Record<string, number> = {};
    for (const { name } of await readTables(client)) {
      const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from "${name}"`);
      counts[name] = rows[0]?.count ?? 0;
    }
    return counts;
  } finally {
    client.release();
  }
}

describe("a backup restored on another cluster", () => {
  let other: OwnPostgres;
  beforeAll(async () => void (other = await startOwnPostgres()));
  afterAll(() => other[Symbol.asyncDispose]());

  test("has all rows and files, and subscribers receive new events once", async () => {
    // Transaction ids far ahead of the other cluster, as after years of use.
    const { pool } = app.database;
    await pool.query("do $$ begin for i in 1..3000 loop perform pg_current_xact_id(); commit; end loop; end $$");
    const image = pngFile("map.png", { width: 3, height: 4 });
    const { file } = await uploadAs(app.as(editor.token), { spaceId: space.id, file: image });
    await beginSegment(app.database, new Date(Date.now() + 60_000)); // the outbox has several partitions
    await post(app, editor.token, space.id, "Before");
    const counts = await countRows(pool);
    const { rows, files: kept } = await backUp();
    expect([rows, kept.count]).toEqual([Object.values(counts).reduce((sum, count) => sum + count, 0), 1]);
    expect((await stat(archive)).mode & 0o777).toBe(0o600);
    const restored = await restoreBackup({ url: other.url, files, path: archive });
    expect([restored.rows, restored.files]).toEqual([rows, 1]);
    expect(await countRows(other.pool)).toEqual(counts);

    await using there = await testApp({ beside: { databaseUrl: other.url }, files });
    const { pathname } = new URL(file.downloadURL);
    const bytes = Buffer.from(await (await fetch(`${there.url}${pathname}`)).arrayBuffer());
    expect(bytes.equals(Buffer.from(await image.arrayBuffer()))).toBe(true);
    const field = `commentEvents(of: { spaceId: "${space.id}" })`;
    const gateway = () => there.url;
    const subscriber = await new Subscriber({ gateway, token: editor.token, field, over: "socket" }).start();
    await post(there, editor.token, space.id, "After");
    await subscriber.until(() => subscriber.received.length > 0);
    await post(there, editor.token, space.id, "Later");
    await subscriber.until(() => subscriber.received.length > 1);
    await subscriber.stop();
    expect(subscriber.received.map(({ comment }) => comment?.body.markdown)).toEqual(["After", "Later"]);
    await expect(restoreBackup({ url: other.url, files, path: archive })).rejects.toThrow("the database is not empty");
  });
});

test("contains a concurrent transaction completely or not at all", async () => {
  let isOver = false;
  const writing = (async () => {
    while (!isOver) await post(app, editor.token, space.id);
  })();
  const path = join(folder, "busy.tar.zst");
  await backUp({ path }).finally(() => (isOver = true));
  await writing;
  const empty = await createTestDatabase({ empty: true });
  await restoreBackup({ url: empty.url, files, path });
  const client = new pg.Client({ connectionString: empty.url });
  await client.connect();
  const { rows } = await client.query<{ comments: number; events: number }>(
    `select (select count(*)::int from "Comment") as comments,
      (select count(*)::int from "OutboxEvent" where type = 'comment.created') as events`,
  );
  await client.end();
  expect(rows[0]?.comments).toBe(rows[0]?.events);
  await empty.drop();
});

test("keeps an existing archive unless overwriting is requested", async () => {
  const path = join(folder, "there.tar.zst");
  await writeFile(path, "mine");
  await expect(backUp({ path })).rejects.toThrow(`${path} already exists: choose another name, or add --force`);
  expect(await readFile(path, "utf8")).toBe("mine");
  await backUp({ path, force: true });
  await expect(backUp({ path: join(folder, "nowhere", "x") })).rejects.toThrow("ENOENT");
  expect((await readdir(folder)).filter((name) => name.endsWith(".partial"))).toEqual([]);
});

test("commands of backups report what they did and print their usage", async () => {
  const path = join(folder, "command.tar.zst");
  const empty = await createTestDatabase({ empty: true });
  // A specification beside the file of the previous test: each is used by another feature.
  const sourceBlob = await keepDocument(app.files, smallDocument);
  await giveSpec({ app, world }, { organizationId: space.organizationId, sourceBlob }, smallDocument);
  const [made, ofArchive, ofStore, help, ...refused] = await runInTurn(
    [
      ["backup", path],
      ["database/verify", path],
      ["database/verify"],
      ["restore", "--help"],
      ["restore"],
      ["backup", path],
      ["backup", join(folder, "nowhere", "x")],
      ["restore", join(folder, "missing")],
    ],
    { DATABASE_URL: app.databaseUrl, FILES_DIR: app.filesFolder },
  );
  expect(made).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Backed up \d+ rows of \d+ tables and 2 files in [\d.]+ s: /) as string,
  });
  expect(ofArchive?.output).toMatch(/^The archive is whole: \d+ rows and 2 files, as they were at 2/);
  expect(ofStore?.output).toMatch(/^The file storage is whole: 2 files, [\d.]+ MB\.\n$/);
  expect(help).toMatchObject({ code: 0, output: expect.stringContaining("SECRETS_KEY") as string });
  expect(refused.map(({ code, output, errors }) => [code, output + errors])).toEqual([
    [2, "usage: npm run restore -- <file> [--skip-damaged-files]\n"],
    [1, `${path} already exists: choose another name, or add --force\n`],
    [1, `the file or folder ${join(folder, "nowhere", "x.partial")} does not exist\n`],
    [1, `the file or folder ${join(folder, "missing")} does not exist\n`],
  ]);
  const env = { DATABASE_URL: empty.url, FILES_DIR: app.filesFolder };
  const restore = startDocgraph({ script: "src/cli/restore.ts", args: [path], env });
  expect(await restore.ended).toBe(0);
  expect(restore.output()).toMatch(/Restored \d+ rows of \d+ tables and \d+ files in [\d.]+ s, as they were at 2/);
  await empty.drop();
});

test("tables of other applications in the database are neither backed up nor emptied", async () => {
  const shared = await createTestDatabase({ empty: true });
  const client = new pg.Client({ connectionString: shared.url });
  await client.connect();
  await client.query("create table theirs (id int); insert into theirs values (1)");
  const path = join(folder, "shared.tar.zst");
  await app.database.pool.query("create table theirs (id int); insert into theirs values (1)");
  const { tables } = await backUp({ path });
  await app.database.pool.query("drop table theirs");
  expect(tables).toBe(Object.keys(Prisma.ModelName).length - 1); // but for the segments of the outbox
  await expect(restoreBackup({ url: shared.url, files, path })).rejects.toThrow(
    "the database has tables that the archive does not know: theirs; restore into a database of its own",
  );
  const { rows } = await client.query(
    "select table_name, id from information_schema.tables, theirs where table_schema = 'public'",
  );
  expect(rows).toEqual([{ table_name: "theirs", id: 1 }]);
  await client.end();
  await shared.drop();
});

test("refuses to back up a database of another release", async () => {
  const { pool } = app.database;
  await pool.query(
    `insert into "_prisma_migrations" (id, checksum, migration_name, finished_at) values ('x', 'x', '2099_later', now())`,
  );
  const path = join(folder, "later.tar.zst");
  await expect(backUp({ path })).rejects.toThrow("the database belongs to another release of docgraph");
  await pool.query(`delete from "_prisma_migrations" where id = 'x'`);
});

test("restores an archive of the last version before 1.0", async () => {
  const old = await createTestDatabase();
  const before = new pg.Client({ connectionString: old.url });
  await before.connect();
  await before.query(`insert into "User" (id, email, "displayName") values ('usr_a', 'a@example.com', 'A')`);
  await before.query(`alter table "User" drop column "emailKey", drop column "mutedEmails"`); // which came later
  await before.end();
  const made = join(folder, "before-1.0.tar.zst");
  await makeBackup({ url: old.url, files: app.files, path: made });
  await old.drop();
  const migrations = Object.values(former).map((name) => ({ name, checksum: "" }));
  const asFormer = (bytes: Buffer) => json(bytes, (manifest) => void Object.assign(manifest, { migrations }));
  const path = await inEntry("manifest.json", asFormer, made);
  const empty = await createTestDatabase({ empty: true });
  const { rows } = await restoreBackup({ url: empty.url, files, path });
  const client = new pg.Pool({ connectionString: empty.url });
  expect(rows).toBe(Object.values(await countRows(client)).reduce((sum, count) => sum + count, 0));
  await client.end();
  await empty.drop();
});

interface Entry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The archive with other entries. */
async function changed(change: (entries: readonly Entry[]) => readonly Entry[], of = archive): Promise<string> {
  const path = join(folder, "changed.tar.zst");
  const entries: Entry[] = [];
  const extract = tar.extract();
  const reading = pipeline(createReadStream(of), createZstdDecompress(), extract);
  for await (const entry of extract) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    entries.push({ name: entry.header.name, bytes: Buffer.concat(chunks) });
  }
  await reading;
  const pack = tar.pack();
  for (const { name, bytes } of change(entries)) pack.entry({ name }, bytes);
  pack.finalize();
  await pipeline(pack, createZstdCompress(), createWriteStream(path));
  return path;
}

const json = (bytes: Buffer, change: (value: Record<string, unknown>) => void): Buffer => {
  const value = JSON.parse(bytes.toString()) as Record<string, unknown>;
  change(value);
  return Buffer.from(JSON.stringify(value));
};

const inEntry = (name: string, change: (bytes: Buffer) => Buffer, of = archive) =>
  changed(
    (entries) => entries.map((entry) => (entry.name === name ? { name, bytes: change(entry.bytes) } : entry)),
    of,
  );

const add = (name: string) =>
  changed((entries) => [...entries.slice(0, -1), { name, bytes: Buffer.from("x") }, ...entries.slice(-1)]);

const later = { name: "20990101000000_later", checksum: "" };
const early = { name: former.first, checksum: "" };

/** Archives that are refused, with the messages. */
const refused: readonly [what: string, make: () => Promise<string>, says: string][] = [
  ["no archive at all", () => write(randomBytes(10_000)), "the archive is damaged, or not a docgraph archive"],
  ["nothing", () => write(Buffer.alloc(0)), "the archive is damaged, or not a docgraph archive"],
  ["one that is cut", cut, "the archive is damaged, or not a docgraph archive"],
  [
    "one without its end",
    () => changed((entries) => entries.slice(0, -1)),
    "the archive is truncated: its end is missing",
  ],
  ["one without its beginning", () => changed((entries) => entries.slice(1)), "at an unexpected position"],
  [
    "one in which a row was changed",
    () => inEntry("tables/Space", (bytes) => Buffer.from(bytes.toString().replace("spc_", "spd_"))),
    "the archive is damaged: its contents do not match its summary",
  ],
  [
    "one without the rows of a table",
    () => changed((entries) => entries.filter(({ name }) => name !== "tables/Space")),
    "the archive is damaged: its contents do not match its summary",
  ],
  ["one with a file more", () => add(`files/${"a".repeat(64)}`), "do not match its summary"],
  ["one that leaves its folder", () => add("files/../../etc/passwd"), "has the unknown part"],
  ["one with a table of its own", () => add("tables/pg_authid"), "do not match its summary"],
  [
    "one of a later release",
    () => inEntry("manifest.json", (bytes) => json(bytes, ({ migrations }) => (migrations as object[]).push(later))),
    "with migrations that this one does not know: 20990101000000_later",
  ],
  [
    "one of a version before 1.0 that is not the last",
    () => inEntry("manifest.json", (bytes) => json(bytes, (manifest) => void (manifest["migrations"] = [early]))),
    "with migrations that this one does not know: 20261120200000_initial; restore it with that release",
  ],
  [
    "one of another form",
    () => inEntry("manifest.json", (bytes) => json(bytes, (manifest) => void (manifest["format"] = 2))),
    "manifest.json of the archive has another format than this release writes",
  ],
];

async function write(bytes: Buffer): Promise<string> {
  const path = join(folder, "written");
  await writeFile(path, bytes);
  return path;
}

async function cut(): Promise<string> {
  const path = join(folder, "cut.tar.zst");
  await copyFile(archive, path);
  await truncate(path, 4_000);
  return path;
}

describe("restore refuses", () => {
  let url: string;
  beforeAll(async () => {
    const empty = await createTestDatabase({ empty: true });
    ({ url } = empty);
    afterAll(() => empty.drop());
  });

  test.each(refused)("%s, and writes nothing", async (_what, make, says) => {
    const path = await make();
    await expect(restoreBackup({ url, files, path })).rejects.toThrow(says);
  });

  test("a file with fewer bytes than the store reported while the archive was written", async () => {
    const path = join(folder, "short");
    const writer = new ArchiveWriter(path);
    await expect(writer.file("a".repeat(64), 10, Readable.from([Buffer.from("short")]))).rejects.toThrow(
      "Size mismatch",
    );
    await writer.abort();
  });
});
