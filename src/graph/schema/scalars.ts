// Scalars, and a function that defines enumerations, whose GraphQL names are the REST values in upper snake case.
import { GraphQLError } from "graphql";
import type { EnumRef } from "@pothos/core";
import type { GivenDocument } from "#src/documents/document.ts";
import { Upload } from "#src/files/upload.ts";
import { builder, type Types } from "#src/graph/schema/builder.ts";
import type { RestEnumExtensions, RestNullExtensions } from "#src/graph/schema/rest-forms.ts";

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

builder.scalarType("DateTime", {
  description:
    "An instant as ISO 8601 text, such as 2026-01-31T09:30:00Z; responses are in UTC with milliseconds (RFC 3339).",
  specifiedByURL: "https://scalars.graphql.org/andimarek/date-time.html",
  serialize: (value) => value,
  parseValue: (value) => {
    const date = typeof value === "string" && iso.test(value) ? new Date(value) : null;
    if (date && !Number.isNaN(date.getTime())) return date;
    throw new GraphQLError("DateTime must be ISO 8601 text such as 2026-01-31T09:30:00Z.");
  },
});

builder.scalarType("JSON", {
  description: "Any JSON value: a string, number, boolean, list, object or null.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc8259",
  serialize: (value) => value,
});

function isGivenDocument(value: unknown): value is GivenDocument {
  return (
    typeof value === "object" &&
    value !== null &&
    "object" in value &&
    value.object === "document" &&
    "nodes" in value &&
    Array.isArray(value.nodes)
  );
}

builder.scalarType("RichDocument", {
  description:
    "Structured text as JSON, as /v1 documents it: an object with `object`, which is `document`, and the list `nodes` of blocks. A block has `object` " +
    "(`block`), `type`, `key`, `isVoid`, `data` and `nodes`. Types: paragraph, heading-1 to heading-6, blockquote, list-ordered (`data.start`), " +
    "list-unordered and list-tasks (`data.loose`) with list-item (`data.checked`, `data.loose`), code (`data.syntax`, `data.meta`) with code-line, " +
    "table (`data.columns`: `key`, `align`) with table-row and table-cell (`data.definition`: the key of its column; the first row is the head), " +
    "divider, html (`data.source`), markdown (`data.source`: a text too deep or intricate to be taken apart), footnote (`data.label`) and definition (`data.label`, `data.ref`, `data.title`). Flowing text holds inlines " +
    "(`object` is `inline`): link and image (`data.ref` as a content reference, which has to be one when it is given, with an address of http, https, mailto, tel or a relative one; " +
    "`data.title`, `data.alt`, `data.reference`: how the link is written), break, html, " +
    "footnote-reference; and texts (`object` is `text`) with `leaves` of `text` and `marks` of the types bold, italic, strikethrough and code. " +
    "A block may have `data.align` (start, center, end). Other types of blocks, inlines and marks, further settings in `data`, and nodes in unusual " +
    "places are kept as they are, and shown as their text in Markdown. A document is read as it was written; only how a run of text is cut into leaves, and " +
    "blanks at the edges of a block, are as Markdown has them. A key is made of the type and text of its node, so it stays when others change; it is not " +
    "read on input.",
  serialize: (value) => value,
  parseValue: (value) => {
    if (isGivenDocument(value)) return value;
    throw new GraphQLError('RichDocument must be an object whose `object` is "document" and whose `nodes` is a list.');
  },
});

builder.scalarType("Upload", {
  description:
    "A file of a multipart request, by the GraphQL multipart request specification: its value in the variables is null.",
  specifiedByURL: "https://github.com/jaydenseric/graphql-multipart-request-spec",
  serialize: () => {
    throw new Error("Fields cannot return an Upload.");
  },
  parseValue: (value) => {
    if (value instanceof Upload) {
      value.isWanted = true;
      return value;
    }
    throw new GraphQLError("Upload must be a file of a multipart request.");
  },
});

/** Defines an enumeration of stored values. REST writes these, hyphenated if `hyphens`; null for `restNull`. */
export function defineEnum<Value extends string>(
  name: string,
  description: string,
  describe: Readonly<Record<Value, string>>,
  options: { hyphens?: boolean; restNull?: boolean } = {},
): EnumRef<Types, Value> {
  const values = Object.keys(describe) as Value[];
  const restValues = Object.fromEntries(
    values.map((value) => [graphqlName(value), options.hyphens ? value.replaceAll("_", "-") : value]),
  );
  const ref = builder.enumType(name, {
    description,
    extensions: { restValues, restNull: options.restNull ?? false } satisfies RestEnumExtensions & RestNullExtensions,
    values: Object.fromEntries(values.map((value) => [graphqlName(value), { value, description: describe[value] }])),
  });
  return ref as unknown as EnumRef<Types, Value>; // the names are computed, so the compiler cannot infer them
}

function graphqlName(value: string): string {
  return value
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll(":", "_")
    .toUpperCase();
}

export const SortOrder = defineEnum("SortOrder", "The sort direction of a list.", {
  asc: "Smallest or oldest first.",
  desc: "Largest or newest first.",
});
