// Files that cannot be imported: too large, too slow, or not text. They are left out with a warning.
// The small size imports the slowest one only beside another file.
import { describe, expect, test } from "vitest";
import { importLimits } from "#src/features/imports/model/files.ts";
import { MarkdownReader } from "#src/features/imports/model/markdown-reader.ts";
import { type Files, filesOf, planOf } from "#test/features/imports/files.ts";
import { isFullSize, sized } from "#test/support/runs.ts";

describe("an import leaves out a file, and goes on,", () => {
  test.each([
    ["with NUL", "a\0b", "It is not a text."],
    ["with a text over the limit", "x".repeat(500_001), "It has more than 500000 characters."],
    ["nested too deeply", `${">".repeat(10_000)}[a](b)`, "It is nested too deeply."],
  ])("%s", async (_what, content, why) => {
    const { pages, warnings } = await planOf({ "guide/a.md": content, "ok.md": "# Ok\n" });
    expect({ pages, warnings }).toEqual({ pages: ['ok "Ok"'], warnings: [`guide/a.md ${why} It is left out.`] });
    if (!isFullSize && content.startsWith(">")) return; // takes seconds
    await expect(planOf({ "guide/a.md": content })).rejects.toThrow(`no Markdown files. guide/a.md: ${why}`);
  });

  test("that takes too long, while everything else goes on", async () => {
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    const hostile = `[a](b) ${"_a*".repeat(100_000)}`; // would take minutes
    const reader = new MarkdownReader(sized(1000, 3000));
    const { pages, warnings } = await planOf({ "a.md": hostile, "b.md": "# Next\n" }, reader);
    expect(pages).toEqual(['b "Next"']);
    expect(warnings).toEqual(["a.md It takes too long to parse as Markdown. It is left out."]);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(3);
  });

  test.each([
    ["../up.md"],
    ["a/../../up.md"],
    ["a\nb.md"],
    ["a\u001b[31m.md"],
    ["a\0.md"],
    ["\ud800.md"],
    [`${"d/".repeat(500)}a.md`],
    [""],
  ])("at the path %j", (path) => {
    const files = filesOf({ [path]: "", "ok.md": "" });
    expect([...files.paths]).toEqual(["ok.md"]);
    expect(files.warnings.first.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Its path .*left out\.$/),
    ]);
  });

  test("but not for slashes at its start, backslashes and names that mean nothing", () => {
    const files = filesOf({ "/a.md": "", "b//c.md": "", "./d.md": "", "e\\f.md": "" });
    expect([...files.paths]).toEqual(["a.md", "b/c.md", "d.md", "e/f.md"]);
    expect(files.warnings.count).toBe(0);
  });

  test("that occurs twice, also in another Unicode form, or as a folder", () => {
    const messages = (contents: Files) => filesOf(contents).warnings.first.map(({ message }) => message);
    expect(messages({ "é.md": "", "e\u0301.md": "" })).toEqual(["It occurs twice in the import. It is left out."]);
    expect(messages({ a: "", "a/b.md": "" })).toEqual(["a is both a file and a folder. It is left out."]);
    expect(messages({ "a/b.md": "", a: "" })).toEqual(["It occurs twice in the import. It is left out."]);
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

test("an import keeps the first ten thousand warnings and counts all by kind", async () => {
  const { warnings } = filesOf({});
  for (let number = 0; number < 10_500; number++) warnings.add("a.md", number, "Nowhere.", "link");
  warnings.add("b.md", null, "Lost.");
  expect(warnings.first).toHaveLength(10_000);
  expect(warnings.count).toBe(10_501);
  expect(warnings.counts).toEqual([
    { kind: "link", count: 10_500 },
    { kind: "omitted", count: 1 },
  ]);
});
