// Trees of pages by hash, with a cache of those read or created before.
import { cacheOf } from "#src/runtime/cache-budget.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Instant } from "#src/base/time.ts";
import { operationAllowance } from "#src/db/connection/budget.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { NewContent } from "#src/features/content/model/draft.ts";
import { treeAfter } from "#src/features/content/model/tree-after.ts";
import {
  addAll,
  emptyTree,
  type PageFields,
  type PageRow,
  type PageTree,
  placedAt,
} from "#src/features/content/model/page.ts";

/** Runs a statement on the pool, or in a transaction, where timestamps are Date objects. */
export type Query = <Row extends object>(statement: Sql) => Promise<Row[]>;

type PageFound = Omit<PageRow, "parentId" | "path" | "pages" | "createdAt" | "updatedAt"> & {
  readonly createdAt: Instant | Date;
  readonly updatedAt: Instant | Date;
};

type Found = PageFound & { readonly root: number; readonly parent: string | null; readonly place: number };

/** `offset 0` forces a lookup per hash: the planner overestimates the number of rows. */
function treesStatement(hashes: readonly string[], known: readonly string[], limit: number): Sql {
  const levelOf = (hash: Sql) =>
    sql`cross join lateral (select c.pages from "ContentTree" c where c.hash = ${hash} offset 0) c
      cross join unnest(c.pages) with ordinality u(hash, place) cross join lateral (select * from "ContentPage" p where p.hash = u.hash offset 0) p`;
  const columns = sql`u.place::int, p.hash, p."pageId", p.type, p.title, p.slug, p.fields, p."documentHash", p."createdAt", p."updatedAt",
    p."childrenHash"`;
  return sql`with recursive walk as (
    select r.ord::int as root, null::text collate "C" as parent, ${columns}
    from unnest(${hashes}::text[]) with ordinality r(hash, ord) ${levelOf(sql`r.hash`)}
    union all
    select w.root, w."pageId", ${columns} from walk w ${levelOf(sql`w."childrenHash"`)}
    where w.hash <> all(${known}::text[]))
    select root, parent, place, hash, "pageId", type, title, slug, fields, "documentHash", "createdAt", "updatedAt", "childrenHash" from walk limit ${limit}`;
}

/** The cache of trees: some hundred contents of a hundred pages, or a few of ten thousand. */
const remembered = cacheOf<string, PageTree>("trees", 64, weightOf);

/** Known sizes of trees, in bytes; a tree with a few changed pages keeps the size of the previous one. */
const weights = new WeakMap<PageTree, number>();

function weightOf(tree: PageTree): number {
  let weight = weights.get(tree) ?? 0;
  if (weight > 0) return weight;
  // The objects of a page, with its hashes, ids and times, take about 800 bytes.
  for (const { title, path, fields } of tree.byId.values())
    weight += 800 + 2 * (title.length + path.length + sizeOf(fields));
  weights.set(tree, weight);
  return weight;
}

/** Most pages have no fields, so the loop avoids serialization. */
function sizeOf(fields: PageFields): number {
  for (const _ in fields) return JSON.stringify(fields).length;
  return 0;
}

const instantOf = (time: Instant | Date): Instant => (typeof time === "string" ? time : time.toISOString());

/** From the cache, or in one statement that skips cached subtrees. INVALID_INPUT above `rowLimit` pages. */
export async function readTrees(query: Query, hashes: readonly string[]): Promise<PageTree[]> {
  const trees = new Map(hashes.map((hash) => [hash, remembered.get(hash)]));
  const missing = [...trees].flatMap(([hash, tree]) => (tree ? [] : [hash]));
  if (missing.length > 0) {
    const known = branchesOf([...trees.values()].find((tree) => tree !== undefined) ?? emptyTree);
    const rows = await query<Found>(treesStatement(missing, [...known.keys()], operationAllowance.rows + 1));
    if (rows.length > operationAllowance.rows)
      throw new DomainError(
        "INVALID_INPUT",
        `The operation requests more than ${operationAllowance.rows} pages in total. Request fewer revisions.`,
      );
    for (const tree of buildTrees(rows, missing, known)) {
      const { hash } = tree;
      trees.set(hash, tree);
      remembered.keep(hash, tree);
    }
  }
  return hashes.map((hash) => trees.get(hash) ?? emptyTree);
}

/** The pages with subpages, by hash: equal hashes mean equal subpages. */
function branchesOf({ byId }: PageTree): ReadonlyMap<string, PageRow> {
  const branches = [...byId.values()].filter(({ pages }) => pages.length > 0);
  return new Map(branches.map((page) => [page.hash, page]));
}

/** Assembles trees from rows in which parents come first. Pages in `known` are reused with their subpages. */
function buildTrees(rows: readonly Found[], hashes: readonly string[], known: ReadonlyMap<string, PageRow>) {
  const trees = hashes.map((hash) => ({
    hash,
    pages: [] as PageRow[],
    byId: new Map<string, PageRow>(),
    levels: new Map<string, PageRow[]>(),
  }));
  for (const { root, parent, place, ...state } of rows) {
    const tree = trees[root - 1];
    if (!tree) continue;
    const above = parent === null ? undefined : tree.byId.get(parent);
    const path = above ? `${above.path}/${state.slug}` : state.slug;
    const siblings = parent === null ? tree.pages : tree.levels.get(parent);
    const branch = known.get(state.hash);
    const below: PageRow[] = [];
    const page = branch ? placedAt(branch, parent, path) : pageOf(state, { parentId: parent, path, pages: below });
    addAll(tree.byId, page);
    tree.levels.set(page.pageId, below);
    if (siblings) siblings[place - 1] = page; // siblings arrive in any order
  }
  return trees;
}

function pageOf(state: PageFound, where: Pick<PageRow, "parentId" | "path" | "pages">): PageRow {
  return { ...state, createdAt: instantOf(state.createdAt), updatedAt: instantOf(state.updatedAt), ...where };
}

/** Replaces the cached tree with that of a draft, so that a large content is not read again after each edit. */
export function rememberTree(before: { hash: string | null; tree: PageTree }, content: NewContent): void {
  const { treeHash } = content;
  if (treeHash === null || treeHash === before.hash) return;
  const after = treeAfter(before.tree, content);
  if (!after) return;
  const { tree, isReplaced } = after;
  if (isReplaced) weights.set(tree, weightOf(before.tree));
  if (before.hash !== null) remembered.delete(before.hash);
  remembered.keep(treeHash, tree);
}
