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

test("a heading has the name that its author gave it, and no attributes in its title", () => {
  const named = (heading: string) => sectionsOf(heading).map(({ anchor, title }) => [anchor, title]);
  expect(named("# Set up {#install}\n\n## More {#install}")).toEqual([
    ["install", "Set up"],
    ["install-2", "More"],
  ]);
  expect(named("## Set up {#install .wide}")).toEqual([["install", "Set up"]]);
  expect(named("Set up {.wide}\n---")).toEqual([["set-up", "Set up"]]);
  expect(named('## Set up <a href="#install" id="install"></a>')).toEqual([["install", "Set up"]]);
  expect(named("## Set up {#tab_1}")).toEqual([["set-up", "Set up"]]);
  expect(named("## The type {a: b}")).toEqual([["the-type-a-b", "The type {a: b}"]]);
});
