// How two trees of pages differ, page by page, found by walking down only where their hashes differ.
import { type FieldChange, fieldChanges } from "#src/features/content/model/changes/fields.ts";
import { staysInOrder } from "#src/features/content/model/changes/order.ts";
import type { PageRow, PageTree } from "#src/features/content/model/page.ts";

/** A page with its place in a tree. */
interface PlacedPage {
  readonly page: PageRow;
  /** Its place among the pages beside it, from 0. */
  readonly index: number;
}

/** A page that differs. Created without `before`, deleted without `after`; else edited or moved, or both. */
export interface PageChange {
  readonly pageId: string;
  readonly before: PlacedPage | null;
  readonly after: PlacedPage | null;
  /** Only of a page that is in both trees. */
  readonly fields: readonly FieldChange[];
  /** To another parent, or among the pages beside it. */
  readonly move: "parent" | "order" | null;
}

export type ChangeKind = "created" | "edited" | "moved" | "deleted";

/** What became of a page. */
export function kindsOf({ before, after, fields, move }: PageChange): ChangeKind[] {
  if (!before) return ["created"];
  if (!after) return ["deleted"];
  const isEdited = fields.length > 0 || before.page.documentHash !== after.page.documentHash;
  return [...(isEdited ? (["edited"] as const) : []), ...(move ? (["moved"] as const) : [])];
}

/**
 * The pages that differ, in the order of the new tree; deleted ones follow the page that was before them. A page is
 * moved when its parent is another one, and of several pages in a new order the fewest that explain it. What happens
 * around a page does not change it: neither the slugs above it nor the number of pages before it.
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
      for (const gone of deleted.get(row.pageId) ?? []) takeDeleted(gone);
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

/** Finds the places of pages in a tree. The pages of a level are counted once, when the first of them is asked for. */
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

/** The pages of a level that are there before and after, and were not moved among each other. */
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
