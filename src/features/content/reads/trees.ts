// Trees of pages by their hashes: in memory where they were read or made before.
import { BoundedMap } from "#src/base/bounded-map.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Instant } from "#src/base/time.ts";
import { operationAllowance } from "#src/db/budget.ts";
import { type Sql, sql } from "#src/db/database.ts";
import type { NewContent } from "#src/features/content/model/draft.ts";
import { emptyTree, type PageFields, type PageRow, type PageTree } from "#src/features/content/model/page.ts";

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
const remembered = new BoundedMap<string, PageTree>(64 * 1024 * 1024, weightOf);

/** What trees weigh that were weighed, or were made of others by changing a few pages. */
const weights = new WeakMap<PageTree, number>();

function weightOf(tree: PageTree): number {
  let weight = weights.get(tree) ?? 0;
  if (weight > 0) return weight;
  // 800 bytes are the objects of a page, with its hashes, ids and times.
  for (const { title, path, fields } of tree.byId.values())
    weight += 800 + 2 * (title.length + path.length + sizeOf(fields));
  weights.set(tree, weight);
  return weight;
}

/** Most pages have none. */
function sizeOf(fields: PageFields): number {
  for (const _ in fields) return JSON.stringify(fields).length;
  return 0;
}

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

/**
 * Remembers the tree that a draft of another one makes, in the place of that: a large content that is edited again and
 * again is not read again each time, and takes no more room. It is the same whether it gets stored or not.
 */
export function rememberTree(
  before: { readonly hash: string | null; readonly tree: PageTree },
  content: NewContent,
): void {
  const { treeHash } = content;
  if (treeHash === null || treeHash === before.hash) return;
  const tree = treeAfter(before.tree, content);
  if (!tree) return;
  if (before.hash !== null) remembered.delete(before.hash);
  remembered.keep(treeHash, tree);
}

/** The tree that new content makes of another one, of which it has the pages that have not changed. */
function treeAfter(before: PageTree, content: NewContent): PageTree | null {
  const made = new Making(before, content);
  const pages = made.level(content.treeHash ?? "", { id: null, path: "" }, before.pages);
  if (!made.isWhole) return null;
  if (!made.hasSamePages) return { pages, byId: idsOf(pages) };
  const tree = { pages, byId: made.byId };
  weights.set(tree, weightOf(before));
  return tree;
}

/** Where pages side by side stand: below which page, and what their paths begin with. */
interface Around {
  readonly id: string | null;
  readonly path: string;
}

class Making {
  /** All pages, as long as the tree has the same ones, each on its level. */
  readonly byId: Map<string, PageRow>;
  hasSamePages = true;
  /** What is stored always is. */
  isWhole = true;
  readonly #before: PageTree;
  readonly #content: NewContent;
  #unchanged: ReadonlyMap<string, PageRow> | undefined;

  constructor(before: PageTree, content: NewContent) {
    this.#before = before;
    this.#content = content;
    this.byId = new Map(before.byId);
  }

  /** The pages of a level, which were these before. */
  level(hash: string, around: Around, before: readonly PageRow[]): PageRow[] {
    const known = byHash(before);
    const pages = (this.#content.trees.get(hash) ?? []).flatMap((one) => {
      const page = this.#changedPage(one, around) ?? this.#unchangedPage(one, around, known);
      this.isWhole &&= page !== undefined;
      return page ?? [];
    });
    const ids = new Set(before.map(({ pageId }) => pageId));
    this.hasSamePages &&= pages.length === before.length && pages.every(({ pageId }) => ids.has(pageId));
    return pages;
  }

  #unchangedPage(hash: string, around: Around, known: ReadonlyMap<string, PageRow>): PageRow | undefined {
    const anywhere = () => (this.#unchanged ??= byHash(this.#before.byId.values())).get(hash);
    const found = known.get(hash) ?? anywhere();
    const page = found && placedAt(found, around.id, around.path + found.slug);
    if (page && page !== found) addAll(this.byId, page);
    return page;
  }

  #changedPage(hash: string, around: Around): PageRow | undefined {
    const { pages: changed, trees } = this.#content;
    const of = changed.get(hash);
    if (!of) return undefined;
    const { childrenHash, ...state } = of;
    const path = around.path + state.slug;
    const before = this.#before.byId.get(state.pageId)?.pages ?? [];
    if (childrenHash === null) this.hasSamePages &&= before.length === 0;
    else this.isWhole &&= trees.has(childrenHash);
    const pages = childrenHash === null ? [] : this.level(childrenHash, { id: state.pageId, path: `${path}/` }, before);
    const page = { ...state, hash, parentId: around.id, path, pages };
    this.byId.set(page.pageId, page);
    return page;
  }
}

const byHash = (pages: Iterable<PageRow>): ReadonlyMap<string, PageRow> =>
  new Map(Array.from(pages, (page) => [page.hash, page]));

function idsOf(pages: readonly PageRow[]): Map<string, PageRow> {
  const byId = new Map<string, PageRow>();
  for (const page of pages) addAll(byId, page);
  return byId;
}
