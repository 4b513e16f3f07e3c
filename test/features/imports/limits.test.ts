// Files that cannot be imported: too large, too slow, or not text. Every refusal names the file.
import { describe, expect, test } from "vitest";
import { importLimits } from "#src/features/imports/model/files.ts";
import { MarkdownReader } from "#src/features/imports/model/markdown-reader.ts";
import { filesOf, planOf } from "#test/features/imports/files.ts";
import { sized } from "#test/support/runs.ts";

describe("an import refuses a file", () => {
  test.each([
    ["in another encoding", Buffer.from("caf\xe9", "latin1"), "guide/a.md: must be text in UTF-8."],
    ["in UTF-16", Buffer.from("\ufeffa", "utf16le"), "guide/a.md: must be text in UTF-8."],
    ["with NUL", "a\0b", "guide/a.md: must be well-formed Unicode without NUL characters."],
    ["with a text over the limit", "x".repeat(500_001), "guide/a.md: must have at most 500000 characters."],
    ["nested too deeply", `${">".repeat(10_000)}[a](b)`, "guide/a.md: is nested too deeply."],
  ])("%s", async (_what, content, message) => {
    await expect(planOf({ "guide/a.md": content })).rejects.toThrow(message);
  });

  test("that takes too long, while everything else goes on", async () => {
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    const hostile = `[a](b) ${"_a*".repeat(100_000)}`; // would take minutes
    const reader = new MarkdownReader(sized(1000, 3000));
    await expect(planOf({ "a.md": hostile }, reader)).rejects.toThrow("a.md: takes too long to parse as Markdown.");
    expect((await planOf({ "a.md": "# Next\n" }, reader)).pages).toEqual(['a "Next"']);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(3);
  });

  test.each([
    ["../up.md"],
    ["a/../../up.md"],
    ["/rooted.md"],
    ["a//b.md"],
    ["./a.md"],
    ["a\\b.md"],
    ["a\nb.md"],
    ["a\u001b[31m.md"],
    ["a\0.md"],
    ["\ud800.md"],
    [`${"d/".repeat(500)}a.md`],
    [""],
  ])("at the path %j", (path) => {
    expect(() => filesOf({ [path]: "" })).toThrow(/must (?:not contain|have at most|be a relative path)/);
  });

  test("that occurs twice, also in another Unicode form, or as a folder", () => {
    expect(() => filesOf({ "é.md": "", "e\u0301.md": "" })).toThrow("é.md: must not occur twice in the import.");
    expect(() => filesOf({ a: "", "a/b.md": "" })).toThrow("a: must not be both a file and a folder.");
    expect(() => filesOf({ "a/b.md": "", a: "" })).toThrow("a: must not occur twice in the import.");
  });
});

describe("an import is refused", () => {
  const read = async () => Buffer.from("");

  test("with too many files or bytes", () => {
    const files = filesOf({});
    for (let number = 0; number < importLimits.files; number++) files.add({ path: `${number}.txt`, size: 0, read });
    expect(() => files.add({ path: "one more", size: 0, read })).toThrow("at most 50000 files");
    const large = filesOf({});
    large.add({ path: "a", size: importLimits.totalSize, read });
    expect(() => large.add({ path: "b", size: 1, read })).toThrow(`at most ${importLimits.totalSize} bytes`);
  });

  test("with too many pages", async () => {
    const pages = Object.fromEntries(Array.from({ length: 20_001 }, (_, number) => [`${number}.md`, ""]));
    await expect(planOf(pages)).rejects.toThrow("A content may have at most 20000 pages.");
  });

  test("only for files that are not leftovers of tools", () => {
    const files = filesOf({
      ".git/config": "",
      "a/node_modules/b.md": "",
      "__MACOSX/._a.md": "",
      "a/.DS_Store": "",
      "a.md": "",
    });
    expect([...files.paths]).toEqual(["a.md"]);
  });
});

test("an import keeps the first thousand warnings and counts all", async () => {
  const files = filesOf({});
  for (let number = 0; number < 1500; number++) files.warnings.add("a.md", number, "Nowhere.");
  expect(files.warnings.first).toHaveLength(1000);
  expect(files.warnings.count).toBe(1500);
});
