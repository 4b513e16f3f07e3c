// The links of any text: the same as a full Markdown parser finds, with their positions; and texts written to be slow.
import fc from "fast-check";
import type { Nodes } from "mdast";
import { expect, test } from "vitest";
import { newParser } from "#src/documents/markdown.ts";
import { linksIn } from "#src/features/links/model/text-links.ts";

const parser = newParser().freeze();

/** The addresses that a full parser finds. */
function parseAddresses(markdown: string): string[] {
  const found: string[] = [];
  const walk = (node: Nodes): void => {
    if (node.type === "link" || node.type === "image" || node.type === "definition") found.push(node.url);
    if ("children" in node) for (const child of node.children) walk(child);
  };
  walk(parser.parse(markdown));
  return found;
}

const pieces = [
  "[a](https://a.example.com)",
  '[b](b.md "title")',
  "![c](<c d.png>)",
  "[![e](e.png)](page:x#y)",
  "<https://f.example.com>",
  "`[no](no.md)`",
  "\\[no](no.md)",
  "text",
  "**bold**",
  "- item [g](g(1).md)",
  "> quote [h](#h)",
  "# Heading [i](i.md)",
  "```\n[no](no.md)\n```",
  "| [j](j.md) |\n| --- |\n| ![k](k.png) |",
];

test("links of a text are those of a full parser, at the same positions", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (some) => {
      const markdown = some.join("\n\n");
      const links = linksIn(markdown);
      expect(links.map(({ address }) => address).toSorted()).toEqual(parseAddresses(markdown).toSorted());
      for (const { start, end, address } of links) expect(markdown.slice(start, end)).toBe(address);
    }),
    { numRuns: 100 },
  );
});

test("links of any text are found without exceptions, within the text", () => {
  const any = fc.array(
    fc.constantFrom(..."[]()!<>`\"'\\{}#:/& \n\taé".split(""), "](", "{{ a }}", "https://", "<a href="),
    {
      maxLength: 200,
    },
  );
  fc.assert(
    fc.property(any, (some) => {
      const markdown = some.join("");
      for (const { start, end } of linksIn(markdown))
        expect([start >= 0, end > start, end <= markdown.length]).toEqual([true, true, true]);
    }),
    { numRuns: 300 },
  );
});

test.for([
  "[",
  "](",
  "[](",
  '[x](y "',
  "[x](y '",
  "![",
  "<a ",
  '<a href="',
  "{{",
  "[x]({{",
  "[x]((",
  "`",
  "[x]: ",
  "\\",
  "https://",
  "[x](<",
])("links of a text of only %j are parsed in one pass", (piece) => {
  expect(linksIn(piece.repeat(100_000 / piece.length))).toBeInstanceOf(Array);
});
