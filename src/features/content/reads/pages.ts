// Reading pages: whole trees by the hash of their top level, and texts by their hash. Nobody gets a hash but from a revision that they may see.
import DataLoader from "dataloader";
import type { Instant } from "#src/base/time.ts";
import { DomainError } from "#src/base/errors.ts";
import { type Sql, sql } from "#src/db/database.ts";
import { rowLimit } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import { Remembered } from "#src/features/content/reads/remembered.ts";
import type { RevisionRow } from "#src/features/content/reads/revisions.ts";
import type { PageType } from "#src/generated/prisma/enums.ts";

/** How a page is laid out; what is not set is as the reader's site has it. */
export interface PageLayout {
  readonly width?: "default" | "wide" | null | undefined;
  readonly cover?: boolean | null | undefined;
  readonly coverSize?: "hero" | "full" | "background" | null | undefined;
  readonly title?: boolean | null | undefined;
  readonly description?: boolean | null | undefined;
  readonly tableOfContents?: boolean | null | undefined;
  readonly outline?: boolean | null | undefined;
  readonly pagination?: boolean | null | undefined;
  readonly metadata?: boolean | null | undefined;
}

/** The picture above a page: ids of files, another one where it is dark, and how far it is moved down. */
export interface PageCover {
  readonly file: string;
  readonly fileDark?: string;
  readonly yPos?: number;
}

/** What a computed page is made from: a part of an OpenAPI specification, which is named by its slug or id. */
export interface PageComputed {
  readonly type: "builtin:openapi";
  readonly spec: string;
  /** The part to show, such as `models`; all of it where it is not there. */
  readonly doc?: string;
}

/** What a page can do without; only what is set is there. */
export interface PageFields {
  readonly emoji?: string;
  readonly icon?: string;
  readonly description?: string;
  readonly layout?: PageLayout;
  readonly cover?: PageCover;
  readonly hidden?: boolean;
  readonly noIndex?: boolean;
  readonly noRobotsIndex?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
  /** Where a link page leads (`referenceOf`). */
  readonly target?: string;
  /** Of computed pages only. */
  readonly computed?: PageComputed;
}

/** What a page is, without its place and what is below it. */
export interface PageState {
  readonly pageId: string;
  readonly type: PageType;
  readonly title: string;
  readonly slug: string;
  readonly fields: PageFields;
  readonly documentHash: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** A page in its tree. Trees are shared and never change. */
export interface PageRow extends PageState {
  readonly hash: string;
  /** Id of the page around it; null at the top. */
  readonly parentId: string | null;
  /** The slugs from the top down to it. */
  readonly path: string;
  readonly pages: readonly PageRow[];
}

/** A whole tree of pages. */
export interface PageTree {
  readonly pages: readonly PageRow[];
  readonly byId: ReadonlyMap<string, PageRow>;
}

export const emptyTree: PageTree = { pages: [], byId: new Map() };

/** Runs a statement: on the pool or inside a transaction, where timestamps come as dates. */
export type Query = <Row extends object>(statement: Sql) => Promise<Row[]>;

type Found = Omit<PageRow, "parentId" | "path" | "pages" | "createdAt" | "updatedAt"> & {
  readonly root: number;
  readonly parent: string | null;
  readonly place: number;
  readonly createdAt: Instant | Date;
  readonly updatedAt: Instant | Date;
};

/**
 * All pages below some top levels, level by level, in one statement, but for those below `known` pages. A page knows its parent and its place there.
 *
 * PostgreSQL cannot know how many there will be. `offset 0` keeps it from joining whole tables for fear of many: each row is looked up by its hash.
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

/** Trees in memory, 64 MB of them more or less: some hundred contents of a hundred pages, or a few of ten thousand. */
const remembered = new Remembered<PageTree>(64 * 1024 * 1024, ({ byId }) => {
  let weight = 0;
  // 800 bytes are the objects of a page, with its hashes, ids and times.
  for (const { title, path, fields } of byId.values())
    weight += 800 + 2 * (title.length + path.length + JSON.stringify(fields).length);
  return weight;
});

const instantOf = (time: Instant | Date): Instant => (typeof time === "string" ? time : time.toISOString());

/**
 * Trees by the hashes of their top levels: from memory, the others in one statement, which reads nothing below pages that stand in one of those in
 * memory as well. Throws INVALID_INPUT for more than `rowLimit` pages to read.
 */
export async function readTrees(query: Query, hashes: readonly string[]): Promise<PageTree[]> {
  const trees = new Map(hashes.map((hash) => [hash, remembered.get(hash)]));
  const missing = [...trees].flatMap(([hash, tree]) => (tree ? [] : [hash]));
  if (missing.length > 0) {
    const known = branchesOf([...trees.values()].find((tree) => tree !== undefined) ?? emptyTree);
    const rows = await query<Found>(treesStatement(missing, [...known.keys()], rowLimit + 1));
    if (rows.length > rowLimit)
      throw new DomainError(
        "INVALID_INPUT",
        `This asks for more than ${rowLimit} pages in all; ask for fewer revisions.`,
      );
    for (const [index, tree] of buildTrees(rows, missing.length, known).entries()) {
      const hash = missing[index] ?? "";
      trees.set(hash, tree);
      remembered.keep(hash, tree);
    }
  }
  return hashes.map((hash) => trees.get(hash) ?? emptyTree);
}

/** The pages that have others below them, by their hashes, which stand for all of these. */
function branchesOf({ byId }: PageTree): ReadonlyMap<string, PageRow> {
  const branches = [...byId.values()].filter(({ pages }) => pages.length > 0);
  return new Map(branches.map((page) => [page.hash, page]));
}

/** Puts pages into their places; each comes after the one that it stands below. Those in `known` bring what is below them. */
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

/** A page of another tree with what is below it: the same one where it stands in the same place. */
function placedAt(page: PageRow, parentId: string | null, path: string): PageRow {
  if (page.parentId === parentId && page.path === path) return page;
  const pages = page.pages.map((below) => placedAt(below, page.pageId, `${path}/${below.slug}`));
  return { ...page, parentId, path, pages };
}

function addAll(byId: Map<string, PageRow>, page: PageRow): void {
  byId.set(page.pageId, page);
  for (const below of page.pages) addAll(byId, below);
}

/** What one operation reads of pages. What stands under a hash never changes, so it is never forgotten. */
interface Loaders {
  readonly trees: DataLoader<string, PageTree>;
  readonly texts: DataLoader<string, string | null>;
}

const loaders = new WeakMap<Context["reader"], Loaders>();

function loadersOf({ reader, database }: Context): Loaders {
  let own = loaders.get(reader);
  if (!own) {
    const query: Query = (statement) => database.query(statement);
    const trees = new DataLoader((hashes: readonly string[]) => readTrees(query, hashes));
    own = { trees, texts: new DataLoader((hashes: readonly string[]) => readTexts(query, hashes)) };
    loaders.set(reader, own);
  }
  return own;
}

/** The pages of a revision in hand. One statement for any number of pages, and of revisions asked for at the same time. */
export async function pagesOf(context: Context, { treeHash }: Pick<RevisionRow, "treeHash">): Promise<PageTree> {
  return treeHash === null ? emptyTree : loadersOf(context).trees.load(treeHash);
}

/** The page of this id or path in a revision in hand, or null. */
export async function findPage(
  context: Context,
  revision: Pick<RevisionRow, "treeHash">,
  by: { id: string } | { path: string },
): Promise<PageRow | null> {
  const tree = await pagesOf(context, revision);
  if ("id" in by) return tree.byId.get(by.id) ?? null;
  let page: PageRow | undefined;
  for (const slug of by.path.split("/")) {
    page = (page ?? tree).pages.find((one) => one.slug === slug);
    if (!page) return null;
  }
  return page ?? null;
}

/** Bytes of text that one operation reads at a time, so that no document fills the memory. */
const textLimit = 64 * 1024 * 1024;

/** Texts by their hashes, in one statement: null for those beyond {@link textLimit}, which are not even unpacked. */
export async function readTexts(query: Query, hashes: readonly string[]): Promise<(string | null)[]> {
  const rows = await query<{ ord: number; markdown: string | null }>(
    sql`select u.ord::int, case when sum(d.size) over (order by u.ord) <= ${textLimit} then d.markdown end as markdown
      from unnest(${hashes}::text[]) with ordinality u(hash, ord) join "ContentDocument" d on d.hash = u.hash`,
  );
  const texts: (string | null)[] = hashes.map(() => null);
  for (const { ord, markdown } of rows) texts[ord - 1] = markdown;
  return texts;
}

/** A text by its hash; empty for none. Throws INVALID_INPUT beyond {@link textLimit}. */
export async function readText(context: Context, documentHash: string | null): Promise<string> {
  if (documentHash === null) return "";
  const text = await loadersOf(context).texts.load(documentHash);
  if (text === null)
    throw new DomainError("INVALID_INPUT", "This asks for more than 64 MB of text at a time; ask for fewer pages.");
  return text;
}

/** The text of a page in hand; null for a page that has none by its type. Throws INVALID_INPUT beyond {@link textLimit}. */
export async function textOf(
  context: Context,
  { type, documentHash }: Pick<PageState, "type" | "documentHash">,
): Promise<string | null> {
  return type === "document" ? readText(context, documentHash) : null;
}
