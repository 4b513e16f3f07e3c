// Splitting texts into sections: text without marks, and texts that were written to be slow.
import { expect, test } from "vitest";
import { sectionsOf as read } from "#src/documents/convert.ts";
import { sectionsIn } from "#src/documents/sections/sections.ts";
import type { Section } from "#src/documents/sections/section.ts";

const sectionsOf = (markdown: string) =>
  sectionsIn(markdown).sections.map(({ aliases: _names, ...section }: Section) => section);

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
        { text: "c [f][g]", isCode: false },
      ],
    },
  ]);
});

const pieces = [" ", "\t", "_", "*", "-", "#", "=", "`", "|", ">", "\\", "\n", "$", "{", "{%", "{{", "%%"].concat(
  ["_a", "_ ", " #", "- ", "[a](", "[a][", "<a", "<!--", "| -- ", '[a](b "', "a\n-\n", "# a\n", "` ", "$a ", "$$ a\n"],
  ["!!! a\n", "%%\n", ":::\n", "<a id='"],
);

test("sections of repeated pieces of syntax are read, and a text that is too deep is one section", async () => {
  for (const piece of pieces) expect((await read(piece.repeat(1_000 / piece.length))).sections).toBeInstanceOf(Array);
  for (const levels of [200, 12_000]) {
    const deep = "> ".repeat(levels);
    expect((await read(deep)).sections).toEqual([
      { anchor: null, aliases: [], title: "", pieces: [{ text: deep, isCode: false }] },
    ]);
  }
});

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
