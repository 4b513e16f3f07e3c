// The three states of a merged value, and the basic rule: a change of only one side is taken.
import { isDeepStrictEqual } from "node:util";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Fields = Readonly<Record<string, Json>>;

export type Side = "ours" | "theirs";

export const otherSide = (side: Side): Side => (side === "ours" ? "theirs" : "ours");

/** A user's decision: one of the sides, or a text; `at` is its path in the input. */
export type Choice = Side | { readonly text: string; readonly at?: string };

export type Choices = ReadonlyMap<string, Choice>;

export interface Sides<State> {
  readonly base: State;
  readonly ours: State;
  readonly theirs: State;
}

export function mapSides<State, Part>({ base, ours, theirs }: Sides<State>, part: (state: State) => Part): Sides<Part> {
  return { base: part(base), ours: part(ours), theirs: part(theirs) };
}

/** The value that one side changed. Equal changes count as one; `clash` decides between different ones. */
export function threeWay<Value>({ base, ours, theirs }: Sides<Value>, clash: () => Value): Value {
  if (isDeepStrictEqual(ours, theirs) || isDeepStrictEqual(theirs, base)) return ours;
  return isDeepStrictEqual(ours, base) ? theirs : clash();
}

/** The merged value of three values that do not all differ. */
export const unmerged = <Value>(values: Sides<Value>): Value => threeWay(values, () => values.theirs);

/** The chosen value; without a choice ours, and the conflict stays open. */
export function chosen<Value>(choice: Choice | undefined, values: Sides<Value>): Value | string {
  return typeof choice === "object" ? choice.text : values[choice ?? "ours"];
}

type Keyed<Item> = Readonly<Record<string, Item>>;

/** Merges the values of each key; undefined (a missing key) is merged like a value. */
export function mergeKeys<Item>(
  sides: Sides<Keyed<Item>>,
  clash: (key: string, values: Sides<Item | undefined>) => Item | undefined,
): Keyed<Item> {
  const merged: [string, Item][] = [];
  for (const key of new Set([...Object.keys(sides.ours), ...Object.keys(sides.theirs)])) {
    const values = mapSides(sides, (items) => (Object.hasOwn(items, key) ? items[key] : undefined));
    const value = threeWay(values, () => clash(key, values));
    if (value !== undefined) merged.push([key, value]);
  }
  return Object.fromEntries(merged);
}

type Value = Json | undefined;

/** A field that both sides set differently; undefined if unset. */
interface FieldClash extends Sides<Value> {
  readonly field: string;
}

/** `base` is undefined if new on both sides. Objects (layout, cover, variables) are merged key by key. */
export function mergeFields(
  sides: { readonly base: Fields | undefined; readonly ours: Fields; readonly theirs: Fields },
  settle: (clash: FieldClash) => Choice | undefined,
): Fields {
  const decide = (field: string, values: Sides<Value>) => chosen(settle({ field, ...values }), values);
  return mergeKeys({ ...sides, base: sides.base ?? {} }, (key, values) => {
    const { base, ours, theirs } = mapSides(values, (value) => (isObject(value) ? value : undefined));
    const canBeParted = ours && theirs && (base || values.base == null);
    return canBeParted
      ? mergeKeys<Json>({ base: base ?? {}, ours, theirs }, (inner, parts) => decide(`${key}.${inner}`, parts))
      : decide(key, values);
  });
}

const isObject = (value: Value): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
