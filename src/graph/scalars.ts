// Scalars and the making of enumerations, whose GraphQL names are the REST values in upper snake case.
import { GraphQLError } from "graphql";
import type { EnumRef } from "@pothos/core";
import { builder, type GraphTypes, type RichDocument } from "#src/graph/builder.ts";

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

builder.scalarType("DateTime", {
  description: "An instant as ISO 8601 text; answers are in UTC with milliseconds (RFC 3339).",
  specifiedByURL: "https://scalars.graphql.org/andimarek/date-time.html",
  serialize: (value) => value,
  parseValue: (value) => {
    const date = typeof value === "string" && iso.test(value) ? new Date(value) : null;
    if (date && !Number.isNaN(date.getTime())) return date;
    throw new GraphQLError("DateTime must be ISO 8601 text such as 2026-01-31T09:30:00Z.");
  },
});

function isRichDocument(value: unknown): value is RichDocument {
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
    "Structured text as JSON: an object with `object`, which is `document`, and the list `nodes`, as /v1 documents it.",
  serialize: (value) => value,
  parseValue: (value) => {
    if (isRichDocument(value)) return value;
    throw new GraphQLError('RichDocument must be an object whose `object` is "document" and whose `nodes` is a list.');
  },
});

/** What REST writes for each value of an enumeration, kept on the GraphQL type for the REST mapping. */
export interface RestEnumExtensions {
  readonly restValues: Readonly<Record<string, string>>;
}

/** Set in the `extensions` of a type whose null is an answer of its own in REST; every other null is left out there as not set. */
export interface RestNullExtensions {
  readonly restNull: boolean;
}

/**
 * Defines a GraphQL enumeration over values as they are stored. `describe` gives each value its description.
 * REST writes the stored value, with hyphens for underscores when `hyphens` is set (`share_link` is `share-link` there),
 * and null in its place when `restNull` is set.
 */
export function defineEnum<Value extends string>(
  name: string,
  description: string,
  describe: Readonly<Record<Value, string>>,
  options: { hyphens?: boolean; restNull?: boolean } = {},
): EnumRef<PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>, Value> {
  const values = Object.keys(describe) as Value[];
  const restValues = Object.fromEntries(
    values.map((value) => [graphqlName(value), options.hyphens ? value.replaceAll("_", "-") : value]),
  );
  const ref = builder.enumType(name, {
    description,
    extensions: { restValues, restNull: options.restNull ?? false } satisfies RestEnumExtensions & RestNullExtensions,
    values: Object.fromEntries(values.map((value) => [graphqlName(value), { value, description: describe[value] }])),
  });
  return ref as unknown as EnumRef<PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>, Value>; // the names are made here, so it cannot infer them
}

function graphqlName(value: string): string {
  return value.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
}

export const SortOrder = defineEnum<"asc" | "desc">("SortOrder", "The direction of a list.", {
  asc: "Smallest or oldest first.",
  desc: "Largest or newest first.",
});
