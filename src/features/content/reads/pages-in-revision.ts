// Pages of one revision: the rows of a tree, which revisions share, each with its revision.
import type { Context } from "#src/domain/context.ts";
import { findPage, inTreeOrder, type PageRow } from "#src/features/content/model/page.ts";
import { pagesOf } from "#src/features/content/reads/page-trees.ts";
import type { RevisionRow } from "#src/features/content/reads/revisions.ts";

/** The parts of a revision that its pages need. */
export type PagesRevision = Pick<RevisionRow, "id" | "spaceId" | "changeRequestId" | "treeHash">;

/** The columns that make a {@link PagesRevision}. */
export const pagesRevisionColumns = ["spaceId", "changeRequestId", "treeHash"] as const;

/** A page of one revision. */
export interface PageInRevision extends PageRow {
  readonly revision: PagesRevision;
}

/** Makes a page one of this revision. */
export const pageIn = (revision: PagesRevision, page: PageRow): PageInRevision => ({ ...page, revision });

/** Counts pages as rows of the answer. Throws INVALID_INPUT beyond `rowLimit`: many revisions may share one tree. */
function listed(context: Context, revision: PagesRevision, pages: readonly PageRow[]): PageInRevision[] {
  context.reader.takeRows(pages.length);
  return pages.map((page) => pageIn(revision, page));
}

/** The pages at the top of a revision, in their order. */
export async function listTopPages(context: Context, revision: PagesRevision): Promise<PageInRevision[]> {
  return listed(context, revision, (await pagesOf(context, revision)).pages);
}

/** The pages directly below a page, in their order. */
export function listPagesBelow(context: Context, { revision, pages }: PageInRevision): PageInRevision[] {
  return listed(context, revision, pages);
}

/** All pages of a revision in the order of the tree. */
export async function listAllPages(context: Context, revision: PagesRevision): Promise<PageInRevision[]> {
  return listed(context, revision, inTreeOrder((await pagesOf(context, revision)).pages));
}

/** All pages below a page, in the order of the tree. */
export function listAllPagesBelow(context: Context, { revision, pages }: PageInRevision): PageInRevision[] {
  return listed(context, revision, inTreeOrder(pages));
}

/** The page with this id or path in a revision, or null. */
export async function findPageIn(
  context: Context,
  revision: PagesRevision,
  by: { id: string } | { path: string },
): Promise<PageInRevision | null> {
  const page = findPage(await pagesOf(context, revision), by);
  return page && pageIn(revision, page);
}
