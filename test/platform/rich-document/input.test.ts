// Rich documents as input: every form of a node is accepted or refused with its path, and any input is handled without
// other errors.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DomainError } from "#src/base/errors.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { toMarkdown } from "#src/documents/to-markdown.ts";
import { runs } from "#test/support/runs.ts";

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
const number = "01h455vb4pex5vsknk084sn02q";
const url = (to: string) => ({ ref: { kind: "url", url: to } });

/** The Markdown of blocks. */
const written = (...nodes: readonly unknown[]): string => toMarkdown({ nodes }).trimEnd();

/** The path and the message of the error. */
function refusal(nodes: readonly unknown[]): string {
  try {
    return `Taken: ${toMarkdown({ nodes }).trimEnd()}`;
  } catch (error) {
    if (error instanceof DomainError && error.code === "INVALID_INPUT") return error.message;
    throw error;
  }
}

describe("a rich document given as input", () => {
  test("needs only objects and types", () => {
    expect(written()).toBe("");
    expect(written({ object: "block", type: "paragraph" })).toBe("");
    expect(written({ object: "block", type: "divider" })).toBe("***");
    const line = { object: "block", type: "code-line", nodes: [{ object: "text", leaves: [{ text: "x" }] }] };
    expect(written({ object: "block", type: "code", nodes: [line] })).toBe("```\nx\n```");
    expect(written({ ...block("paragraph", [text("x")]), key: 1, isVoid: "?" })).toBe("x");
    expect(
      written({ object: "block", type: "list-tasks", nodes: [block("list-item", [block("paragraph", [text("x")])])] }),
    ).toBe("- [ ] x");
  });

  test("treats Markdown syntax in texts as text", () => {
    const tricky = "# *a* [b](c) `d` <e> &amp; | - 1. ~~f~~ http://";
    const markdown = written(block("paragraph", [text(tricky)]));
    expect(fromMarkdown(markdown).nodes).toEqual(fromMarkdown(toMarkdown(fromMarkdown(markdown))).nodes);
    expect(JSON.stringify(fromMarkdown(markdown))).toContain(JSON.stringify(tricky));
  });

  test("merges marks over texts and links", () => {
    const link = inline("link", { ...url("y"), marks: [{ type: "bold" }] }, [
      text("b", "bold"),
      text("c", "bold", "italic"),
    ]);
    expect(written(block("paragraph", [text("a ", "bold"), link, text(" d", "bold", "code")]))).toBe(
      "**a [b*c*](y)` d`**",
    );
    expect(written(block("paragraph", [inline("link", url("y"), [text("b", "bold")])]))).toBe("[**b**](y)");
    expect(written(block("paragraph", [text("a", "code"), text("b\n\nc", "code"), text("", "bold")]))).toMatch(
      /\n`ab c`$/,
    );
  });

  test("keeps spaces at the edges of paragraphs, headings and cells, and moves those of emphasis", () => {
    const nodes = [
      text(" "),
      text("a "),
      text(" bold ", "bold"),
      text(" b", "bold", "italic"),
      text(" ", "italic"),
      text("c\t"),
    ];
    expect(written(block("paragraph", nodes))).toBe("&#x20;a  **bold  _b_** c&#x9;");
    expect(written(block("paragraph", [text(" \n", "bold")]))).toBe("&#x20;&#xA;");
    expect(written(block("heading-2", [text(" x ")]))).toBe("## &#x20;x&#x20;");
    const cell = block("table-cell", [text(" x ")]);
    expect(written(block("table", [block("table-row", [cell])]))).toContain("| &#x20;x&#x20; |");
  });

  test("uses the first row of a table as its header", () => {
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
  ["a block without a type", { object: "block" }, "document/nodes/0/type: must be given."],
  [
    "a node of no kind",
    block("paragraph", [{ object: "leaf" }]),
    "document/nodes/0/nodes/0/object: must be one of block, inline, text.",
  ],
  [
    "an unknown alignment",
    block("paragraph", [], { align: "left" }),
    "document/nodes/0/data/align: must be one of start, center, end.",
  ],
  [
    "nodes that are not a list",
    { object: "block", type: "paragraph", nodes: {} },
    "document/nodes/0/nodes: must be a list.",
  ],
  [
    "a leaf without text",
    block("heading-1", [{ object: "text", leaves: [{}] }]),
    "document/nodes/0/nodes/0/leaves/0/text: must be given.",
  ],
  [
    "a mark without a type",
    block("paragraph", [{ object: "text", leaves: [{ text: "x", marks: [{}] }] }]),
    "document/nodes/0/nodes/0/leaves/0/marks/0/type: must be given.",
  ],
  [
    "a mark whose type is not a string",
    block("paragraph", [{ object: "text", leaves: [{ text: "x", marks: [{ type: 1 }] }] }]),
    "document/nodes/0/nodes/0/leaves/0/marks/0/type: must be a string.",
  ],
  [
    "data that is not an object",
    { object: "block", type: "hint", data: [] },
    "document/nodes/0/data: must be an object.",
  ],
  [
    "half a character in free data",
    block("hint", [], { a: [{ "b/c": "\ud800" }] }),
    "document/nodes/0/data/a/0/b~1c: must be well-formed Unicode without NUL characters.",
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
    "a reference of no kind",
    block("paragraph", [inline("link", { ref: {} })]),
    "document/nodes/0/nodes/0/data/ref/kind: must be one of page, anchor, file, url, space, user, collection, openapi.",
  ],
  [
    "a page without id",
    block("paragraph", [inline("image", { ref: { kind: "page" } })]),
    "document/nodes/0/nodes/0/data/ref/page: must be given.",
  ],
  [
    "a space without page",
    block("paragraph", [inline("link", { ref: { kind: "anchor", anchor: "x", space: `spc_${number}` } })]),
    "document/nodes/0/nodes/0/data/ref/page: must be given.",
  ],
  [
    "a page id that leaves its URL path",
    block("paragraph", [inline("link", { ref: { kind: "page", page: `spc_${number}/pag_${number}` } })]),
    "document/nodes/0/nodes/0/data/ref/page: must be the id of a page.",
  ],
  [
    "a page of an invalid space",
    block("paragraph", [inline("link", { ref: { kind: "page", page: `pag_${number}`, space: "../x" } })]),
    "document/nodes/0/nodes/0/data/ref/space: must be the id of a space.",
  ],
  [
    "a space as a user",
    block("paragraph", [inline("link", { ref: { kind: "user", user: `spc_${number}` } })]),
    "document/nodes/0/nodes/0/data/ref/user: must be the id of a user.",
  ],
  [
    "a specification name that breaks out of its link",
    block("definition", [], { label: "x", ref: { kind: "openapi", spec: "a)(b" } }),
    "document/nodes/0/data/ref/spec: must be the slug or id of a specification.",
  ],
])("refuses the invalid node %s", (_what, node, message) => {
  expect(refusal([node])).toMatch(message);
});

test("refuses a document that is nested too deep or has too many nodes before writing it", () => {
  const nested = (levels: number) =>
    Array.from({ length: levels }).reduce<object>(
      (inside) => block("blockquote", [inside]),
      block("paragraph", [text("x")]),
    );
  expect(written(nested(90))).toContain("> > x");
  for (const levels of [101, 110, 50_000])
    expect(refusal([nested(levels)])).toBe("A document may have at most 100 levels of blocks, links and marks.");
  const marks = Array.from({ length: 101 }, () => "bold");
  expect(refusal([block("paragraph", [text("x", ...marks)])])).toBe(
    "A document may have at most 100 levels of blocks, links and marks.",
  );
  expect(refusal(Array.from({ length: 100_001 }, () => block("divider")))).toBe(
    "A document may have at most 100000 nodes.",
  );
  expect(refusal([block("code", [block("code-line", [text("\n".repeat(50_000))])])])).toBe(
    "A document may have at most 100000 nodes.",
  );
});

/** JSON similar to a document, with arbitrary values. */
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

test("any input is written or refused, and written documents can be read", () => {
  const paragraph = fc.array(node, { maxLength: 4 }).map((nodes) => block("paragraph", nodes));
  fc.assert(
    fc.property(fc.array(fc.oneof(node, paragraph), { maxLength: 4 }), (nodes) => {
      const result = refusal(nodes);
      if (result.startsWith("Taken: ")) fromMarkdown(result);
      else expect(result).toMatch(/^document\/nodes\//);
    }),
    { numRuns: runs(300) },
  );
});
