// The differences between two trees of pages: created, edited, moved and deleted pages, and their changed fields.
import { isDeepStrictEqual } from "node:util";
import type { PageRow, PageState, PageTree } from "#src/features/content/model/page.ts";

interface PlacedPage {
  readonly page: PageRow;
  readonly index: number;
}

/** A changed page. Created if `before` is null, deleted if `after` is null; otherwise edited, moved, or both. */
export interface PageChange {
  readonly pageId: string;
  readonly before: PlacedPage | null;
  readonly after: PlacedPage | null;
  /** Only for a page in both trees. */
  readonly fields: readonly FieldChange[];
  /** To another parent, or among its siblings. */
  readonly move: "parent" | "order" | null;
}

export type ChangeKind = "created" | "edited" | "moved" | "deleted";

export function kindsOf({ before, after, fields, move }: PageChange): ChangeKind[] {
  if (!before) return ["created"];
  if (!after) return ["deleted"];
  const isEdited = fields.length > 0 || before.page.documentHash !== after.page.documentHash;
  return [...(isEdited ? (["edited"] as const) : []), ...(move ? (["moved"] as const) : [])];
}

/**
 * In the order of the new tree; deleted pages follow the page that preceded them. A new order is explained with the
 * fewest moves. A page does not change if only the slug of an ancestor or the siblings before it change.
 */
export function pageChanges(before: PageTree, after: PageTree): PageChange[] {
  const changes: PageChange[] = [];
  const [oldPlaces, places] = [placesIn(before), placesIn(after)];

  function compareLevels(was: readonly PageRow[], is: readonly PageRow[]): void {
    if (was.length === is.length && was.every(({ pageId }, index) => pageId === is[index]?.pageId)) {
      for (const row of is) takePresent(row, true);
      return;
    }
    const staying = stayingPages(was, is);
    const deleted = deletedBehind(was, staying, after);
    for (const row of deleted.get(null) ?? []) takeDeleted(row);
    for (const row of is) {
      takePresent(row, staying.has(row.pageId));
      for (const deletedRow of deleted.get(row.pageId) ?? []) takeDeleted(deletedRow);
    }
  }

  function takePresent(row: PageRow, isStaying: boolean): void {
    const { pageId } = row;
    const old = before.byId.get(pageId);
    if (!old) {
      changes.push({ pageId, before: null, after: places(row), fields: [], move: null });
      compareLevels([], row.pages);
      return;
    }
    const isEqual = old.hash === row.hash;
    if (isEqual && isStaying) return;
    const fields = isEqual ? [] : fieldChanges(old, row);
    const move = isStaying ? null : old.parentId === row.parentId ? "order" : "parent";
    const change = { pageId, before: oldPlaces(old), after: places(row), fields, move } as const;
    if (kindsOf(change).length > 0) changes.push(change);
    if (!isEqual) compareLevels(old.pages, row.pages);
  }

  function takeDeleted(row: PageRow): void {
    changes.push({ pageId: row.pageId, before: oldPlaces(row), after: null, fields: [], move: null });
    compareLevels(row.pages, []);
  }

  compareLevels(before.pages, after.pages);
  return changes;
}

function placesIn(tree: PageTree): (page: PageRow) => PlacedPage {
  const levels = new Map<string | null, ReadonlyMap<string, number>>();
  return (page) => {
    const { pageId, parentId } = page;
    const level = levels.get(parentId) ?? indexesOf((parentId === null ? tree : tree.byId.get(parentId))?.pages ?? []);
    levels.set(parentId, level);
    return { page, index: level.get(pageId) ?? 0 };
  };
}

const indexesOf = (pages: readonly PageRow[]) => new Map(pages.map(({ pageId }, index) => [pageId, index]));

/** The pages of a level that exist before and after, and kept their relative order. */
function stayingPages(was: readonly PageRow[], is: readonly PageRow[]): ReadonlySet<string> {
  const oldIndexes = indexesOf(was);
  const kept = is.filter(({ pageId }) => oldIndexes.has(pageId));
  const stays = staysInOrder(kept.map(({ pageId }) => oldIndexes.get(pageId) ?? 0));
  return new Set(kept.flatMap(({ pageId }, index) => (stays[index] ? [pageId] : [])));
}

/** The deleted pages of a level, by the last staying page before them; null for those before all staying pages. */
function deletedBehind(was: readonly PageRow[], staying: ReadonlySet<string>, after: PageTree) {
  const deleted = new Map<string | null, PageRow[]>();
  let anchor: string | null = null;
  for (const row of was) {
    if (staying.has(row.pageId)) anchor = row.pageId;
    if (after.byId.has(row.pageId)) continue;
    const behind = deleted.get(anchor);
    if (behind) behind.push(row);
    else deleted.set(anchor, [row]);
  }
  return deleted;
}

/** A changed field; undefined if not set. `layout.width` is a field inside another. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The changed fields: title, slug and type first, then by name. Omits times, which follow from edits. */
function fieldChanges(before: PageState, after: PageState): FieldChange[] {
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

/** Most values are identical objects, which need no deep comparison. */
const changeOf: Compare = (field, before, after) =>
  before === after || isDeepStrictEqual(before, after) ? [] : [{ field, before, after }];

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Flags the members of a longest increasing subsequence (patience sorting, n log n): moving the others is enough. */
export function staysInOrder(places: readonly number[]): boolean[] {
  /** For each length, the index of the smallest last element of a subsequence of that length. */
  const ends: number[] = [];
  const previous = new Int32Array(places.length).fill(-1);
  for (const [at, place] of places.entries()) {
    const length = countBelow(ends, places, place);
    previous[at] = ends[length - 1] ?? -1;
    ends[length] = at;
  }
  const stays = places.map(() => false);
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) stays[at] = true;
  return stays;
}

function countBelow(ends: readonly number[], places: readonly number[], place: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[ends[middle] ?? 0] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
