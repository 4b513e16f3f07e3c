// The hunks of a diff: they contain the changes with context lines, and transform one text into the other.
import fc from "fast-check";
import { expect, it } from "vitest";
import { compareTexts, type DiffHunk, hunksOf } from "#src/base/text/diff.ts";
import { linesOf } from "#src/base/text/lines.ts";

const diffText = (before: string, after: string, context = 3) =>
  hunksOf(before, after, compareTexts(before, after), context);
const marks = { context: " ", removed: "-", added: "+" };
const written = ({ lines }: DiffHunk) => lines.map(({ kind, text }) => marks[kind] + text).join("");

it("shows changes with three lines of context and joins close ones", () => {
  const before = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`);
  const after = before.with(4, "five\n").with(9, "ten\n").toSpliced(18, 1);
  const hunks = diffText(before.join(""), after.join(""));
  expect(hunks).toMatchObject([
    { beforeStart: 2, beforeLines: 12, afterStart: 2, afterLines: 12 },
    { beforeStart: 16, beforeLines: 5, afterStart: 16, afterLines: 4 },
  ]);
  expect(hunks.map(written)).toEqual([
    " 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n",
    " 16\n 17\n 18\n-19\n 20\n",
  ]);
});

it("has no hunk for equal texts and one for an added or removed text", () => {
  expect(diffText("a\n", "a\n")).toEqual([]);
  expect(diffText("", "a\nb").map(written)).toEqual(["+a\n+b"]);
  expect(diffText("a\nb", "").map(written)).toEqual(["-a\n-b"]);
  expect(diffText("", "a\nb")).toMatchObject([{ beforeStart: 0, beforeLines: 0, afterStart: 1, afterLines: 2 }]);
  expect(diffText("a", "a\n").map(written)).toEqual(["-a+a\n"]);
});

it("transforms any text into any other", () => {
  const text = fc
    .array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "d"), { maxLength: 30 })
    .map((lines) => lines.join(""));
  fc.assert(
    fc.property(text, text, fc.nat(3), (before, after, context) => {
      const lines = linesOf(before);
      const result: string[] = [];
      let at = 0;
      for (const hunk of diffText(before, after, context)) {
        const start = hunk.beforeLines > 0 ? hunk.beforeStart - 1 : hunk.beforeStart;
        result.push(...lines.slice(at, start));
        expect(result.length).toBe(hunk.afterLines > 0 ? hunk.afterStart - 1 : hunk.afterStart);
        const kept = hunk.lines.filter(({ kind }) => kind !== "added").map((line) => line.text);
        expect(lines.slice(start, start + hunk.beforeLines)).toEqual(kept);
        result.push(...hunk.lines.filter(({ kind }) => kind !== "removed").map((line) => line.text));
        expect(hunk.lines.filter(({ kind }) => kind !== "removed")).toHaveLength(hunk.afterLines);
        at = start + hunk.beforeLines;
      }
      expect([...result, ...lines.slice(at)].join("")).toBe(after);
    }),
  );
});
