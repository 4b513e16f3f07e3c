// JSON Schema of rich documents, which GraphQL takes and answers as one value, for the OpenAPI description.

type Json = Readonly<Record<string, unknown>>;

/** The name of the component; those of its parts start with it. */
export const richDocument = "RichDocument";

const part = (name: string): Json => ({ $ref: `#/components/schemas/${richDocument}${name}` });
const listOf = (items: Json, description: string): Json => ({ type: "array", items, description });
const named = (object: string): Json => ({ type: "string", const: object });
const settings = (description: string, properties?: Json): Json => ({
  type: "object",
  description: `${description}; further keys are free.`,
  ...(properties && { properties }),
  additionalProperties: true,
});

const key = { type: "string", description: "Stays while the node does. It is not read on input." };
const isVoid = { type: "boolean", description: "Whether it holds no text of its own." };
const children = listOf(part("Node"), "The nodes in it, in their order.");

const mark: Json = {
  type: "object",
  required: ["type"],
  properties: {
    object: named("mark"),
    type: { type: "string", description: "Kind of mark, such as `bold`." },
    data: settings("Settings of the mark"),
  },
};

const leaf: Json = {
  type: "object",
  required: ["text"],
  properties: { object: named("leaf"), text: { type: "string" }, marks: listOf(mark, "The marks of the whole text.") },
};

/** The components of rich documents, by name. */
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
      type: { type: "string", description: "Kind of block, such as `paragraph`." },
      key,
      isVoid,
      data: settings("Settings of the block", { align: { type: "string", enum: ["start", "center", "end"] } }),
      nodes: children,
    },
  },
  [`${richDocument}Inline`]: {
    type: "object",
    description: "A node that flows with the text, such as a link.",
    required: ["object", "type"],
    properties: {
      object: named("inline"),
      type: { type: "string", description: "Kind of inline node, such as `link`." },
      key,
      isVoid,
      data: settings("Settings of the node"),
      nodes: children,
    },
  },
  [`${richDocument}Text`]: {
    type: "object",
    description: "A run of text with its marks.",
    required: ["object", "leaves"],
    properties: { object: named("text"), key, leaves: listOf(leaf, "Its parts, each with its own marks.") },
  },
  [`${richDocument}Node`]: {
    description: "Any node below the top level of a rich document.",
    oneOf: [part("Block"), part("Inline"), part("Text")],
  },
};
