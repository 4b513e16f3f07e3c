// Three-way merge of plain fields one by one: what only one side changed is taken, what both changed differently is a conflict.
import { isDeepStrictEqual } from "node:util";
import type { Choice } from "#src/features/content/commands/merge/conflicts.ts";
import type { Sides } from "#src/features/content/commands/merge/merging.ts";
import type { Fields, Json } from "#src/features/content/commands/merge/values.ts";

/** A field that both sides set differently; undefined stands for a field that is not there. */
export interface FieldClash {
  readonly field: string;
  readonly base: Json | undefined;
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}

type Settle = (clash: FieldClash) => Choice | undefined;

/** The value that a side changed against the base; equal changes are one change, and `clash` answers for different ones. */
export function threeWay<Value>(base: Value, ours: Value, theirs: Value, clash: () => Value): Value {
  if (isDeepStrictEqual(ours, theirs) || isDeepStrictEqual(theirs, base)) return ours;
  return isDeepStrictEqual(ours, base) ? theirs : clash();
}

/** Of three values that do not all differ, the one that a merge comes to. */
export function unmerged<Value>({ base, ours, theirs }: Sides<Value>): Value {
  return threeWay(base, ours, theirs, () => theirs);
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

type Keyed<Item> = Readonly<Record<string, Item>>;

/** Merges what stands under each key; undefined, for a key that is not there, takes part like a value. */
export function mergeKeys<Item>(
  base: Keyed<Item>,
  ours: Keyed<Item>,
  theirs: Keyed<Item>,
  clash: (key: string, base: Item | undefined, ours: Item | undefined, theirs: Item | undefined) => Item | undefined,
): Keyed<Item> {
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  const merged: [string, Item][] = [];
  for (const key of keys) {
    const [was, our, their] = [own(base, key), own(ours, key), own(theirs, key)];
    const value = threeWay(was, our, their, () => clash(key, was, our, their));
    if (value !== undefined) merged.push([key, value]);
  }
  return Object.fromEntries(merged);
}

function decide(settle: Settle, field: string, base: Value, ours: Value, theirs: Value): Value {
  const choice = settle({ field, base, ours, theirs });
  if (choice === undefined || choice === "ours") return ours;
  return choice === "theirs" ? theirs : choice.text;
}

const own = <Item>(items: Keyed<Item>, key: string): Item | undefined =>
  Object.hasOwn(items, key) ? items[key] : undefined;

const isObject = (value: Value): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
