// The sections of any text: what of it is text and what is marks, and texts that were written to be slow.
import { expect, test } from "vitest";
import { sectionsOf } from "#src/features/content/model/sections.ts";

test("have the text of prose and code, without marks of Markdown", () => {
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

/** A run of one character in the middle of a line, and behind what may begin a mark. */
const runs = [" ", "\t", "_", "*", "-", "#", "=", "`", "|", ">", "\\", "\n"].flatMap((character) =>
  ["a", "> ", "|", "# a", '[a](b "', "```\na"].map((start) => [start, character] as const),
);

test.each(runs)("a text of %j and nothing but %j is looked through in one pass", (start, character) => {
  expect(sectionsOf(`${start}${character.repeat(long)}b`)).toBeInstanceOf(Array);
});

test.each(["_a", "_ ", " #", "- ", "[a](", "[a][", "<a", "<!--", "{%", "| -- ", '[a](b "', "a\n-\n", "# a\n", "` "])(
  "a text of %j again and again is looked through in one pass",
  (piece) => {
    expect(sectionsOf(piece.repeat(long / piece.length))).toBeInstanceOf(Array);
  },
);
