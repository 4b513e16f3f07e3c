// Three-way merge of plain fields one by one: what both sides changed differently is a conflict.
import { type Choice, chosen, mapSides, mergeKeys, type Sides } from "#src/features/content/model/merge/sides.ts";
import type { Fields, Json } from "#src/features/content/model/merge/values.ts";

type Value = Json | undefined;

/** A field that both sides set differently; undefined means that it is not there. */
interface FieldClash extends Sides<Value> {
  readonly field: string;
}

/**
 * Merges the fields of one thing; base is undefined where it is new on both sides. A field that holds an object on both
 * sides (layout, cover, variables) is merged key by key, one level deep. A conflict that `settle` leaves open has the
 * value of ours.
 */
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
