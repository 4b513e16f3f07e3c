// Pages as they are in one revision: the rows of a tree, which revisions share, each with the revision through which it came into hand.
import type { Context } from "#src/domain/context.ts";
import { findPage, type PageRow, pagesOf } from "#src/features/content/reads/pages.ts";
import type { RevisionRow } from "#src/features/content/reads/revisions.ts";

/** A revision in hand, as far as its pages need it. */
export type PagesRevision = Pick<RevisionRow, "id" | "spaceId" | "changeRequestId" | "treeHash">;

/** The columns that make a {@link PagesRevision}. */
export const pagesRevisionColumns = ["spaceId", "changeRequestId", "treeHash"] as const;

/** A page as it is in a revision in hand. */
export interface PageInRevision extends PageRow {
  readonly revision: PagesRevision;
}

/** A page of a revision in hand. */
export const pageIn = (revision: PagesRevision, page: PageRow): PageInRevision => ({ ...page, revision });

/** Hands out pages of a revision. Throws INVALID_INPUT beyond `rowLimit`: many revisions may share one tree. */
function listed(context: Context, revision: PagesRevision, pages: readonly PageRow[]): PageInRevision[] {
  context.reader.takeRows(pages.length);
  return pages.map((page) => pageIn(revision, page));
}

/** The pages at the top of a revision in hand, in their order. */
export async function listTopPages(context: Context, revision: PagesRevision): Promise<PageInRevision[]> {
  return listed(context, revision, (await pagesOf(context, revision)).pages);
}

/** The pages right below a page in hand, in their order. */
export function listPagesBelow(context: Context, { revision, pages }: PageInRevision): PageInRevision[] {
  return listed(context, revision, pages);
}

/** All pages of a revision in hand in the order of the tree: each before those below it, and these before what follows beside it. */
export async function listAllPages(context: Context, revision: PagesRevision): Promise<PageInRevision[]> {
  return listed(context, revision, inTreeOrder((await pagesOf(context, revision)).pages));
}

/** All pages below a page in hand, in the order of the tree. */
export function listAllPagesBelow(context: Context, { revision, pages }: PageInRevision): PageInRevision[] {
  return listed(context, revision, inTreeOrder(pages));
}

/** The page of this id or path in a revision in hand, or null. */
export async function findPageIn(
  context: Context,
  revision: PagesRevision,
  by: { id: string } | { path: string },
): Promise<PageInRevision | null> {
  const page = await findPage(context, revision, by);
  return page && pageIn(revision, page);
}

function inTreeOrder(pages: readonly PageRow[], into: PageRow[] = []): PageRow[] {
  for (const page of pages) {
    into.push(page);
    inTreeOrder(page.pages, into);
  }
  return into;
}
