// A written document is read as the same document, for everything the contract allows: by its Markdown or by a note in
// the Markdown.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { toMarkdown } from "#src/documents/to-markdown.ts";
import { anyDocument, meaningOf } from "#test/platform/rich-document/any-document.ts";
import { runs } from "#test/support/runs.ts";

test("any valid document is read as it was written", () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const read = fromMarkdown(toMarkdown(document));
      expect(meaningOf(read)).toMatchObject(meaningOf(document));
      expect(fromMarkdown(toMarkdown(read))).toEqual(read);
    }),
    { numRuns: runs(120) },
  );
});

const block = (type: string, more: object, ...nodes: object[]) => ({ object: "block", type, ...more, nodes });
const text = (of: string, ...marks: string[]) => ({
  object: "text",
  leaves: [{ text: of, marks: marks.map((type) => ({ type })) }],
});
const paragraph = (of: string, data: object = {}) => block("paragraph", { data }, text(of));
const written = (...nodes: object[]): string => toMarkdown({ nodes }).trimEnd();
const read = (markdown: string) => fromMarkdown(markdown).nodes;

describe("document features without Markdown syntax", () => {
  test("are noted before their block", () => {
    expect(written(paragraph("Plain"), paragraph("Middle", { align: "center", "my-key": [1] }))).toBe(
      'Plain\n\n<!-- docgraph:next paragraph {"data":{"align":"center","my-key":[1]}} -->\n\nMiddle',
    );
    expect(toMarkdown({ data: { schemaVersion: 3, theme: "dark" }, nodes: [paragraph("x")] })).toBe(
      '<!-- docgraph:document {"data":{"schemaVersion":3,"theme":"dark"}} -->\n\nx\n',
    );
    expect(fromMarkdown(toMarkdown({ data: { schemaVersion: 3 }, nodes: [] }))).toMatchObject({
      data: { schemaVersion: 3 },
      nodes: [],
    });
  });

  test("render as their text: blocks, inline nodes and marks of any type", () => {
    const mention = { object: "inline", type: "mention", data: { name: "Ada" }, nodes: [text("@Ada")] };
    expect(written(block("hint", { data: { style: "info" } }, paragraph("Mind the gap."), paragraph("Twice.")))).toBe(
      "> [!NOTE]\n> Mind the gap.\n>\n> Twice.",
    );
    expect(written(block("hint", {}, text("Mind the gap.")))).toBe(
      '<!-- docgraph:next paragraph {"type":"hint"} -->\n\nMind the gap.',
    );
    expect(written(block("paragraph", {}, text("Hi "), mention, text("!", "color")))).toMatch(/ -->\n\nHi @Ada!$/);
    expect(written(block("embed", { isVoid: true, data: { url: "https://example.com/" } }))).toBe(
      '<!-- docgraph:node {"type":"embed","isVoid":true,"data":{"url":"https://example.com/"}} -->',
    );
  });

  test("cannot close their note or become an expression", () => {
    const data = { a: "--> {{ name }} <!--" };
    const markdown = written(paragraph("x", data));
    expect(markdown.split("\n")[0]).not.toMatch(/--> |\{\{|<!--.*<!--/);
    expect(read(markdown)).toMatchObject([{ data }]);
  });
});

describe("after an edit of the Markdown", () => {
  const markdown = written(
    paragraph("Centred", { align: "center" }),
    block("hint", { data: { style: "info" } }, paragraph("In a hint")),
    block("paragraph", { data: { align: "end" } }, text("Red", "red"), text(" words")),
  );

  test("settings and types stay with their blocks, and keys follow the text", () => {
    const edited = markdown.replace("Centred", "Still *centred*").replace("> In", "> More in") + "\n\nNew\n";
    expect(read(edited)).toMatchObject([
      { type: "paragraph", data: { align: "center" }, nodes: [{ leaves: [{ text: "Still " }, { text: "centred" }] }] },
      {
        type: "hint",
        data: { style: "info" },
        nodes: [{ type: "paragraph", nodes: [{ leaves: [{ text: "More in a hint" }] }] }],
      },
      {
        data: { align: "end" },
        nodes: [{ leaves: [{ text: "Red", marks: [{ type: "red" }] }] }, { leaves: [{ text: " words" }] }],
      },
      { data: {}, nodes: [{ leaves: [{ text: "New" }] }] },
    ]);
    expect(read(edited)[0]?.key).toBe(read("Still *centred*")[0]?.key);
    expect(read(markdown)[2]?.key).toBe(read("Red words")[0]?.key);
  });

  test("the new text of a block replaces only the content of that block", () => {
    const { nodes } = fromMarkdown(markdown.replace("Red words", "Red *letters*"));
    expect(nodes[2]).toMatchObject({
      data: { align: "end" },
      nodes: [
        {
          leaves: [
            { text: "Red ", marks: [] },
            { text: "letters", marks: [{ type: "italic" }] },
          ],
        },
      ],
    });
    expect(nodes.slice(0, 2)).toEqual(read(markdown).slice(0, 2));
  });

  test("document settings apply wherever their note is, and only the first note counts", () => {
    const note = (theme: string) => `<!-- docgraph:document {"data":{"theme":"${theme}"}} -->`;
    expect(fromMarkdown(`New\n\n${note("dark")}\n\nOld\n\n${note("light")}`)).toMatchObject({
      data: { schemaVersion: 1, theme: "dark" },
      nodes: [{ type: "paragraph" }, { type: "paragraph" }, { type: "html" }],
    });
  });

  test("notes without a block are ordinary HTML comments", () => {
    const notes = [
      '<!-- docgraph:next heading {"data":{"align":"center"}} -->',
      '<!-- docgraph:next paragraph {"data":{"align":"left"}} -->',
      "<!-- docgraph:next paragraph {oops} -->",
      '<!-- docgraph:node {"nodes":1} -->',
      `<!-- docgraph:node ${'{"nodes":['.repeat(200)}${"]}".repeat(200)} -->`,
      '<!-- docgraph:document {"data":1} -->',
    ];
    for (const note of notes)
      expect(read(`${note}\n\nText`)).toMatchObject([
        { type: "html", data: { source: note } },
        { type: "paragraph", data: {} },
      ]);
  });
});

test("references of every kind convert to URLs and back", () => {
  const [page, space, user] = ["pag", "spc", "usr"].map((prefix) => `${prefix}_01h455vb4pex5vsknk084sn02q`);
  const collection = "col_01h455vb4pex5vsknk084sn02q";
  for (const [address, ref] of [
    [`page:${space}/${page}`, { kind: "page", page, space }],
    [`page:${space}/${page}#part`, { kind: "anchor", page, space, anchor: "part" }],
    [`space:${space}`, { kind: "space", space }],
    [`user:${user}`, { kind: "user", user }],
    [`collection:${collection}`, { kind: "collection", collection }],
    ["openapi:tide-gauge", { kind: "openapi", spec: "tide-gauge" }],
    ["openapi:a/b", { kind: "url", url: "openapi:a/b" }],
    [`user:${space}`, { kind: "url", url: `user:${space}` }],
    [`page:${user}/${page}`, { kind: "url", url: `page:${user}/${page}` }],
  ] as const) {
    expect(read(`[x](${address})`)).toMatchObject([{ nodes: [{ type: "link", data: { ref } }] }]);
    const link = { object: "inline", type: "link", data: { ref }, nodes: [text("x")] };
    expect(written(block("paragraph", {}, link))).toBe(`[x](${address})`);
  }
});
