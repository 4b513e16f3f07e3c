// Three-way merge of plain fields one by one: what only one side changed is taken, what both changed differently is a conflict.
import { isDeepStrictEqual } from "node:util";
import type { Choice } from "#src/features/content/commands/merge/conflicts.ts";
import type { Fields, Json } from "#src/features/content/commands/merge/values.ts";

/** A field that both sides set differently; undefined stands for a field that is not there. */
export interface FieldClash {
  readonly field: string;
  readonly base: Json | undefined;
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}

/** Asks for the choice; `takesText` tells whether a text can stand in for the values. */
type Settle = (clash: FieldClash, takesText: boolean) => Choice | undefined;

/** The value that a side changed against the base; equal changes are one change, and `clash` answers for different ones. */
export function threeWay<Value>(base: Value, ours: Value, theirs: Value, clash: () => Value): Value {
  if (isDeepStrictEqual(ours, theirs) || isDeepStrictEqual(theirs, base)) return ours;
  return isDeepStrictEqual(ours, base) ? theirs : clash();
}

/**
 * Merges the fields of one thing; base is undefined where it is new on both sides. A field that holds an object on both sides (layout, cover,
 * variables) is merged key by key, one level deep. Whatever `settle` leaves open stands as in ours.
 */
export function mergeFields(base: Fields | undefined, ours: Fields, theirs: Fields, settle: Settle): Fields {
  return mergeKeys(base ?? {}, ours, theirs, (key, was, our, their) => {
    if (isObject(our) && isObject(their) && (was === undefined || was === null || isObject(was)))
      return mergeKeys(was ?? {}, our, their, (inner, ...values) => decide(settle, `${key}.${inner}`, ...values));
    return decide(settle, key, was, our, their);
  });
}

type Value = Json | undefined;

function mergeKeys(
  base: Fields,
  ours: Fields,
  theirs: Fields,
  clash: (key: string, base: Value, ours: Value, theirs: Value) => Value,
): Fields {
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  const merged: [string, Json][] = [];
  for (const key of keys) {
    const [was, our, their] = [own(base, key), own(ours, key), own(theirs, key)];
    const value = threeWay(was, our, their, () => clash(key, was, our, their));
    if (value !== undefined) merged.push([key, value]);
  }
  return Object.fromEntries(merged);
}

function decide(settle: Settle, field: string, base: Value, ours: Value, theirs: Value): Value {
  const takesText = [base, ours, theirs].every((value) => value == null || typeof value === "string");
  const choice = settle({ field, base, ours, theirs }, takesText);
  if (choice === undefined || choice === "ours") return ours;
  return choice === "theirs" ? theirs : choice.text;
}

const own = (fields: Fields, key: string): Value => (Object.hasOwn(fields, key) ? fields[key] : undefined);

const isObject = (value: Value): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
