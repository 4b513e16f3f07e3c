// Reading archives: imported files, those that are left out with a warning, and refusals of hostile archives.
import { times } from "#test/support/world.ts";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openZip } from "#src/features/imports/commands/zip.ts";
import { planImport } from "#src/features/imports/model/plan.ts";
import { trustingReader } from "#src/features/imports/model/text-reader.ts";
import { zip } from "#test/features/imports/files.ts";

/** The contents of the archive: texts by path, and the warnings. */
async function contentOf(archive: string | Buffer) {
  await using opened = await openZip(archive);
  const texts: Record<string, string> = {};
  for (const path of opened.files.paths) texts[path] = String(await opened.files.get(path)?.read());
  return { texts, warnings: opened.files.warnings.first };
}

/** The archive with changed bytes in its directory: at `offset` after each entry signature. */
function withDirectory(archive: Buffer, change: (entry: Buffer) => void): Buffer {
  const copy = Buffer.from(archive);
  for (let at = copy.indexOf("PK\u0001\u0002"); at !== -1; at = copy.indexOf("PK\u0001\u0002", at + 4))
    change(copy.subarray(at));
  return copy;
}

/** The end of an archive whose directory has this number of entries, in the ZIP64 form for more than 65,535. */
function directoryOf(entries: number): Buffer {
  const record = Buffer.alloc(56);
  record.write("PK\u0006\u0006");
  record.writeBigUInt64LE(BigInt(entries), 32);
  const locator = Buffer.alloc(20);
  locator.write("PK\u0006\u0007");
  const end = Buffer.alloc(22, 0xff);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(0, 20);
  return Buffer.concat([record, locator, end]);
}

const size = { packed: 20, unpacked: 24 };
const flags = 8;
const method = 10;
const checksum = 16;
const mode = 40;

describe("an imported archive", () => {
  test.each([0, 6] as const)(
    "is read with its files packed (level %d) or not, from memory and from a file",
    async (level) => {
      const entries = { "README.md": "# Read\n", "guide/a.md": "a".repeat(5000), "guide/empty.md": "" };
      const archive = zip({ "guide/": "", ...entries }, { level });
      expect(await contentOf(archive)).toEqual({ texts: entries, warnings: [] });
      const folder = await mkdtemp(join(tmpdir(), "import-"));
      await writeFile(join(folder, "a.zip"), archive);
      expect(await contentOf(join(folder, "a.zip"))).toEqual({ texts: entries, warnings: [] });
      await rm(folder, { recursive: true });
    },
  );

  test("has its only folder as root, ignoring leftovers of tools beside it", async () => {
    const top = {
      "book-main/README.md": "r",
      "book-main/src/a.md": "a",
      "__MACOSX/book-main/._README.md": "x",
      ".DS_Store": "x",
    };
    expect((await contentOf(zip(top))).texts).toEqual({ "README.md": "r", "src/a.md": "a" });
    const two = { "a/README.md": "r", "b/a.md": "a" };
    expect((await contentOf(zip(two))).texts).toEqual(two);
    const beside = { "a/README.md": "r", "a.md": "a" };
    expect((await contentOf(zip(beside))).texts).toEqual(beside);
  });

  test("has file names in UTF-8, whether flagged or not", async () => {
    const archive = zip({ "é/日本.md": "a", "b.md": "" });
    const unsaid = withDirectory(archive, (entry) => entry.writeUInt16LE(0, flags));
    for (const each of [archive, unsaid])
      expect((await contentOf(each)).texts).toEqual({ "é/日本.md": "a", "b.md": "" });
  });

  test("is read without links and other special files, with a warning", async () => {
    const kinds = [0o120777, 0o010644, 0o100644];
    const archive = withDirectory(zip({ "link.md": "/etc/passwd", "pipe.md": "", "file.md": "text" }), (entry) =>
      entry.writeUInt16LE(kinds.shift() ?? 0, mode),
    );
    const message = "It is a symbolic link or another special file. It is left out.";
    expect(await contentOf(archive)).toEqual({
      texts: { "file.md": "text" },
      warnings: ["link.md", "pipe.md"].map((path) => ({ path, line: null, message, kind: "omitted" })),
    });
  });
});

/** doccano/doccano#2296, ThalesGroup/fred#1898; GreenDelta/olca-app#51, JATOS/JATOS#127, Backbase/bb-cli#125. */
describe("one odd file of an archive is left out with a warning", () => {
  /** The warnings of an archive whose other file is imported. */
  async function warningsOf(archive: Buffer): Promise<string[]> {
    await using opened = await openZip(archive);
    const { pages } = await planImport({ files: opened.files }, trustingReader());
    expect(pages.map(({ title }) => title)).toEqual(["Ok"]);
    return opened.files.warnings.first.map(({ path, message }) => `${path}: ${message}`);
  }

  test.each([
    ["../up.md", /not inside the import/],
    ["a/../../up.md", /not inside the import/],
    ["..\\up.md", /not inside the import/],
    ["a\u001b[2J.md", /control characters/],
    ["a\0.md", /control characters/],
    [`${"d/".repeat(600)}a.md`, /more than 1000/],
  ])("at the path %j", async (path, message) => {
    expect(await warningsOf(zip({ "ok.md": "", [path]: "x" }))).toEqual([expect.stringMatching(message)]);
  });

  test("if it occurs twice, is encrypted, is packed by an unsupported method, or is far larger unpacked", async () => {
    const archive = zip({ "ok.md": "# Ok", "no.md": "two" });
    const twice = Buffer.from(archive.toString("latin1").replaceAll("no.md", "ok.md"), "latin1");
    expect(await warningsOf(twice)).toEqual(["ok.md: It occurs twice in the import. It is left out."]);
    const changed = (at: number, value: number) =>
      withDirectory(
        archive,
        (entry) => entry.includes("no.md") && !entry.includes("ok.md") && entry.writeUInt16LE(value, at),
      );
    expect(await warningsOf(changed(flags, 1))).toEqual(["no.md: It is encrypted. It is left out."]);
    expect(await warningsOf(changed(method, 14))).toEqual([
      "no.md: It uses a compression method other than deflate. It is left out.",
    ]);
    const bomb = zip({ "ok.md": "# Ok", "zeros.md": Buffer.alloc(20_000_000) }, { level: 9 });
    expect(bomb.length).toBeLessThan(30_000);
    expect(await warningsOf(bomb)).toEqual([expect.stringMatching(/^zeros\.md: It unpacks to more than 200 times/)]);
  });

  test.each([
    ["declares less than it unpacks to", (entry: Buffer) => entry.writeUInt32LE(10, size.unpacked), /too many bytes/],
    ["declares more than it unpacks to", (entry: Buffer) => entry.writeUInt32LE(90_000, size.unpacked), /not enough/],
    ["has a wrong checksum", (entry: Buffer) => entry.writeUInt32LE(1, checksum), /its checksum is wrong/],
  ])("if it %s", async (_what, change, message) => {
    const archive = withDirectory(zip({ "ok.md": "# Ok", "no.md": "text ".repeat(1000) }), (entry) => {
      if (!entry.includes("ok.md")) change(entry);
    });
    expect(await warningsOf(archive)).toEqual([expect.stringMatching(message)]);
  });

  test("but not for backslashes, a drive, or a slash at its start", async () => {
    const files = { "docs\\a.md": "a", "docs\\sub\\b.md": "b", "/etc/c.md": "c", "./d.md": "d", "C:\\e.md": "e" };
    expect(await contentOf(zip(files))).toEqual({
      texts: { "docs/a.md": "a", "docs/sub/b.md": "b", "etc/c.md": "c", "d.md": "d", "C:/e.md": "e" },
      warnings: [],
    });
  });

  test("and archives in an archive are read as one", async () => {
    const parts = { "Part-1.zip": zip({ "E/a.md": "a" }), "Part-2.zip": zip({ "E/b.md": "b", "E/c.md": "c" }) };
    expect(await contentOf(zip(parts))).toEqual({ texts: { "a.md": "a", "b.md": "b", "c.md": "c" }, warnings: [] });
  });
});

describe("an archive is refused without being unpacked", () => {
  test("that only together unpacks to a disk full of files", async () => {
    const many = (count: number) =>
      zip(Object.fromEntries(times(count, (index) => [`${index}.md`, Buffer.alloc(990_000, "a")])), { level: 1 });
    const thirty = many(30);
    expect(thirty.length).toBeLessThan(100_000);
    await expect(contentOf(thirty)).rejects.toThrow("The archive unpacks to more than 20 times its size");
    await expect(contentOf(many(10))).resolves.toBeDefined(); // texts of one letter, and only a few
  });

  test("that declares to unpack to more than an import may have, by one file or in total", async () => {
    const stored = zip(Object.fromEntries(Array.from({ length: 20 }, (_, number) => [`${number}.bin`, "12345678"])));
    const huge = withDirectory(stored, (entry) => {
      entry.writeUInt16LE(8, method);
      entry.writeUInt32LE(100_000_000, size.unpacked);
      entry.writeUInt32LE(1_000_000, size.packed);
    });
    await expect(contentOf(huge)).rejects.toThrow("at most 1073741824 bytes");
  });

  test("with more entries than any import may have", async () => {
    await expect(contentOf(directoryOf(100_001))).rejects.toThrow("An archive may have at most 100000 entries.");
    const files = Object.fromEntries(Array.from({ length: 50_001 }, (_, number) => [`${number}.md`, ""]));
    await expect(contentOf(zip(files, { level: 0 }))).rejects.toThrow("An import may have at most 50000 files.");
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["a text", Buffer.from("# Not an archive\n".repeat(10))],
    ["half an archive", zip({ "a.md": "text ".repeat(1000) }).subarray(0, 60)],
  ])("that is %s", async (_what, archive) => {
    await expect(contentOf(archive)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: /(?:The archive cannot be read|cannot be unpacked): /,
    });
  });
});
