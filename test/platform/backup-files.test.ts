// Files of backups and of the nightly check, as listed by the database: missing and damaged ones are reported, and
// affect neither rows nor other files.
import { randomBytes } from "node:crypto";
import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ArchiveError } from "#src/backup/archive.ts";
import { restoreBackup } from "#src/backup/restore.ts";
import { blobColumns, verifiedBlobs, verifyBlobs } from "#src/features/content/commands/blobs.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { textFile, uploadAs } from "#test/features/content/uploads.ts";
import { useApp } from "#test/support/app.ts";
import { runInTurn } from "#test/support/commands.ts";
import { startDocgraph } from "#test/support/docgraph-process.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";
import { testFolder } from "#test/support/test-files.ts";

// On its own database: all files are compared.
const { app, world } = await useApp({ own: true });
/** Hashes of uploaded files: two intact, three damaged, and one removed. */
let [whole, second, other, longer, shorter, missing] = ["", "", "", "", "", ""];
let folder: string;
let archive: string;
let empty: TestDatabase;
const elsewhere = testFolder();

const pathOf = (hash: string) => join(app.filesFolder, hash.slice(0, 2), hash.slice(2, 4), hash);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docgraph-backup-files-"));
  archive = join(folder, "backup.tar.zst");
  empty = await createTestDatabase({ empty: true });
  const { editor, space } = await world.space();
  const contentOf = { spaceId: space.id };
  for (let index = 0; index < 6; index++) {
    const file = textFile(`file-${index}.txt`, randomBytes(50_000).toString("hex"));
    await uploadAs(app.as(editor.token), { contentOf, file });
  }
  const files = await app.database.prisma.contentFile.findMany({ orderBy: { blob: "asc" } });
  [whole = "", other = "", longer = "", shorter = "", missing = "", second = ""] = files.map(({ blob }) => blob);
  await writeFile(pathOf(other), (await readFile(pathOf(other))).fill(0, 0, 1));
  await appendFile(pathOf(longer), "x");
  await truncate(pathOf(shorter), 10);
  await rm(pathOf(missing));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await elsewhere.remove();
  await empty.drop();
});

/** Makes and checks backups, one after the other. */
async function runAt(files: string, ...calls: Parameters<typeof runInTurn>[0]) {
  const outcomes = await runInTurn(calls, { DATABASE_URL: app.databaseUrl, FILES_DIR: files });
  return outcomes.map(({ code, output, errors }) => ({ code, says: output + errors }));
}

const restore = (more: object = {}) =>
  restoreBackup({ url: empty.url, files: new FolderStore(elsewhere.path), path: archive, ...more });

/** The number of tables in the target database. */
async function countTables(): Promise<number | null> {
  const client = new pg.Client({ connectionString: empty.url });
  await client.connect();
  const { rowCount } = await client.query("select from pg_tables where schemaname = 'public'");
  await client.end();
  return rowCount;
}

describe("a backup with missing files", () => {
  let [refused, allowed, ofArchive, ofStore]: Awaited<ReturnType<typeof runAt>> = [];
  beforeAll(async () => {
    [refused, allowed, ofArchive, ofStore] = await runAt(
      app.filesFolder,
      ["backup", archive],
      ["backup", archive, "--force", "--allow-missing"],
      ["database/verify", archive],
      ["database/verify"],
    );
  });

  test("is written completely, lists the missing files, and fails unless they are allowed", async () => {
    const named = [
      `1 file is missing from the file storage: ${missing}`,
      `3 files are damaged in it: ${[other, longer, shorter].join(", ")}`,
    ];
    expect(refused?.says).toContain("and 5 files");
    expect(refused?.says).toContain(`The archive is incomplete. ${named.join("; ")}.`);
    expect(refused?.code).toBe(1);
    expect([allowed?.code, allowed?.says.includes(named.join("; "))]).toEqual([0, true]);
  });

  test("is named by a check of the archive, and of the file storage", async () => {
    const damaged = [other, longer, shorter].join(", ");
    expect([ofArchive?.code, ofArchive?.says.trimEnd().split("\n").at(-1)]).toEqual([
      1,
      `the archive has 3 files with other bytes than their hashes say: ${damaged}`,
    ]);
    expect([ofStore?.code, ofStore?.says.trimEnd().split("\n").at(-1)]).toEqual([
      1,
      `5 files were read. 1 file is missing from the file storage: ${missing}; 3 files are damaged in it: ${damaged}`,
    ]);
  });

  test("is restored without them only if that is requested", async () => {
    await expect(restore()).rejects.toThrow(
      `the archive has 3 files with other bytes than their hashes say: ${[other, longer, shorter].join(", ")}; add --skip-damaged-files to restore everything else`,
    );
    expect(await countTables()).toBe(0);
    expect(await restore({ skipsDamagedFiles: true })).toMatchObject({ files: 2, lacking: 4 });
    const names = await readdir(elsewhere.path, { recursive: true });
    expect(names.flatMap((name) => name.match(/[0-9a-f]{64}/)?.[0] ?? []).toSorted()).toEqual(
      [whole, second].toSorted(),
    );
  });

  test("is refused before anything is written if the storage has none of the files", async () => {
    const path = join(folder, "elsewhere.tar.zst");
    const nowhere = join(folder, "nothing");
    const [failed, made] = await runAt(nowhere, ["backup", path], ["backup", path, "--allow-missing"]);
    expect(failed?.code).toBe(1);
    expect(failed?.says).toMatch(
      /^none of the first 6 files that the database references is in the file storage: set FILES_DIR or/,
    );
    expect([made?.code, made?.says.includes("and 0 files")]).toEqual([0, true]);
  });
});

test("a full disk stops a backup with a clear message and leaves no partial archive", async () => {
  const path = join(folder, "full.tar.zst");
  // A file size limit of 16 KB, with its signal ignored, simulates a full disk.
  const limited = `trap '' XFSZ; ulimit -f 16; exec "${process.execPath}" src/cli/backup.ts "${path}"`;
  const env = { DATABASE_URL: app.databaseUrl, FILES_DIR: app.filesFolder };
  const command = startDocgraph({ command: ["bash", "-c", limited], env });
  expect(await command.ended).toBe(1);
  const [last, ...progress] = command.output().trimEnd().split("\n").toReversed();
  expect(last).toBe(`${path} cannot be written: the disk is full (EFBIG); free some space, or choose another path`);
  for (const line of progress) expect(line).toMatch(/^\d+ of \d+ tables$/); // printed once a second
  expect((await readdir(folder)).filter((name) => name.startsWith("full"))).toEqual([]);
});

test("a full disk stops a restore with a clear message, writes no rows, and the next restore works", async () => {
  const target = await createTestDatabase({ empty: true });
  onTestFinished(() => target.drop());
  const files = join(folder, "restored");
  const limited = `trap '' XFSZ; ulimit -f 16; exec "${process.execPath}" src/run.js cli/restore "${archive}"`;
  const command = startDocgraph({
    command: ["bash", "-c", `${limited} --skip-damaged-files`],
    env: { DATABASE_URL: target.url, FILES_DIR: files },
  });
  const code = await command.ended;
  const lines = command.output().trimEnd().split("\n");
  expect([code, lines.at(-1)]).toEqual([
    1,
    "a file cannot be written: the disk is full (EFBIG); free some space, or set FILES_DIR or DATA_DIR to another folder",
  ]);
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/^(checked|restored): \d+ %$/);
  const left = await readdir(files, { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile())).toEqual([]);
  // A database with rows would be refused.
  const again = restore({ url: target.url, files: new FolderStore(files), skipsDamagedFiles: true });
  expect(await again).toMatchObject({ files: 2, lacking: 4 });
});

test("a truncated archive is refused with a clear message, wherever it ends", async () => {
  const whole = await readFile(archive);
  const path = join(folder, "cut.tar.zst");
  for (const part of [0.02, 0.3, 0.6, 0.999]) {
    await writeFile(path, whole.subarray(0, Math.floor(whole.length * part)));
    const refusal = restore({ path, skipsDamagedFiles: true });
    await expect(refusal, `${part}`).rejects.toThrow(ArchiveError);
    await expect(refusal).rejects.toThrow("the archive is damaged, or not a docgraph archive (unexpected end of file)");
  }
});

describe("the nightly file check", () => {
  const found = () => ({ missing: [missing], damaged: [other, longer, shorter] });

  test("finds missing and damaged files from any starting point", async () => {
    expect(await verifyBlobs(app, "")).toEqual(found());
    const { missing: lost, damaged } = await verifyBlobs(app, longer);
    expect([lost, damaged.toSorted()]).toEqual([found().missing, found().damaged.toSorted()]);
  });

  test("counts a file that the disk cannot read as damaged, and continues", async () => {
    const unreadable = Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
    const files = {
      async open(hash: string) {
        if (hash === second) throw unreadable;
        const stream = await app.files.open(hash);
        if (hash === whole) stream?.once("data", () => stream.destroy(unreadable));
        return stream;
      },
    };
    const before = verifiedBlobs.damaged;
    const { missing: lost, damaged } = await verifyBlobs({ ...app, files }, "");
    expect([lost, damaged.toSorted()]).toEqual([[missing], [...found().damaged, whole, second].toSorted()]);
    expect(verifiedBlobs.damaged - before).toBe(5);
  });

  test("reports other errors of the store", async () => {
    const files = { open: () => Promise.reject(new Error("the store is unreachable")) };
    await expect(verifyBlobs({ ...app, files }, "")).rejects.toThrow("the store is unreachable");
  });

  test("reads at most its limit of bytes", async () => {
    const opened: string[] = [];
    const files = { open: (hash: string) => (opened.push(hash), app.files.open(hash)) };
    await verifyBlobs({ ...app, files }, whole, { blobs: 2, bytes: 1e9 });
    expect(opened).toEqual([other, longer]);
    opened.length = 0;
    await verifyBlobs({ ...app, files }, whole, { blobs: 5, bytes: 100 });
    expect(opened).toEqual([other]);
  });
});

/** Columns with such a name that do not name a blob, and why. */
const others: Readonly<Record<string, string>> = {
  "Comment.documentHash": "a text of content",
  "ContentFile.fileId": "the id of a file",
  "ContentFileList.files": "hashes of rows of ContentFile",
  "ContentPage.childrenHash": "a level of pages",
  "ContentPage.documentHash": "a text of content",
  "IdempotencyKey.requestHash": "a request",
  "Integration.icon": "in `blobs`",
  "Integration.previewImages": "in `blobs`",
  "OpenApiSpecVersion.document": "in `blobs`",
  "OpenApiSpecVersion.files": "in `blobs`",
  "OpenApiSpecVersion.filesystem": "in `blobs`",
  "Revision.filesHash": "a list of files",
  "Revision.treeHash": "a level of pages",
  "Site.icon": "an emoji, or addresses",
  "SiteSection.icon": "a name",
  "SiteSectionGroup.icon": "a name",
  "TranslatedPage.sourceHash": "a text of content",
  "Translation.engineTreeHash": "a level of pages",
};

test("every text column that may name a file is classified", async () => {
  const { rows } = await app.database.pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type in ('text', 'ARRAY', 'jsonb') and column_name <> 'hash'
        and column_name ~* 'blob|hash|script(?!ion)|icon|image|document|file|attachment|picture|avatar'`,
  );
  const named = blobColumns.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...named, ...Object.keys(others)].toSorted());
});
