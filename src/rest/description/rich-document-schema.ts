// The JSON Schema of rich documents: the blocks, inline nodes and marks that docgraph supports; others are kept.
import { aligns, blockTypes, inlineTypes, markTypes } from "#src/documents/document.ts";

type Json = Readonly<Record<string, unknown>>;

/** The name of the component; those of its parts start with it. */
export const richDocument = "RichDocument";

const part = (name: string): Json => ({ $ref: `#/components/schemas/${richDocument}${name}` });
const listOf = (items: Json, description: string): Json => ({ type: "array", items, description });
const named = (object: string): Json => ({ type: "string", const: object });
const text = (description: string): Json => ({ type: "string", description });
const yes = (description: string): Json => ({ type: "boolean", description });
const settings = (description: string, properties?: Json): Json => ({
  type: "object",
  description: `${description}; further keys may have any value.`,
  ...(properties && { properties }),
  additionalProperties: true,
});
/** The kind of a node: one that docgraph supports, or any other. */
const typeOf = (known: readonly string[], description: string): Json => ({
  type: "string",
  description: `${description}: ${known.map((type) => `\`${type}\``).join(", ")}, or any other.`,
  examples: [known[0]],
});

const key = text("Stable key of the node. Ignored on input.");
const isVoid = yes("Whether the node has no text of its own.");
const children = listOf(part("Node"), "The child nodes, in their order.");
const align = (description: string): Json => ({ type: "string", enum: aligns, description });

/** The settings of blocks, by name; which ones a block has depends on its type. */
const blockSettings: Json = {
  align: align("The horizontal alignment."),
  checked: yes("`list-item`: whether the task is done."),
  columns: listOf(
    {
      type: "object",
      properties: {
        key: text("Key of the column, which its cells refer to."),
        align: align("The horizontal alignment of its cells."),
      },
    },
    "`table`: its columns. The first row is the head.",
  ),
  definition: text("`table-cell`: the key of its column."),
  head: yes("`table-row`: whether it is the head."),
  label: text("`definition` and `footnote`: the name that texts refer to."),
  marker: text("`hint`: how it starts in Markdown, such as `[!NOTE]`; made of the style if omitted."),
  loose: yes("Lists and `list-item`: whether there is space between the blocks."),
  meta: text("`code`: the text after the language."),
  ref: { ...part("Reference"), description: "`definition`: the address that it defines." },
  source: text("`html` and `markdown`: the unchanged text."),
  style: { type: "string", description: "`hint`: `info`, `success`, `warning` or `danger`." },
  start: { type: "integer", minimum: 0, description: "`list-ordered`: the number of the first item." },
  syntax: text("`code`: the language."),
  title: text("`definition`: the title of its links; `hint`: its title."),
};

const inlineSettings: Json = {
  alt: text("`image`: the alternative text."),
  label: text("`footnote-reference`: the name of the footnote."),
  marks: listOf(part("Mark"), "The marks around the node."),
  ref: { ...part("Reference"), description: "`link` and `image`: the target." },
  reference: {
    type: "object",
    description: "`link` and `image`: the notation, if a `definition` has the target.",
    required: ["label"],
    properties: {
      label: text("The name of the definition."),
      form: { type: "string", enum: ["full", "collapsed", "shortcut"], description: "The form in Markdown." },
    },
  },
  source: text("`html` and `markdown`: the unchanged text."),
  title: text("`link` and `image`: the title."),
};

const target = (kind: string, required: Json, optional: Json = {}): Json => ({
  type: "object",
  required: ["kind", ...Object.keys(required)],
  properties: { kind: named(kind), ...required, ...optional },
});
const page = text("Id of the page.");
const space = text("Id of its space; the same content if omitted.");

const reference: Json = {
  description: "The target of a link or image.",
  oneOf: [
    target("page", { page }, { space }),
    target("anchor", { anchor: text("Name of the anchor in the page.") }, { page, space }),
    target("file", { file: text("Id of the file, in the same content.") }),
    target("url", { url: text("Any address.") }),
    target("space", { space: text("Id of the space.") }),
    target("user", { user: text("Id of the user.") }),
    target("collection", { collection: text("Id of the collection.") }),
    target("openapi", { spec: text("Slug or id of the specification.") }),
  ],
};

const mark: Json = {
  type: "object",
  description: "Emphasis of a text.",
  required: ["type"],
  properties: {
    object: named("mark"),
    type: typeOf(markTypes, "Kind of mark"),
    data: settings("Settings of the mark"),
  },
};

const leaf: Json = {
  type: "object",
  required: ["text"],
  properties: {
    object: named("leaf"),
    text: text("The text."),
    marks: listOf(part("Mark"), "The marks of the whole text; the first is the outermost."),
  },
};

export const richDocumentSchemas: Readonly<Record<string, Json>> = {
  [richDocument]: {
    type: "object",
    description: "Structured text as a tree of nodes.",
    required: ["object", "nodes"],
    properties: {
      object: named("document"),
      data: settings("Settings of the document", { schemaVersion: { type: "number" } }),
      nodes: listOf(part("Block"), "The top-level blocks, in their order."),
    },
  },
  [`${richDocument}Block`]: {
    type: "object",
    description: "A block of a rich document.",
    required: ["object", "type"],
    properties: {
      object: named("block"),
      type: typeOf(blockTypes, "Kind of block"),
      key,
      isVoid,
      data: settings("Settings of the block", blockSettings),
      nodes: children,
    },
  },
  [`${richDocument}Inline`]: {
    type: "object",
    description: "A node in flowing text, such as a link.",
    required: ["object", "type"],
    properties: {
      object: named("inline"),
      type: typeOf(inlineTypes, "Kind of inline node"),
      key,
      isVoid,
      data: settings("Settings of the node", inlineSettings),
      nodes: children,
    },
  },
  [`${richDocument}Text`]: {
    type: "object",
    description: "A run of text with its marks.",
    required: ["object", "leaves"],
    properties: { object: named("text"), key, leaves: listOf(leaf, "Its leaves, each with its marks.") },
  },
  [`${richDocument}Mark`]: mark,
  [`${richDocument}Reference`]: reference,
  [`${richDocument}Node`]: {
    description: "Any node below the top level of a rich document.",
    oneOf: [part("Block"), part("Inline"), part("Text")],
  },
};
