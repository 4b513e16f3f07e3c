// How the fields of two states of a page differ, one by one, named as merges name them.
import { isDeepStrictEqual } from "node:util";
import type { PageState } from "#src/features/content/model/page.ts";

/** A field that is not the same; undefined where it is not set. `layout.width` is a field inside of another. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The fields that differ: title, slug and type first, then by name. Times are left out: they follow from edits. */
export function fieldChanges(before: PageState, after: PageState): FieldChange[] {
  const own = (["title", "slug", "type"] as const).flatMap((field) => changeOf(field, before[field], after[field]));
  return [...own, ...changesIn(before.fields, after.fields, (field, was, is) => changesInside(field, was, is))];
}

function changesInside(field: string, was: unknown, is: unknown): FieldChange[] {
  const [old, young] = [was ?? {}, is ?? {}];
  if (!isObject(old) || !isObject(young)) return changeOf(field, was, is);
  return changesIn(old, young, (inner, ...values) => changeOf(`${field}.${inner}`, ...values));
}

type Compare = (field: string, was: unknown, is: unknown) => FieldChange[];

function changesIn(was: object, is: object, compare: Compare): FieldChange[] {
  const [old, young] = [new Map<string, unknown>(Object.entries(was)), new Map<string, unknown>(Object.entries(is))];
  const names = new Set([...old.keys(), ...young.keys()]);
  return [...names].toSorted().flatMap((name) => compare(name, old.get(name), young.get(name)));
}

/** Most values are the same object, so nothing inside of them is compared. */
const changeOf: Compare = (field, before, after) =>
  before === after || isDeepStrictEqual(before, after) ? [] : [{ field, before, after }];

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
