// Reading pages: the trees of revisions, in memory where they were read before, and the pages in them.
import DataLoader from "dataloader";
import { BoundedMap } from "#src/base/bounded-map.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Instant } from "#src/base/time.ts";
import { idInRevision, lastingId, partsOfId } from "#src/base/ids.ts";
import { operationAllowance } from "#src/db/budget.ts";
import { type Sql, sql } from "#src/db/database.ts";
import { want } from "#src/db/entity.ts";
import type { Context } from "#src/domain/context.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import { asWritten } from "#src/features/content/model/computed.ts";
import { emptyTree, findPage, inTreeOrder, type PageRow, type PageTree } from "#src/features/content/model/page.ts";
import { type RevisionRow, revisions } from "#src/features/content/reads/revisions.ts";

/** Runs a statement: on the pool, or inside a transaction, where timestamps are dates. */
export type Query = <Row extends object>(statement: Sql) => Promise<Row[]>;

type Found = Omit<PageRow, "parentId" | "path" | "pages" | "createdAt" | "updatedAt"> & {
  readonly root: number;
  readonly parent: string | null;
  readonly place: number;
  readonly createdAt: Instant | Date;
  readonly updatedAt: Instant | Date;
};

/**
 * All pages below some top levels, level by level, in one statement, but for those below `known` pages. A page has its
 * parent and its place there.
 *
 * PostgreSQL cannot know how many pages there will be. `offset 0` keeps it from joining whole tables in case they are
 * many: each row is looked up by its hash.
 */
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
    select root, parent, place, hash, "pageId", type, title, slug, fields, "documentHash", "createdAt", "updatedAt" from walk limit ${limit}`;
}

/** Trees in memory, about 64 MB: some hundred contents of a hundred pages, or a few of ten thousand. */
const remembered = new BoundedMap<string, PageTree>(64 * 1024 * 1024, ({ byId }) => {
  let weight = 0;
  // 800 bytes are the objects of a page, with its hashes, ids and times.
  for (const { title, path, fields } of byId.values())
    weight += 800 + 2 * (title.length + path.length + JSON.stringify(fields).length);
  return weight;
});

const instantOf = (time: Instant | Date): Instant => (typeof time === "string" ? time : time.toISOString());

/**
 * Trees by the hashes of their top levels: from memory, or else in one statement, which does not read what is below a
 * page that is also in a tree in memory. Throws INVALID_INPUT for more than `rowLimit` pages to read.
 */
export async function readTrees(query: Query, hashes: readonly string[]): Promise<PageTree[]> {
  const trees = new Map(hashes.map((hash) => [hash, remembered.get(hash)]));
  const missing = [...trees].flatMap(([hash, tree]) => (tree ? [] : [hash]));
  if (missing.length > 0) {
    const known = branchesOf([...trees.values()].find((tree) => tree !== undefined) ?? emptyTree);
    const rows = await query<Found>(treesStatement(missing, [...known.keys()], operationAllowance.rows + 1));
    if (rows.length > operationAllowance.rows)
      throw new DomainError(
        "INVALID_INPUT",
        `This asks for more than ${operationAllowance.rows} pages in all; ask for fewer revisions.`,
      );
    for (const [index, tree] of buildTrees(rows, missing.length, known).entries()) {
      const hash = missing[index] ?? "";
      trees.set(hash, tree);
      remembered.keep(hash, tree);
    }
  }
  return hashes.map((hash) => trees.get(hash) ?? emptyTree);
}

/** The pages that have others below them, by their hashes: equal hashes mean equal pages below. */
function branchesOf({ byId }: PageTree): ReadonlyMap<string, PageRow> {
  const branches = [...byId.values()].filter(({ pages }) => pages.length > 0);
  return new Map(branches.map((page) => [page.hash, page]));
}

/** Puts pages into their places; each comes after its parent. Those in `known` come with the pages below them. */
function buildTrees(rows: readonly Found[], count: number, known: ReadonlyMap<string, PageRow>): PageTree[] {
  const trees = Array.from({ length: count }, () => ({
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
    if (siblings) siblings[place - 1] = page; // those of one level come in any order
  }
  return trees;
}

function pageOf(
  state: Omit<Found, "root" | "parent" | "place">,
  where: Pick<PageRow, "parentId" | "path" | "pages">,
): PageRow {
  return { ...state, createdAt: instantOf(state.createdAt), updatedAt: instantOf(state.updatedAt), ...where };
}

/** A page of another tree with those below it: the same object when its place is the same. */
function placedAt(page: PageRow, parentId: string | null, path: string): PageRow {
  if (page.parentId === parentId && page.path === path) return page;
  const pages = page.pages.map((below) => placedAt(below, page.pageId, `${path}/${below.slug}`));
  return { ...page, parentId, path, pages };
}

function addAll(byId: Map<string, PageRow>, page: PageRow): void {
  byId.set(page.pageId, page);
  for (const below of page.pages) addAll(byId, below);
}

/** The pages of a revision. One statement for any number of pages, and of revisions asked for at the same time. */
export async function pagesOf(
  { reader, database }: Context,
  { treeHash }: Pick<ContentState, "treeHash">,
): Promise<PageTree> {
  if (treeHash === null) return emptyTree;
  const query: Query = (statement) => database.query(statement);
  const trees = reader.once(
    readTrees,
    "",
    () => new DataLoader((hashes: readonly string[]) => readTrees(query, hashes)),
  );
  return trees.load(treeHash);
}

/** The parts of a revision that its pages need. */
export type PagesRevision = Pick<RevisionRow, "id" | "spaceId" | "changeRequestId" | "treeHash">;

/** The columns that make a {@link PagesRevision}. */
export const pagesRevisionColumns = ["spaceId", "changeRequestId", "treeHash"] as const;

/** A page of one revision; its id says both. */
export interface PageInRevision extends PageRow {
  readonly id: string;
  readonly revision: PagesRevision;
}

/** Makes a page one of this revision. */
export const pageIn = (revision: PagesRevision, page: PageRow): PageInRevision => ({
  ...page,
  id: idInRevision(revision.id, page.pageId),
  revision,
});

/** What lists of a page in its content are read under: the change request or else the space, a blank, and the page. */
export const pageKey = ({ pageId, revision: { spaceId, changeRequestId } }: PageInRevision): { id: string } => ({
  id: `${changeRequestId ?? spaceId} ${pageId}`,
});

/** Counts pages as rows of the answer. Throws INVALID_INPUT beyond `rowLimit`: many revisions may share one tree. */
function listed(context: Context, revision: PagesRevision, pages: readonly PageRow[]): PageInRevision[] {
  context.reader.takeRows(pages.length);
  return pages.map((page) => pageIn(revision, page));
}

/** What is asked for of pages: without `computed`, they are as they were written. */
interface AskedPages {
  readonly computed?: boolean | null | undefined;
}

const treeOf = async (context: Context, revision: PagesRevision, { computed }: AskedPages): Promise<PageTree> => {
  const tree = await pagesOf(context, revision);
  return computed === false ? asWritten(tree) : tree;
};

/** The pages at the top of a revision, in their order. */
export async function listTopPages(
  context: Context,
  revision: PagesRevision,
  asked: AskedPages = {},
): Promise<PageInRevision[]> {
  return listed(context, revision, (await treeOf(context, revision, asked)).pages);
}

/** The pages directly below a page, in their order. */
export function listPagesBelow(context: Context, { revision, pages }: PageInRevision): PageInRevision[] {
  return listed(context, revision, pages);
}

/** All pages of a revision in the order of the tree. */
export async function listAllPages(
  context: Context,
  revision: PagesRevision,
  asked: AskedPages = {},
): Promise<PageInRevision[]> {
  return listed(context, revision, inTreeOrder((await treeOf(context, revision, asked)).pages));
}

/** All pages below a page, in the order of the tree. */
export function listAllPagesBelow(context: Context, { revision, pages }: PageInRevision): PageInRevision[] {
  return listed(context, revision, inTreeOrder(pages));
}

/** The page with this id or path in a revision, or null. The id may be that of the page in any revision. */
export async function findPageIn(
  context: Context,
  revision: PagesRevision,
  by: { id: string } | { path: string },
  asked: AskedPages = {},
): Promise<PageInRevision | null> {
  const known = "id" in by ? { id: lastingId("Page", by.id) } : by;
  const page = findPage(await treeOf(context, revision, asked), known);
  return page && pageIn(revision, page);
}

/**
 * The page with this id, which says the revision, under the visibility of that; null for none. Any number of them take
 * one statement for the revisions, and one for their trees where these are not in memory.
 */
export async function findPageById(context: Context, id: string): Promise<PageInRevision | null> {
  const parts = partsOfId("Page", id);
  const revision = parts && (await context.reader.row(revisions, parts.revisionId, want(pagesRevisionColumns)));
  return parts && revision && findPageIn(context, revision, parts);
}

/** The pages around a page, from the top down to its parent. */
export async function listPagesAround(
  context: Context,
  { revision, parentId }: PageInRevision,
): Promise<PageInRevision[]> {
  const { byId } = await pagesOf(context, revision);
  const around: PageRow[] = [];
  for (let page = byId.get(parentId ?? ""); page; page = byId.get(page.parentId ?? "")) around.push(page);
  return listed(context, revision, around.toReversed());
}

/** The page around a page; null at the top. */
export async function findParentOf(
  context: Context,
  { revision, parentId }: PageInRevision,
): Promise<PageInRevision | null> {
  return parentId === null ? null : findPageIn(context, revision, { id: parentId });
}

/** The pages of a tree in the order of the tree, with the place of each: made once in an operation. */
function readingOrderOf({ reader }: Context, tree: PageTree) {
  return reader.once(tree, "reading order", () => {
    const pages = inTreeOrder(tree.pages);
    return { pages, places: new Map(pages.map(({ pageId }, place) => [pageId, place])) };
  });
}

/** The page so many places after a page, or before it, in the order of the tree; null beyond its ends. */
export async function findBeside(
  context: Context,
  { revision, pageId }: PageInRevision,
  steps: 1 | -1,
): Promise<PageInRevision | null> {
  const { pages, places } = readingOrderOf(context, await pagesOf(context, revision));
  const page = pages[(places.get(pageId) ?? Number.NaN) + steps];
  return page ? pageIn(revision, page) : null;
}
