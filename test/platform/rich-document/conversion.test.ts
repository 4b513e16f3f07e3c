// Rich documents keep the meaning of their Markdown: for all of GitHub Flavored Markdown, and for every page of a real
// book.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RichDocument } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { toMarkdown } from "#src/documents/to-markdown.ts";
import { anyMarkdown, htmlOf } from "#test/platform/rich-document/markdown.ts";
import { bookHistory, readBook } from "#test/support/samples.ts";
import { runs, someOf } from "#test/support/runs.ts";

/** Line breaks have no meaning and are not kept beside HTML. */
const unbroken = (document: RichDocument): unknown =>
  JSON.parse(JSON.stringify(document), (_name, value: unknown) =>
    typeof value === "string" ? value.replaceAll("\n", " ") : value,
  );

/** Converts there and back: meaning and document are equal, and after the first round also the text. */
function expectKept(markdown: string): void {
  const document = fromMarkdown(markdown);
  const again = toMarkdown(document);
  expect(htmlOf(again)).toBe(htmlOf(markdown));
  expect(unbroken(fromMarkdown(again))).toEqual(unbroken(document));
  expect(toMarkdown(fromMarkdown(again))).toBe(again);
}

test("any Markdown keeps its meaning when converted to a document and back", () => {
  fc.assert(fc.property(anyMarkdown, expectKept), { numRuns: runs(100) });
});

describe.skipIf(!bookHistory)("the sample book keeps its meaning when converted to documents and back", () => {
  test.for(someOf(readBook()))("%s keeps its meaning", ([, text]) => expectKept(text));
});

/** The nodes of a text, without keys and defaults. */
function nodesOf(markdown: string): unknown {
  return JSON.parse(JSON.stringify(fromMarkdown(markdown).nodes), (name, value: unknown) => {
    if (name === "key" || name === "object" || name === "isVoid") return undefined;
    const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
    return isEmpty && ["data", "marks", "nodes"].includes(name) ? undefined : value;
  });
}
const text = (...leaves: [text: string, ...marks: string[]][]) => ({
  leaves: leaves.map(([of, ...marks]) => ({
    text: of,
    ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
  })),
});
const paragraph = (...nodes: unknown[]) => ({ type: "paragraph", nodes });

test("a document is valid against the contract, and an empty text has no nodes", () => {
  expect(fromMarkdown("")).toEqual({ object: "document", data: { schemaVersion: 1 }, nodes: [] });
  expect(fromMarkdown("Hi")).toEqual({
    object: "document",
    data: { schemaVersion: 1 },
    nodes: [
      {
        object: "block",
        type: "paragraph",
        key: expect.any(String),
        isVoid: false,
        data: {},
        nodes: [{ object: "text", key: expect.any(String), leaves: [{ object: "leaf", text: "Hi", marks: [] }] }],
      },
    ],
  });
});

test("emphasis becomes marks, the outermost first", () => {
  expect(nodesOf("a *b **c*** ~~`d`~~")).toEqual([
    paragraph(text(["a "], ["b ", "italic"], ["c", "italic", "bold"], [" "], ["d", "strikethrough", "code"])),
  ]);
});

test("links and images have their targets and the marks around them", () => {
  const page = "pag_01h455vb4pex5vsknk084sn02q";
  const file = "fil_01h455vb4pex5vsknk084sn02q";
  const refs: [string, object][] = [
    [`page:${page}`, { kind: "page", page }],
    [`page:${page}#part`, { kind: "anchor", page, anchor: "part" }],
    ["#part", { kind: "anchor", anchor: "part" }],
    [`file:${file}`, { kind: "file", file }],
    ["https://example.com/#x", { kind: "url", url: "https://example.com/#x" }],
    ["page:other", { kind: "url", url: "page:other" }],
  ];
  for (const [address, ref] of refs) {
    expect(nodesOf(`[x](${address})`)).toEqual([paragraph({ type: "link", data: { ref }, nodes: [text(["x"])] })]);
    expect(nodesOf(`![x](${address} "T")`)).toEqual([
      paragraph({ type: "image", data: { ref, alt: "x", title: "T" } }),
    ]);
  }
  const marks = [{ type: "bold" }];
  const ref = { kind: "url", url: "y" };
  expect(nodesOf("**a [*b*](y)**")).toEqual([
    paragraph(text(["a ", "bold"]), { type: "link", data: { ref, marks }, nodes: [text(["b", "bold", "italic"])] }),
  ]);
});

test("reference links have the target of their definition and stay references while it matches", () => {
  const markdown = '[a][Ref] ![b][ref]\n\n[ref]: https://example.com/1 "T"\n';
  const ref = { kind: "url", url: "https://example.com/1" };
  const reference = (label: string) => ({ label, form: "full" });
  expect(nodesOf(markdown)).toEqual([
    paragraph(
      { type: "link", data: { ref, title: "T", reference: reference("Ref") }, nodes: [text(["a"])] },
      text([" "]),
      { type: "image", data: { ref, title: "T", reference: reference("ref"), alt: "b" } },
    ),
    { type: "definition", data: { label: "ref", ref, title: "T" } },
  ]);
  const document = JSON.stringify(fromMarkdown(markdown));
  expect(toMarkdown(JSON.parse(document))).toBe(markdown);
  const elsewhere = document.replace("example.com/1", "example.com/2"); // the first is that of the link
  expect(toMarkdown(JSON.parse(elsewhere))).toContain('[a](https://example.com/2 "T") ![b][ref]');
  const { nodes } = fromMarkdown(markdown);
  expect(toMarkdown({ nodes: nodes.slice(0, 1) })).toBe(
    '[a](https://example.com/1 "T") ![b](https://example.com/1 "T")\n',
  );
});

test("lists have their kind, start and looseness", () => {
  const item = (of: string, data?: object) => ({
    type: "list-item",
    ...(data && { data }),
    nodes: [paragraph(text([of]))],
  });
  expect(nodesOf("- a\n- b")).toEqual([{ type: "list-unordered", nodes: [item("a"), item("b")] }]);
  expect(nodesOf("3) a\n\n4) b")).toEqual([
    { type: "list-ordered", data: { start: 3, loose: true }, nodes: [item("a"), item("b")] },
  ]);
  const tasks = [item("a", { checked: true }), item("b", { checked: false })];
  expect(nodesOf("- [x] a\n- [ ] b")).toEqual([{ type: "list-tasks", nodes: tasks }]);
  expect(nodesOf("- [x] a\n- b")).toEqual([{ type: "list-unordered", nodes: [tasks[0], item("b")] }]);
});

test("code blocks have lines, the language and the rest of the info string", () => {
  const lines = (...of: string[]) => of.map((line) => ({ type: "code-line", ...(line && { nodes: [text([line])] }) }));
  expect(nodesOf("```js title=x\na\n\n  b\n```")).toEqual([
    { type: "code", data: { syntax: "js", meta: "title=x" }, nodes: lines("a", "", "  b") },
  ]);
  expect(nodesOf("```\n```")).toEqual([{ type: "code" }]);
});

test("a table cell has its column", () => {
  const { nodes } = fromMarkdown("|a|b|b|\n|:-|:-:|-|\n|1|2|3|4|\n|5|");
  const [table] = nodes;
  const columns = table?.data["columns"] as { key: string; align?: string }[]; // a table has them
  expect(columns.map(({ align }) => align)).toEqual(["start", "center", undefined]);
  expect(new Set(columns.map(({ key }) => key)).size).toBe(3);
  const definitions = table?.nodes.map(
    (row) => row.object !== "text" && row.nodes.map((cell) => cell.object !== "text" && cell.data["definition"]),
  );
  const keys = columns.map(({ key }) => key);
  expect(definitions).toEqual([keys, [...keys, undefined], keys.slice(0, 1)]);
});

test("HTML stays text, and footnotes stay footnotes", () => {
  const { nodes } = fromMarkdown("<script>alert(1)</script>\n\na<b>b</b>[^n]\n\n[^n]: note");
  expect(nodes.map(({ type, data }) => [type, data])).toEqual([
    ["html", { source: "<script>alert(1)</script>" }],
    ["paragraph", {}],
    ["footnote", { label: "n" }],
  ]);
  expect(nodes[1]?.nodes.map((node) => node.object === "inline" && [node.type, node.data])).toEqual([
    false,
    ["html", { source: "<b>" }],
    false,
    ["html", { source: "</b>" }],
    ["footnote-reference", { label: "n" }],
  ]);
});

test("a line ending in inline code becomes a space and stays one", () => {
  const text = JSON.stringify(nodesOf("Run `npm\nfund` or `npm\r\nci`."));
  expect(text).toContain('"npm fund"');
  expect(text).toContain('"npm ci"');
});
