// Keys of nodes: unique in a document, stable under changes of other nodes, and usable to find a node again.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Block, findCell, findNode, keysOf, type RichDocument, textOfNode } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { toMarkdown } from "#src/documents/to-markdown.ts";
import { anyMarkdown } from "#test/platform/rich-document/markdown.ts";
import { bookHistory, readBook } from "#test/support/samples.ts";
import { runs } from "#test/support/runs.ts";

const edit = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom("insert", "delete", "replace", "move"),
  to: fc.nat(),
  text: fc.constantFrom(
    "A new paragraph.",
    "# New\n\n- one\n- two",
    "| new |\n| --- |\n| cell |",
    "```\nnew code\n```",
  ),
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** Without its footnote a reference is text. */
const isNamed = (type: string): boolean => type === "footnote" || type === "definition";

/** Changes some top-level blocks; returns the unchanged ones. */
function edited(blocks: readonly Block[], edits: readonly Edit[]): { blocks: Block[]; untouched: Set<Block> } {
  const result = blocks.filter(({ type }) => !isNamed(type));
  const untouched = new Set(blocks);
  for (const { at, kind, to, text } of edits) {
    const place = at % (result.length + 1);
    const taken = result.splice(place, kind === "insert" ? 0 : 1);
    if (kind === "move") result.splice(to % (result.length + 1), 0, ...taken);
    else for (const block of taken) untouched.delete(block);
    if (kind === "insert" || kind === "replace") result.splice(place, 0, ...fromMarkdown(text).nodes);
  }
  return { blocks: [...result, ...blocks.filter(({ type }) => isNamed(type))], untouched };
}

/** The keys without the numbers that distinguish equal nodes. */
const unnumbered = (document: RichDocument): Set<string> =>
  new Set(keysOf(document).map((key) => key.split(".")[0] ?? ""));

/**
 * After any changes of other blocks, unchanged ones are found by their keys; only the numbers of equal ones may
 * change.
 */
function expectStable(before: RichDocument, edits: readonly Edit[]): void {
  const { blocks, untouched } = edited(before.nodes, edits);
  const after = fromMarkdown(toMarkdown({ nodes: blocks }));
  const still = unnumbered(after);
  const lost = [...unnumbered({ ...before, nodes: [...untouched] })].filter((key) => !still.has(key));
  expect(lost).toEqual([]);
  expect(new Set(keysOf(after)).size).toBe(keysOf(after).length);
}

test("keys of any Markdown are stable under changes of other blocks", () => {
  fc.assert(
    fc.property(anyMarkdown, fc.array(edit, { minLength: 1, maxLength: 4 }), (markdown, edits) =>
      expectStable(fromMarkdown(markdown), edits),
    ),
    { numRuns: runs(60) },
  );
});

test.skipIf(!bookHistory)("keys of book pages are stable under changes of other blocks", () => {
  const pages = fc.constantFrom(...readBook().map(([, text]) => text));
  fc.assert(
    fc.property(pages, fc.array(edit, { minLength: 1, maxLength: 6 }), (markdown, edits) =>
      expectStable(fromMarkdown(markdown), edits),
    ),
    { numRuns: runs(30) },
  );
});

describe("a node key", () => {
  const document = fromMarkdown("# One\n\nsame\n\n- same\n- other *word*\n\nsame\n\n![](a) ![](b)");
  const keyOf = (markdown: string): string | undefined => fromMarkdown(markdown).nodes[0]?.key;

  test("is short, URL-safe and unique in a document", () => {
    const keys = keysOf(document);
    expect(keys.filter((key) => !/^[\w-]{12}(\.\d+)?$/.test(key))).toEqual([]);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => key.includes("."))).toHaveLength(6); // three paragraphs, three texts
  });

  test("identifies only its node", () => {
    for (const key of keysOf(document)) expect(findNode(document, key)?.key).toBe(key);
    for (const key of ["", "toString", `${keysOf(document)[0]}.9`]) expect(findNode(document, key)).toBeNull();
  });

  test("depends on type and text, not on marks, settings and link targets", () => {
    expect(keyOf("a *b* [c](d)\ne")).toBe(keyOf("**a** b [c](other) e"));
    expect(keyOf("- [ ] task")).toBe(keyOf("- [x] task"));
    expect(keyOf("```js\ncode\n```")).toBe(keyOf("```ts\ncode\n```"));
    expect(keyOf("[c][r]\n\n[r]: d")).toBe(keyOf("[c][r]\n\n[r]: other"));
    expect(keyOf("# a")).not.toBe(keyOf("## a"));
    expect(keyOf("![](a)")).not.toBe(keyOf("![](b)"));
    expect(keyOf("- a")).not.toBe(keyOf("- b"));
  });
});

test("a cell is found by the keys of its row and column after changes of others", () => {
  const before = fromMarkdown("| Name | Size |\n| --- | --- |\n| a | 1 |\n| b | 2 |");
  const [table] = before.nodes;
  const [, , row] = table?.nodes ?? [];
  const [, column] = (table?.data["columns"] ?? []) as { key: string }[]; // so the columns of a table are
  const cellIn = (document: RichDocument) => findCell(document, row?.key ?? "", column?.key ?? "");
  const found = cellIn(before);
  expect(found && textOfNode(found)).toBe("2");
  const after = cellIn(
    fromMarkdown("New\n\n| Name | Size | New |\n| - | -: | - |\n| a | 100 |\n| new | 3 |\n| *b* | 2 |"),
  );
  expect(after && textOfNode(after)).toBe("2");
  expect(findCell(before, column?.key ?? "", row?.key ?? "")).toBeNull();
  expect(findCell(before, row?.key ?? "", row?.key ?? "")).toBeNull();
});

test("the text of a node has lines and no marks", () => {
  const textOf = (markdown: string) => fromMarkdown(markdown).nodes.map(textOfNode);
  expect(textOf("# A *b* `c`\n\n- one\n- two\\\n  lines\n\n> ![alt](x) [link](y)<br>\n\n---")).toEqual([
    "A b c",
    "one\ntwo\nlines",
    "alt link<br>",
    "",
  ]);
  expect(textOf("```\na\n\nb\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n<p>\n")).toEqual(["a\n\nb", "a\nb\n1\n2", "<p>"]);
});
