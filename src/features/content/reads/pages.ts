// Reads of pages: the tree of a revision, and single pages in it.
import { lookup } from "#src/base/lookup.ts";
import DataLoader from "dataloader";
import { idInRevision, lastingId, partsOfId } from "#src/base/ids.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import type { Optional } from "#src/domain/input.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import { asWritten } from "#src/features/content/model/computed.ts";
import { emptyTree, findPage, inTreeOrder, type PageRow, type PageTree } from "#src/features/content/model/page.ts";
import { type Query, readTrees } from "#src/features/content/reads/trees.ts";
import { type RevisionRow, revisions } from "#src/features/content/reads/revisions.ts";

type WithTree = Pick<ContentState, "treeHash">;

/** The pages of a revision. One statement for all pages of all revisions that are requested at the same time. */
export async function pagesOf({ reader, database }: Context, { treeHash }: WithTree): Promise<PageTree> {
  if (treeHash === null) return emptyTree;
  const query: Query = (statement) => database.query(statement);
  const makeLoader = () => new DataLoader((hashes: readonly string[]) => readTrees(query, hashes));
  return reader.once(readTrees, "", makeLoader).load(treeHash);
}

export type PagesRevision = Pick<RevisionRow, "id" | "spaceId" | "changeRequestId" | "treeHash">;

export const pagesRevisionColumns = ["spaceId", "changeRequestId", "treeHash"] as const;

export interface PageInRevision extends PageRow {
  readonly id: string;
  readonly revision: PagesRevision;
}

export const pageIn = (revision: PagesRevision, page: PageRow): PageInRevision => ({
  ...page,
  id: idInRevision(revision.id, page.pageId),
  revision,
});

/** The parent key of lists of a page in its content: the change request or the space, a space character, the page. */
export const pageKey = ({ pageId, revision: { spaceId, changeRequestId } }: PageInRevision): { id: string } => ({
  id: `${changeRequestId ?? spaceId} ${pageId}`,
});

/** Counts pages as rows of the response. INVALID_INPUT above `rowLimit`: many revisions may share one tree. */
function listed(context: Context, revision: PagesRevision, pages: readonly PageRow[]): PageInRevision[] {
  context.reader.takeRows(pages.length);
  return pages.map((page) => pageIn(revision, page));
}

/** With `computed` false, pages are as users wrote them. */
type Written = Optional<{ computed: boolean }>;

async function treeOf(context: Context, revision: PagesRevision, { computed }: Written): Promise<PageTree> {
  const tree = await pagesOf(context, revision);
  return computed === false ? asWritten(tree) : tree;
}

export async function listPages(
  context: Context,
  revision: PagesRevision,
  { all = false, ...written }: Written & { readonly all?: boolean } = {},
): Promise<PageInRevision[]> {
  const { pages } = await treeOf(context, revision, written);
  return listed(context, revision, all ? inTreeOrder(pages) : pages);
}

export function listPagesBelow(context: Context, page: PageInRevision, { all = false } = {}): PageInRevision[] {
  return listed(context, page.revision, all ? inTreeOrder(page.pages) : page.pages);
}

/** The page with this id or path in a revision, or null. Accepts the id of the page in any revision. */
export async function findPageIn(
  context: Context,
  revision: PagesRevision,
  by: { id: string } | { path: string },
  written: Written = {},
): Promise<PageInRevision | null> {
  const known = "id" in by ? { id: lastingId("Page", by.id) } : by;
  const page = findPage(await treeOf(context, revision, written), known);
  return page && pageIn(revision, page);
}

/** The id names the revision. Batched into one statement for revisions and one for their trees. */
export async function findPageById(context: Context, id: string): Promise<PageInRevision | null> {
  const parts = partsOfId("Page", id);
  const revision = parts && (await context.reader.row(revisions, parts.revisionId, project(pagesRevisionColumns)));
  return parts && revision && findPageIn(context, revision, parts);
}

export async function listPagesAround(context: Context, inside: PageInRevision): Promise<PageInRevision[]> {
  const { byId } = await pagesOf(context, inside.revision);
  const around: PageRow[] = [];
  for (let page = lookup(byId, inside.parentId); page; page = lookup(byId, page.parentId)) around.push(page);
  return listed(context, inside.revision, around.toReversed());
}

/** The pages of a tree in depth-first order, with the position of each. Computed once per operation. */
function readingOrderOf({ reader }: Context, tree: PageTree) {
  return reader.once(tree, "reading order", () => {
    const pages = inTreeOrder(tree.pages);
    return { pages, places: new Map(pages.map(({ pageId }, place) => [pageId, place])) };
  });
}

/** The next or previous page in depth-first order; null at the ends. */
export async function findBeside(context: Context, { revision, pageId }: PageInRevision, steps: 1 | -1) {
  const { pages, places } = readingOrderOf(context, await pagesOf(context, revision));
  const page = pages[(places.get(pageId) ?? Number.NaN) + steps];
  return page ? pageIn(revision, page) : null;
}
