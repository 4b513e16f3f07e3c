// The properties of a schema, merged with those of its `allOf`, and the values that it lists one by one.
import { isRecord } from "#src/base/json.ts";
import { numberText } from "#src/features/openapi/model/exact.ts";
import { entriesOf, type Keywords, listOf, type Lookup } from "#src/features/openapi/model/lookup.ts";

export type Shape = { readonly properties: ReadonlyMap<string, unknown>; readonly required: ReadonlySet<string> };

const limits = { fields: 400, levels: 10 } as const;

/** Parts beyond the limits are left out. */
export function shapeOf(lookup: Lookup, keywords: Keywords, depth = 0): Shape {
  const required = new Set(listOf(keywords["required"]).filter((name) => typeof name === "string"));
  const properties = new Map(entriesOf(keywords["properties"]));
  if (depth < limits.levels)
    for (const part of listOf(keywords["allOf"]).slice(0, limits.fields)) {
      const shape = shapeOf(lookup, lookup.schema(part).keywords, depth + 1);
      for (const [name, schema] of shape.properties) if (!properties.has(name)) properties.set(name, schema);
      for (const name of shape.required) required.add(name);
      if (properties.size > limits.fields) break;
    }
  return { properties, required };
}

/** A value that a schema allows, with its name and meaning if the schema has them. */
export interface ListedValue {
  readonly value: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
}

/** The values of `enum` with names in common extensions, or of alternatives that are all constants; else empty. */
export function valuesOf(lookup: Lookup, keywords: Keywords): readonly ListedValue[] {
  const values = listOf(keywords["enum"]);
  if (values.length > 0) {
    const names = listOf(keywords["x-enum-varnames"] ?? keywords["x-enumNames"]);
    const given = keywords["x-enum-descriptions"] ?? keywords["x-enumDescriptions"];
    const about = (value: unknown, index: number): unknown =>
      isRecord(given) && typeof value === "string" && Object.hasOwn(given, value) ? given[value] : listOf(given)[index];
    return values.map((value, index) => ({ value, title: names[index], description: about(value, index) }));
  }
  const alternatives = listOf(keywords["oneOf"] ?? keywords["anyOf"]).map((one) => lookup.schema(one).keywords);
  if (alternatives.length < 2 || !alternatives.every((one) => one["const"] !== undefined)) return [];
  return alternatives.map(({ const: value, title, description }) => ({ value, title, description }));
}

/** The type of a value in JSON Schema. */
export function typeOfValue(value: unknown): string {
  const number = numberText(value);
  if (number !== null) return /^-?\d+$/.test(number) ? "integer" : "number";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Whether a value is an object, which numbers with many digits are not. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && numberText(value) === null;

/** Alternatives that are not null. */
export function formsOf(lookup: Lookup, keywords: Keywords): readonly unknown[] {
  return [...listOf(keywords["oneOf"]), ...listOf(keywords["anyOf"])].filter(
    (one) => lookup.schema(one).keywords["type"] !== "null",
  );
}

/** Schemas of the first items of a list; earlier drafts have them in `items`. */
export const firstItemsOf = ({ prefixItems, items }: Keywords): readonly unknown[] =>
  listOf(prefixItems ?? (Array.isArray(items) ? items : undefined));

/** The schema of the other items; true for any. */
export function otherItemsOf({ items, additionalItems, unevaluatedItems }: Keywords): unknown {
  return (Array.isArray(items) ? additionalItems : items) ?? unevaluatedItems ?? true;
}

/** Whether a schema is bytes: a media type without an encoding as text. */
export function isBinary(keywords: Keywords): boolean {
  const { type, format, contentMediaType, contentEncoding } = keywords;
  if (format === "binary") return true;
  return type === undefined && typeof contentMediaType === "string" && contentEncoding === undefined;
}
