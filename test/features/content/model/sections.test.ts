// Splitting texts into sections: text without marks, and texts that were written to be slow.
import { expect, test } from "vitest";
import { sectionsOf } from "#src/features/content/model/sections.ts";

test("sections have the text of prose and code without Markdown marks", () => {
  const markdown = [
    "Before *all* __else__, a snake_case `name`  and _one_ more.",
    "## A [title](page:x)  ##",
    "> - [x] done ~~soon~~",
    "",
    "```sh",
    "",
    "  npm  run x",
    "",
    "```",
    "",
    "Another",
    "=======",
    "",
    '| a | b |\n| --- | :-: |\n| ![c](d.png "e") | [f][g] |',
  ].join("\n");
  expect(sectionsOf(markdown)).toEqual([
    { anchor: null, title: "", pieces: [{ text: "Before all else, a snake_case name and one more.", isCode: false }] },
    {
      anchor: "a-title",
      title: "A title",
      pieces: [
        { text: "done soon", isCode: false },
        { text: "  npm  run x", isCode: true },
      ],
    },
    {
      anchor: "another",
      title: "Another",
      pieces: [
        { text: "a b", isCode: false },
        { text: "c f", isCode: false },
      ],
    },
  ]);
});

const long = 100_000;

/** A run of one character, in the middle of a line and after the possible beginning of a mark. */
const runs = [" ", "\t", "_", "*", "-", "#", "=", "`", "|", ">", "\\", "\n"].flatMap((character) =>
  ["a", "> ", "|", "# a", '[a](b "', "```\na"].map((start) => [start, character] as const),
);

test.each(runs)("sections of %j followed only by %j are parsed in one pass", (start, character) => {
  expect(sectionsOf(`${start}${character.repeat(long)}b`)).toBeInstanceOf(Array);
});

test.each(["_a", "_ ", " #", "- ", "[a](", "[a][", "<a", "<!--", "{%", "| -- ", '[a](b "', "a\n-\n", "# a\n", "` "])(
  "sections of a repeated %j are parsed in one pass",
  (piece) => {
    expect(sectionsOf(piece.repeat(long / piece.length))).toBeInstanceOf(Array);
  },
);
