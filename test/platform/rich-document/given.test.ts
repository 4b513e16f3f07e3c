// Documents that somebody gives: every form of a node is taken or refused with its place, and whatever is given,
// nothing else happens.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DomainError } from "#src/base/errors.ts";
import { documentOf } from "#src/base/rich-document/document-of.ts";
import { markdownOf } from "#src/base/rich-document/markdown-of.ts";

const block = (type: string, nodes: readonly unknown[] = [], data: object = {}) => ({
  object: "block",
  type,
  data,
  nodes,
});
const inline = (type: string, data: object = {}, nodes: readonly unknown[] = []) => ({
  object: "inline",
  type,
  data,
  nodes,
});
const text = (of: string, ...marks: string[]) => ({
  object: "text",
  leaves: [{ text: of, marks: marks.map((type) => ({ type })) }],
});
const url = (to: string) => ({ ref: { kind: "url", url: to } });

/** The Markdown of blocks. */
const written = (...nodes: readonly unknown[]): string => markdownOf({ nodes }).trimEnd();

/** The place and the message of the refusal. */
function refusal(nodes: readonly unknown[]): string {
  try {
    return `Taken: ${markdownOf({ nodes }).trimEnd()}`;
  } catch (error) {
    if (error instanceof DomainError && error.code === "INVALID_INPUT") return error.message;
    throw error;
  }
}

describe("a document", () => {
  test("needs no more than objects and types", () => {
    expect(written()).toBe("");
    expect(written({ object: "block", type: "paragraph" }, { object: "block", type: "divider" })).toBe("***");
    const line = { object: "block", type: "code-line", nodes: [{ object: "text", leaves: [{ text: "x" }] }] };
    expect(written({ object: "block", type: "code", nodes: [line] })).toBe("```\nx\n```");
    expect(written({ ...block("paragraph", [text("x")]), key: 1, isVoid: "?", more: {} })).toBe("x");
    expect(
      written({ object: "block", type: "list-tasks", nodes: [block("list-item", [block("paragraph", [text("x")])])] }),
    ).toBe("- [ ] x");
  });

  test("is text where it looks like Markdown", () => {
    const tricky = "# *a* [b](c) `d` <e> &amp; | - 1. ~~f~~ http://";
    const markdown = written(block("paragraph", [text(tricky)]));
    expect(documentOf(markdown).nodes).toEqual(documentOf(markdownOf(documentOf(markdown))).nodes);
    expect(JSON.stringify(documentOf(markdown))).toContain(JSON.stringify(tricky));
  });

  test("joins marks over texts and links", () => {
    const link = inline("link", { ...url("y"), marks: [{ type: "bold" }] }, [
      text("b", "bold"),
      text("c", "bold", "italic"),
    ]);
    expect(written(block("paragraph", [text("a ", "bold"), link, text(" d", "bold", "code")]))).toBe(
      "**a [b*c*](y)` d`**",
    );
    expect(written(block("paragraph", [inline("link", url("y"), [text("b", "bold")])]))).toBe("[**b**](y)");
    expect(written(block("paragraph", [text("a", "code"), text("b\n\nc", "code"), text("", "bold")]))).toBe("`ab c`");
  });

  test("keeps blanks out of the edges of emphasis, paragraphs and cells, where they say nothing", () => {
    const nodes = [
      text(" "),
      text("a "),
      text(" bold ", "bold"),
      text(" b", "bold", "italic"),
      text(" ", "italic"),
      text("c\t"),
    ];
    expect(written(block("paragraph", nodes))).toBe("a  **bold  _b_** c");
    expect(written(block("paragraph", [text(" \n", "bold")]), block("heading-2", [text(" x ")]))).toBe("## x");
    const cell = block("table-cell", [text(" x "), inline("break"), text(" ")]);
    expect(written(block("table", [block("table-row", [cell])]))).toContain("| x");
  });

  test("gets the head of its table from the first row", () => {
    const row = (...cells: string[]) =>
      block(
        "table-row",
        cells.map((cell) => block("table-cell", [text(cell)])),
      );
    const columns = [{ align: "end" }, { key: "x" }];
    expect(written(block("table", [row("a", "b"), row("1|")], { columns }))).toBe("| a | b |\n| -: | - |\n| 1\\| |");
  });
});

test.each([
  ["null", null, "document/nodes/0: must be an object."],
  ["a text at the top", text("x"), "document/nodes/0/object: must be one of block."],
  ["an unknown block", block("video"), /^document\/nodes\/0\/type: must be one of paragraph, /],
  ["a name of every object", block("constructor"), /^document\/nodes\/0\/type: must be one of /],
  ["an item without a list", block("list-item"), /^document\/nodes\/0\/type: must be one of paragraph, /],
  [
    "a list of paragraphs",
    block("list-ordered", [block("paragraph")]),
    "document/nodes/0/nodes/0/type: must be one of list-item.",
  ],
  [
    "a block in a text",
    block("paragraph", [block("paragraph")]),
    "document/nodes/0/nodes/0/object: must be one of text, inline.",
  ],
  [
    "nodes that are no list",
    { object: "block", type: "paragraph", nodes: {} },
    "document/nodes/0/nodes: must be a list.",
  ],
  [
    "a leaf without text",
    block("heading-1", [{ object: "text", leaves: [{}] }]),
    "document/nodes/0/nodes/0/leaves/0/text: must be given.",
  ],
  [
    "an unknown mark",
    block("paragraph", [text("x", "loud")]),
    "document/nodes/0/nodes/0/leaves/0/marks/0/type: must be one of bold, italic, strikethrough, code.",
  ],
  [
    "NUL",
    block("paragraph", [text("a\0")]),
    "document/nodes/0/nodes/0/leaves/0/text: must be well-formed Unicode without NUL characters.",
  ],
  [
    "half a character",
    block("html", [], { source: "\ud800" }),
    "document/nodes/0/data/source: must be well-formed Unicode without NUL characters.",
  ],
  [
    "a link to nowhere",
    block("paragraph", [inline("link")]),
    "document/nodes/0/nodes/0/data/ref/kind: must be one of page, anchor, file, url.",
  ],
  [
    "a page without id",
    block("paragraph", [inline("image", { ref: { kind: "page" } })]),
    "document/nodes/0/nodes/0/data/ref/page: must be given.",
  ],
  [
    "a link in a link",
    block("paragraph", [inline("link", url("x"), [inline("link", url("y"))])]),
    "document/nodes/0/nodes/0/nodes/0/type: must not be a link: a link cannot be inside another link.",
  ],
  [
    "a start below zero",
    block("list-ordered", [], { start: -1 }),
    "document/nodes/0/data/start: must be a whole number from 0 to 999999999.",
  ],
  [
    "a start that is no number",
    block("list-ordered", [], { start: "1" }),
    "document/nodes/0/data/start: must be a whole number from 0 to 999999999.",
  ],
  [
    "a task that is neither",
    block("list-tasks", [block("list-item", [], { checked: "yes" })]),
    "document/nodes/0/nodes/0/data/checked: must be true or false.",
  ],
  [
    "a table without a row",
    block("table"),
    "document/nodes/0/nodes: must begin with a row that has cells: the head of the table.",
  ],
  [
    "a definition without a name",
    block("definition", [], { ...url("x"), label: " " }),
    "document/nodes/0/data/label: must have 1 to 900 characters, not only blanks.",
  ],
  [
    "emphasis in a line of code",
    block("code", [block("code-line", [inline("break")])]),
    "document/nodes/0/nodes/0/nodes/0/object: must be one of text.",
  ],
])("%s is refused", (_what, node, message) => {
  expect(refusal([node])).toMatch(message);
});

test("what is nested too deep, or has too many parts, is refused before it is written", () => {
  const nested = (levels: number) =>
    Array.from({ length: levels }).reduce<object>(
      (inside) => block("blockquote", [inside]),
      block("paragraph", [text("x")]),
    );
  expect(written(nested(90))).toContain("> > x");
  for (const levels of [101, 110, 50_000])
    expect(refusal([nested(levels)])).toBe("A document has at most 100 levels of blocks, links and marks.");
  const marks = Array.from({ length: 101 }, () => "bold");
  expect(refusal([block("paragraph", [text("x", ...marks)])])).toBe(
    "A document has at most 100 levels of blocks, links and marks.",
  );
  expect(refusal(Array.from({ length: 100_001 }, () => block("divider")))).toBe("A document has at most 100000 nodes.");
  expect(refusal([block("code", [block("code-line", [text("\n".repeat(50_000))])])])).toBe(
    "A document has at most 100000 nodes.",
  );
});

/** JSON that is nearly a document, with anything in any place. */
const { node } = fc.letrec((tie) => {
  const nodes = fc.array(tie("node"), { maxLength: 3 });
  const types =
    "paragraph heading-2 blockquote list-ordered list-tasks list-item code code-line table table-row table-cell html definition footnote link image break footnote-reference".split(
      " ",
    );
  const ref = fc.record(
    {
      kind: fc.constantFrom("page", "anchor", "file", "url", "x"),
      page: fc.string(),
      anchor: fc.string(),
      file: fc.string(),
      url: fc.string(),
    },
    { requiredKeys: [] },
  );
  const marks = fc.array(fc.record({ type: fc.constantFrom("bold", "italic", "strikethrough", "code") }), {
    maxLength: 3,
  });
  const data = fc.record(
    {
      ref,
      marks,
      start: fc.integer(),
      checked: fc.boolean(),
      loose: fc.boolean(),
      label: fc.string(),
      source: fc.string(),
      alt: fc.string(),
      syntax: fc.string(),
      meta: fc.string(),
      title: fc.string(),
      reference: fc.record({ label: fc.string() }),
      columns: fc.array(fc.object({ maxDepth: 1 })),
    },
    { requiredKeys: [] },
  );
  const leaves = fc.array(fc.record({ text: fc.string({ unit: "grapheme" }), marks }), { maxLength: 3 });
  return {
    node: fc.oneof(
      { depthSize: "small" },
      { weight: 4, arbitrary: fc.record({ object: fc.constant("text"), leaves }) },
      {
        weight: 6,
        arbitrary: fc.record(
          { object: fc.constantFrom("block", "inline"), type: fc.constantFrom(...types), data, nodes },
          { requiredKeys: ["object", "type"] },
        ),
      },
      { weight: 1, arbitrary: fc.jsonValue() },
    ),
  };
});

test("whatever is given is written or refused, and what is written can be read", () => {
  const paragraph = fc.array(node, { maxLength: 4 }).map((nodes) => block("paragraph", nodes));
  fc.assert(
    fc.property(fc.array(fc.oneof(node, paragraph), { maxLength: 4 }), (nodes) => {
      const result = refusal(nodes);
      if (result.startsWith("Taken: ")) documentOf(result);
      else expect(result).toMatch(/^document\/nodes\//);
    }),
    { numRuns: 2000 },
  );
});
