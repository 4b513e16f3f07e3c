// Links in random texts: every rendered link is replaced by its page or file, and nothing else changes.
import fc from "fast-check";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { expect, test } from "vitest";
import { planOf } from "#test/features/imports/files.ts";
import { runs } from "#test/support/runs.ts";

const html = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeStringify, { allowDangerousHtml: true })
  .freeze();

/** Pieces of Markdown that are links, and pieces that decide whether the text around them is one. */
const pieces = [
  "[b](b.md)",
  '[b](<b.md#x> "b.md")',
  "![z](z.svg)",
  "[![z](z.svg)](b.md)",
  "[b][r]",
  "\n\n[r]: b.md#r\n\n",
  '<a href="b.md">',
  "</a>",
  "<img src='z.svg'>",
  "\n<div>\n",
  "\n</div>\n\n",
  "`",
  "``",
  "\n```\n",
  "\n\n    ",
  "\n> ",
  "\n- ",
  "\n  ",
  "\n1. ",
  "\n\n| a | b |\n| - | - |\n| ",
  " | ",
  "[^1]",
  "\n\n[^1]: ",
  "\\",
  "*",
  "_",
  "[",
  "]",
  "(",
  ")",
  "!",
  "# ",
  "\n===\n",
  "\n",
  "\r\n",
  "\t",
  " ",
  "b.md",
  "é🧭",
  "&amp;",
] as const;

const text = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(""));

/** In rendered code, `<` is escaped. */
const tag = /<[^<>]*>/g;

test("exactly the links that Markdown renders are replaced in an import", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(text, async (before) => {
      const { texts } = await planOf({ "a.md": before, "b.md": "", "z.svg": "<svg/>" });
      const after = texts["a"] ?? "";
      const back = (shown: string) => shown.replaceAll("page:b", "b.md").replaceAll("file:z.svg", "z.svg");
      expect(back(after)).toBe(before);
      const [shownBefore, shownAfter] = [before, after].map((markdown) => String(html.processSync(markdown)));
      expect(back(shownAfter ?? "")).toBe(shownBefore);
      const tags = (shownAfter ?? "").match(tag) ?? [];
      expect(tags.filter((shown) => /(?:href|src)=["'](?:b\.md|z\.svg)/.test(shown))).toEqual([]);
      expect((shownAfter ?? "").replaceAll(tag, "")).not.toMatch(/page:|file:/);
    }),
    { numRuns: runs(500) },
  );
});
