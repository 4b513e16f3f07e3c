// The JSON Schema of rich documents: the blocks, inline nodes and marks that docgraph knows; others are kept.
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
  description: `${description}; further keys are free.`,
  ...(properties && { properties }),
  additionalProperties: true,
});
/** The kind of a node: one that docgraph knows, or any other. */
const typeOf = (known: readonly string[], description: string): Json => ({
  type: "string",
  description: `${description}: ${known.map((type) => `\`${type}\``).join(", ")}, or any other.`,
  examples: [known[0]],
});

const key = text("Stays while the node does. It is not read on input.");
const isVoid = yes("Whether it holds no text of its own.");
const children = listOf(part("Node"), "The nodes in it, in their order.");
const align = (description: string): Json => ({ type: "string", enum: aligns, description });

/** The settings of blocks, by name; which ones a block has depends on its type. */
const blockSettings: Json = {
  align: align("On which side it stands."),
  checked: yes("`list-item`: whether the task is done."),
  columns: listOf(
    {
      type: "object",
      properties: { key: text("Its key, which its cells name."), align: align("On which side its texts stand.") },
    },
    "`table`: its columns. The first row is the head.",
  ),
  definition: text("`table-cell`: the key of its column."),
  head: yes("`table-row`: whether it is the head."),
  label: text("`definition` and `footnote`: the name by which texts refer to it."),
  loose: yes("Lists and `list-item`: whether there is space between the blocks."),
  meta: text("`code`: what stands behind the language."),
  ref: { ...part("Reference"), description: "`definition`: the address that it stands for." },
  source: text("`html` and `markdown`: the text as it is."),
  start: { type: "integer", minimum: 0, description: "`list-ordered`: the number of the first item." },
  syntax: text("`code`: the language."),
  title: text("`definition`: what shows beside a link."),
};

const inlineSettings: Json = {
  alt: text("`image`: the text in its place."),
  label: text("`footnote-reference`: the name of the footnote."),
  marks: listOf(part("Mark"), "The marks around it."),
  ref: { ...part("Reference"), description: "`link` and `image`: where it leads." },
  reference: {
    type: "object",
    description: "`link` and `image`: how it is written where a `definition` says where it leads.",
    required: ["label"],
    properties: {
      label: text("The name of the definition."),
      form: { type: "string", enum: ["full", "collapsed", "shortcut"], description: "The form of Markdown." },
    },
  },
  source: text("`html`: the text as it is."),
  title: text("`link` and `image`: what shows beside it."),
};

const target = (kind: string, required: Json, optional: Json = {}): Json => ({
  type: "object",
  required: ["kind", ...Object.keys(required)],
  properties: { kind: named(kind), ...required, ...optional },
});
const page = text("Id of the page.");
const space = text("Id of its space; the same content where it is left out.");

const reference: Json = {
  description: "The target of a link or image.",
  oneOf: [
    target("page", { page }, { space }),
    target("anchor", { anchor: text("Name of the place in the page.") }, { page, space }),
    target("file", { file: text("Id of the file, of the same content.") }),
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
    text: text("The text itself."),
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
      nodes: listOf(part("Block"), "The blocks at the top, in their order."),
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
    description: "A node that flows with the text, such as a link.",
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
    properties: { object: named("text"), key, leaves: listOf(leaf, "Its parts, each with its own marks.") },
  },
  [`${richDocument}Mark`]: mark,
  [`${richDocument}Reference`]: reference,
  [`${richDocument}Node`]: {
    description: "Any node below the top level of a rich document.",
    oneOf: [part("Block"), part("Inline"), part("Text")],
  },
};
