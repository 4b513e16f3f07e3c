// Arbitrary documents that the contract allows, and their normal form for comparisons.
import fc from "fast-check";

const id = (prefix: string): string => `${prefix}_01h455vb4pex5vsknk084sn02q`;
const [page, space] = [id("pag"), id("spc")];

const ref = fc.constantFrom<object>(
  { kind: "page", page },
  { kind: "page", page, space },
  { kind: "anchor", anchor: "part 2" },
  { kind: "anchor", page, anchor: "part" },
  { kind: "anchor", page, space, anchor: "part" },
  { kind: "file", file: id("fil") },
  { kind: "space", space },
  { kind: "user", user: id("usr") },
  { kind: "collection", collection: id("col") },
  { kind: "openapi", spec: "tide-gauge" },
  { kind: "url", url: "https://example.com/a b?c=(d)" },
  { kind: "url", url: "" },
  { kind: "url", url: `user:${id("usr")}`, more: [1] },
);

const oddTexts = [
  "",
  " ",
  "two words",
  " blanks at both ends ",
  "a  b",
  "line\nbreak",
  "a\n\nb",
  "\t",
  "# no heading",
  "1. one",
  "- x",

  "<b>",
  "<!-- x",
  "-->",
  "<!-- docgraph:node {} -->",
  "{{ name }}",
  "{% tag %}",
  "$x$ and $$y$$",
  "%%",
  ":::note",
  '!!! note "x"',
  "`",
  "``` x",
  "&amp;",
  "\\",
  "*",
  "_a_",
  "[a]",
  "![",
  "|",

  "https://example.com",
  "me@example.com",
  "[^1]",
  "[x]",
  "~~",
  "***",
  "====",
  "😀",
  "Ünï",
  "\u00a0",
  "\u2028",
  "~~~",
];
const text = fc
  .oneof(fc.constantFrom(...oddTexts), fc.string({ unit: "grapheme", maxLength: 12 }))
  .map((of) => of.replaceAll("\0", ""));

const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, 1, "x", -0.5, "a>b--", "{{x}}"),
  fc.jsonValue({ maxDepth: 2 }),
);
const name = fc.constantFrom(
  "align2",
  "style",
  "__proto__",
  "constructor",
  "key",
  "nodes",
  "ref",
  "start",
  "checked",
  "a b",
);
const free = fc.dictionary(name, value, { maxKeys: 2 });

const data = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  fc.record({ align: fc.constantFrom("start", "center", "end") }),
  free,
);

const mark = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom("bold", "italic", "strikethrough", "code") }) },
  fc.record({ object: fc.constant("mark"), type: fc.constantFrom("color", "constructor", ""), data: free }),
);
const leaf = fc.record({ text, marks: fc.array(mark, { maxLength: 2 }) }, { requiredKeys: ["text"] });
const texts = fc.record({ object: fc.constant("text"), leaves: fc.array(leaf, { maxLength: 3 }) });

const inlineTypes = ["link", "image", "break", "html", "footnote-reference", "markdown", "mention", "constructor"];
const blockTypes = (
  "paragraph heading-1 heading-6 blockquote list-ordered list-unordered list-tasks list-item code code-line table table-row table-cell divider html " +
  "definition footnote markdown hint embed toString"
)
  .split(" ")
  .concat("a b", "");

const settings = fc.oneof(
  { weight: 3, arbitrary: data },
  fc.record({ ref, title: text, alt: text }, { requiredKeys: ["ref"] }),
  fc.record({ label: text, ref }, { requiredKeys: ["label"] }),
  fc.record({ source: text }),
  fc.record({ checked: fc.boolean(), loose: fc.boolean(), start: fc.nat(9) }, { requiredKeys: [] }),
  fc.record({ syntax: text, meta: text }, { requiredKeys: [] }),
);

const isReferring = (type: string): boolean => ["link", "image", "definition"].includes(type);

/** Types whose `ref` is checked: here it is valid or missing. */
const withFreeRef = <Node extends { type: string; data?: object }>(node: Node): Node => {
  const given: { ref?: unknown } = node.data ?? {};
  const isFree = typeof given.ref !== "object" || given.ref === null || !("kind" in given.ref);
  return isReferring(node.type) && isFree
    ? { ...node, data: Object.fromEntries(Object.entries(given).filter(([of]) => of !== "ref")) }
    : node;
};

interface Nodes {
  flowing: object[];
  blocks: object[];
  block: object;
}

const element = (object: string, types: readonly string[], nodes: fc.Arbitrary<object[]>) =>
  fc
    .record(
      {
        object: fc.constant(object),
        type: fc.constantFrom(...types),
        key: fc.constant("k"),
        isVoid: fc.boolean(),
        data: settings,
        nodes,
      },
      { requiredKeys: ["object", "type"] },
    )
    .map(withFreeRef);

const of = (type: string, nodes: readonly object[], more: object = {}) => ({ object: "block", type, nodes, ...more });

const { block } = fc.letrec<Nodes>((tie: fc.LetrecTypedTie<Nodes>) => ({
  flowing: fc.array(
    fc.oneof({ depthSize: "small" }, { weight: 3, arbitrary: texts }, element("inline", inlineTypes, tie("flowing"))),
    {
      maxLength: 4,
    },
  ),
  blocks: fc.array(tie("block"), { maxLength: 3 }),
  block: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc
      .tuple(fc.constantFrom("paragraph", "heading-2", "hint"), tie("flowing"), data)
      .map(([type, nodes, own]) => of(type, nodes, { data: own })),
    // Well-formed lists, tables and code.
    fc
      .tuple(
        fc.constantFrom("list-ordered", "list-unordered", "list-tasks"),
        fc.array(tie("blocks"), { minLength: 1, maxLength: 3 }),
        data,
      )
      .map(([type, items, own]) =>
        of(
          type,
          items.map((nodes) => of("list-item", nodes)),
          { data: own },
        ),
      ),
    fc
      .tuple(fc.array(fc.array(tie("flowing"), { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 3 }), data)
      .map(([rows, own]) =>
        of(
          "table",
          rows.map((cells) =>
            of(
              "table-row",
              cells.map((nodes) => of("table-cell", nodes)),
            ),
          ),
          { data: own },
        ),
      ),
    fc.array(texts, { maxLength: 3 }).map((lines) =>
      of(
        "code",
        lines.map((line) => of("code-line", [line])),
      ),
    ),
    fc
      .tuple(fc.constantFrom("blockquote", "hint", "list-item"), tie("blocks"), data)
      .map(([type, nodes, own]) => of(type, nodes, { data: own })),
    // Any other node.
    element("block", blockTypes, fc.oneof(tie("flowing"), tie("blocks"))),
  ),
}));

const isEmpty = (node: { type?: string; nodes?: readonly object[]; data?: object }): boolean =>
  node.type === "paragraph" && !node.nodes?.length && !Object.keys(node.data ?? {}).length;

/** Any valid document, except those of only empty paragraphs, which are empty texts. */
export const anyDocument = fc
  .record(
    {
      object: fc.constant("document"),
      data: fc.oneof(
        fc.constant({}),
        free.map((more) => ({ schemaVersion: 2, ...more })),
      ),
      nodes: fc.array(block, { maxLength: 4 }),
    },
    { requiredKeys: ["object", "nodes"] },
  )
  .map((document): { object: "document"; nodes: object[] } => JSON.parse(JSON.stringify(document)) as never)
  .filter(({ nodes }) => !nodes.every(isEmpty));

interface Leaf {
  readonly text: string;
  readonly marks?: readonly { readonly type: string }[];
}
interface Node {
  readonly object: string;
  readonly type?: string;
  readonly nodes?: readonly Node[];
  readonly leaves?: readonly Leaf[];
}

const isFilled = (of: unknown): boolean => typeof of === "object" && of !== null && Object.keys(of).length > 0;

const isBlank = (text: string | undefined): boolean => text !== undefined && /^[ \n\r\t]*$/.test(text);

/** Words with their marks: the position of `code` among them and marks of spaces have no meaning. */
function wordsOf(leaves: readonly Leaf[]): [string, string][] {
  const words: [string, string][] = [];
  for (const { text: all, marks = [] } of leaves)
    for (const [word] of all.matchAll(/[ \n\r\t]+|[^ \n\r\t]+/g)) {
      const types = marks.map(({ type, ...more }) =>
        JSON.stringify([type, Object.values(more).filter((one) => isFilled(one))]),
      );
      const marked = isBlank(word)
        ? ""
        : [
            ...types.filter((one) => !one.includes('"code"')),
            ...types.filter((one) => one.includes('"code"')).slice(0, 1),
          ].join();
      const last = words.at(-1);
      if (last && last[0] === marked && isBlank(last[1]) === isBlank(word))
        last[1] += word.replaceAll(/\r\n?|\n/g, " ");
      else words.push([marked, word.replaceAll(/\r\n?|\n/g, " ")]);
    }
  return words;
}

/** The node without its key, with adjacent texts as words. */
function plain({ object, nodes, ...node }: Node & { key?: string }): object {
  const { key: _key, ...others } = node;
  return {
    object,
    ...others,
    ...(nodes && { nodes: plainNodes(nodes) }),
  };
}

function plainNodes(nodes: readonly Node[]): object[] {
  const all: (object | [string, string][])[] = [];
  let leaves: Leaf[] = [];
  for (const node of [...nodes, null]) {
    if (node?.object === "text") {
      leaves.push(...(node.leaves ?? []));
      continue;
    }
    all.push(wordsOf(leaves));
    leaves = [];
    if (node) all.push(plain(node));
  }
  return all.filter((item) => !Array.isArray(item) || item.length > 0);
}

/** The part of a document that must be equal after writing and reading. */
export function meaningOf({ nodes, ...document }: { nodes: readonly object[] }): object {
  return { ...document, nodes: plainNodes(nodes as Node[]) };
}
