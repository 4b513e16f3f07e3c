// The form of changes of content in /v1: each has an `operation`, and becomes one or two edits of `editContent`.
import type { ErrorDetail } from "#src/base/errors.ts";
import { isRecord } from "#src/base/json.ts";
import type { JsonForm } from "#src/rest/request/property-forms.ts";
import { type Field, jsonReader, type JsonReader, readFields } from "#src/rest/request/values.ts";
import { GraphQLBoolean, GraphQLID, GraphQLInt, GraphQLNonNull, type GraphQLScalarType, GraphQLString } from "graphql";

type Json = Readonly<Record<string, unknown>>;

const changeLimit = 50;

/** A property: its type, and its JSON Schema. */
interface Property {
  readonly read: JsonReader;
  readonly schema: Json;
  readonly to?: string;
}

const types = new Map<GraphQLScalarType, string>([
  [GraphQLString, "string"],
  [GraphQLID, "string"],
  [GraphQLBoolean, "boolean"],
  [GraphQLInt, "integer"],
]);

const plain = (type: GraphQLScalarType, description: string, to?: string): Property => ({
  read: jsonReader(new GraphQLNonNull(type)),
  schema: { type: types.get(type), description },
  ...(to !== undefined && { to }),
});

/** A text; an empty one removes it. */
const removable = (description: string): Property => {
  const { read, schema } = plain(GraphQLString, `${description}; an empty text removes it.`);
  return { read: (value, pointer, refused) => (value === "" ? null : read(value, pointer, refused)), schema };
};

const asIs: JsonReader = (value) => value;
const readMarkdown = jsonReader(new GraphQLNonNull(GraphQLString));

/** `{ markdown }`, `{ document }`, or an empty object: the fields `markdown` and `document`. */
const text: Property = {
  read(value, pointer, refused) {
    if (!isRecord(value)) return void refused.push({ path: pointer, message: "must be an object." });
    const fields = [
      { name: "markdown", required: false, read: readMarkdown },
      { name: "document", required: false, read: asIs },
    ];
    return readFields(fields, value, { pointer, refused });
  },
  schema: {
    type: "object",
    additionalProperties: false,
    maxProperties: 1,
    description: "The text: `markdown`, or a rich `document`.",
    properties: {
      markdown: { type: "string", description: "Markdown." },
      document: { type: "object", description: "A rich document." },
    },
  },
};

const page = plain(GraphQLID, "Id of the page.", "pageId");
const at: Property = {
  ...plain(GraphQLInt, "Index among its siblings, counted from 0; last by default."),
  to: "index",
};

const pageProperties: Readonly<Record<string, Property>> = {
  title: plain(GraphQLString, "Title, 1 to 200 characters."),
  slug: plain(GraphQLString, "Last part of the path."),
  emoji: removable("Emoji"),
  icon: removable("Icon"),
  description: removable("Description"),
  hidden: plain(GraphQLBoolean, "Whether to hide it from tables of contents."),
  noIndex: plain(GraphQLBoolean, "Whether to exclude it from the site search."),
  noRobotsIndex: plain(GraphQLBoolean, "Whether to ask search engines not to index it."),
  document: text,
  at,
};

const readParent = jsonReader(GraphQLID);

const files: Property = {
  read(value, pointer, refused) {
    if (!Array.isArray(value)) return void refused.push({ path: pointer, message: "must be an array." });
    const fields = ["name", "base64", "url", "contentType"].map((name) => {
      return { name, required: name === "name", read: readMarkdown };
    });
    return value.map((file: unknown, index) => {
      const path = `${pointer}/${index}`;
      if (!isRecord(file)) return void refused.push({ path, message: "must be an object." });
      return readFields(fields, file, { pointer: path, refused });
    });
  },
  schema: {
    type: "array",
    minItems: 1,
    maxItems: 20,
    description: "The files.",
    items: {
      type: "object",
      additionalProperties: false,
      required: ["name"],
      oneOf: [{ required: ["base64"] }, { required: ["url"] }],
      properties: {
        name: { type: "string", description: "File name, 1 to 200 characters." },
        contentType: { type: "string", description: "Ignored: the type is detected from the bytes and the name." },
        base64: { type: "string", description: "The bytes in base64, at most 1,000,000." },
        url: { type: "string", format: "uri", description: "Address from which at most 1,000,000 bytes are fetched." },
      },
    },
  },
};

interface Operation {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
  readonly edits: (given: Json) => readonly Json[];
}

const insertPage = ({ document, index, parentId, title, ...fields }: Json): Json[] => [
  {
    createPage: {
      title: title ?? "Untitled",
      ...fields,
      ...(isRecord(document) && document),
      ...(parentId !== undefined && { parentId }),
      ...(index !== undefined && { place: { index } }),
    },
  },
];

function updatePage({ document, index, parentId, pageId, ...fields }: Json): Json[] {
  const update = { ...fields, ...(isRecord(document) && document) };
  const move = { ...(parentId !== undefined && { parentId }), ...(index !== undefined && { place: { index } }) };
  return [
    ...(Object.keys(update).length > 0 ? [{ updatePage: { pageId, ...update } }] : []),
    ...(Object.keys(move).length > 0 ? [{ movePage: { pageId, ...move } }] : []),
  ];
}

const revertedTo = "Id of the revision; by default the main content on which the change request is based.";

const into = { ...plain(GraphQLID, "Id of its parent page; by default the top level."), to: "parentId" };
const intoOrTop: Property = {
  read: readParent,
  schema: { type: ["string", "null"], description: "Id of its new parent page; null moves it to the top level." },
  to: "parentId",
};

const operations: Readonly<Record<string, Operation>> = {
  insert_page: { properties: { ...pageProperties, into }, required: ["document"], edits: insertPage },
  update_page: { properties: { page, ...pageProperties, into: intoOrTop }, required: ["page"], edits: updatePage },
  delete_page: { properties: { page }, required: ["page"], edits: ({ pageId }) => [{ deletePage: { pageId } }] },
  revert_page: {
    properties: { page, revision: plain(GraphQLID, revertedTo, "revisionId") },
    required: ["page"],
    edits: (revertPage) => [{ revertPage }],
  },
  insert_files: {
    properties: { files },
    required: ["files"],
    edits: ({ files: given }) =>
      (given as readonly Json[]).map(({ contentType: _detected, ...createFile }) => ({ createFile })),
  },
};

const names = Object.keys(operations);

function readChange(value: unknown, pointer: string, refused: ErrorDetail[]): readonly Json[] {
  if (!isRecord(value)) return (refused.push({ path: pointer, message: "must be an object." }), []);
  const { operation: name, ...given } = value;
  const operation = typeof name === "string" && Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) {
    refused.push({ path: `${pointer}/operation`, message: `must be one of ${names.join(", ")}.` });
    return [];
  }
  const fields = Object.entries(operation.properties).map(([property, { read, to }]): Field => {
    return { name: property, required: operation.required.includes(property), read, ...(to !== undefined && { to }) };
  });
  const before = refused.length;
  const fieldsRead = readFields(fields, given, { pointer, refused });
  return refused.length > before ? [] : operation.edits(fieldsRead);
}

/** The list of changes, as the edits of `editContent`. */
export const changesForm: JsonForm = {
  read(value, pointer, refused) {
    if (!Array.isArray(value)) return void refused.push({ path: pointer, message: "must be an array." });
    if (value.length > changeLimit)
      return void refused.push({ path: pointer, message: `must have at most ${changeLimit} items.` });
    return value.flatMap((change, index) => readChange(change, `${pointer}/${index}`, refused));
  },
  schema: {
    type: "array",
    maxItems: changeLimit,
    items: {
      oneOf: Object.entries(operations).map(([name, { properties, required }]) => ({
        type: "object",
        additionalProperties: false,
        required: ["operation", ...required],
        properties: {
          operation: { type: "string", const: name, description: "The kind of change." },
          ...Object.fromEntries(Object.entries(properties).map(([property, { schema }]) => [property, schema])),
        },
      })),
    },
  },
};
