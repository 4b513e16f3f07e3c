// Compares the keywords of a schema for one value: types, allowed values, limits and formats.
import { jsonText, type Values, without } from "#src/features/openapi/model/changes/change.ts";
import type { RuleName } from "#src/features/openapi/model/changes/rules.ts";
import { type Keywords, listOf } from "#src/features/openapi/model/lookup.ts";

export interface Compared {
  readonly before: Keywords;
  readonly after: Keywords;
  readonly add: (rule: RuleName, values: Values) => void;
}

/** Compares types. False if no value has both: then nothing else is compared. */
export function compareTypes({ before, after, add }: Compared): boolean {
  const [was, is] = [typesOf(before), typesOf(after)];
  const values = { before: was?.join(" or ") ?? "any value", after: is?.join(" or ") ?? "any value" };
  if (values.before === values.after) return true;
  const [wasWithin, isWithin] = [isWithinTypes(was, is), isWithinTypes(is, was)];
  if (wasWithin || isWithin) {
    if (!(wasWithin && isWithin)) add(isWithin ? "type_narrowed" : "type_widened", values);
    return true;
  }
  add("type_changed", values);
  return false;
}

/** The types of a schema, sorted; null for any. */
function typesOf({ type }: Keywords): string[] | null {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  return types.length === 0 ? null : types.toSorted();
}

function isWithinTypes(one: readonly string[] | null, other: readonly string[] | null): boolean {
  if (other === null) return true;
  return one?.every((type) => other.includes(type) || (type === "integer" && other.includes("number"))) ?? false;
}

/** Compares `enum`, `const` and `default`. */
export function compareValues({ before, after, add }: Compared): void {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const values = { before: shown(was), after: shown(is) };
  if (is !== null && (was === null || without(was, is).length > 0)) add("values_removed", values);
  if (was !== null && (is === null || without(is, was).length > 0)) add("values_added", values);
  const [preset, fresh] = [before["default"], after["default"]];
  if (jsonText(preset) !== jsonText(fresh)) add("default_changed", { before: preset, after: fresh });
}

/** The values of `enum` or `const`; null for any. */
function valuesOf({ enum: values, const: constant }: Keywords): Set<string> | null {
  if (constant !== undefined) return new Set([jsonText(constant)]);
  return Array.isArray(values) ? new Set(values.map(jsonText)) : null;
}

const shown = (values: Iterable<string> | null): string | null =>
  values === null ? null : [...values].slice(0, 20).join(", ");

const least = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
const most = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;

export function compareLimits({ before, after, add }: Compared): void {
  const compare = (name: string, direction: 1 | -1): void => {
    const [was, is] = [limitIn(before, name, direction), limitIn(after, name, direction)];
    if (was === is) return;
    const values = { before: withName(name, before[name]), after: withName(name, after[name]) };
    add(is > was ? "limit_narrowed" : "limit_widened", values);
  };
  for (const name of least) compare(name, 1);
  for (const name of most) compare(name, -1);
  const [was, is] = [before["uniqueItems"] === true, after["uniqueItems"] === true];
  if (was !== is)
    add(is ? "limit_narrowed" : "limit_widened", is ? { after: "uniqueItems" } : { before: "uniqueItems" });
}

/** A limit as a number that is higher the fewer values it allows. */
function limitIn(keywords: Keywords, name: string, direction: 1 | -1): number {
  const value = keywords[name];
  if (typeof value === "number") return direction * value;
  return name.startsWith("min") && name !== "minimum" ? 0 : -Infinity; // nothing is shorter than empty
}

const withName = (name: string, value: unknown): string | undefined =>
  value === undefined ? undefined : `${name}: ${jsonText(value)}`;

const forms = ["format", "pattern", "multipleOf", "contentEncoding", "contentMediaType"] as const;

/** Compares formats, patterns and encodings; whether one includes the other is unknown. */
export function compareForms({ before, after, add }: Compared): void {
  for (const name of forms) {
    const [was, is] = [before[name], after[name]];
    if (jsonText(was) === jsonText(is)) continue;
    const values = { before: withName(name, was), after: withName(name, is) };
    add(was === undefined ? "limit_narrowed" : is === undefined ? "limit_widened" : "form_changed", values);
  }
}

/** The alternatives of `oneOf` and `anyOf`. */
export const formsOf = (keywords: Keywords): readonly unknown[] => [
  ...listOf(keywords["oneOf"]),
  ...listOf(keywords["anyOf"]),
];
