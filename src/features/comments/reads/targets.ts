// The targets of comments in the current content of their space or change request.
import { findNode, type RichNode, textOfNode } from "#src/documents/document.ts";
import { cutLine } from "#src/base/text/cut.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import type { CommentRow } from "#src/features/comments/reads/comments.ts";
import type { PageRow } from "#src/features/content/model/page.ts";
import { documentToSearch } from "#src/features/content/reads/documents.ts";
import { findPageIn, type PageInRevision, pagesOf, pagesRevisionColumns } from "#src/features/content/reads/pages.ts";
import { contentOf, revisions } from "#src/features/content/reads/revisions.ts";

/** The page of a comment. Each part is loaded only if selected. */
export interface TargetPage {
  readonly id: string;
  /** The current page or, if deleted, the page when the comment was posted; null if unknown. */
  readonly page: () => Promise<PageRow | null>;
  /** The current page; null if deleted. */
  readonly now: () => Promise<PageInRevision | null>;
  readonly outdated: () => Promise<boolean>;
}

export interface TargetNode {
  readonly id: string;
  /** Its current text or, if deleted, its text when the comment was posted. */
  readonly preview: () => Promise<string | null>;
}

type Target = Pick<
  CommentRow,
  "spaceId" | "changeRequestId" | "revisionId" | "pageId" | "documentHash" | "nodeId" | "nodePreview"
>;

export type CommentOnPage = Target & { readonly pageId: string };

export type CommentOnNode = Target & { readonly nodeId: string };

const treeColumn = project(["treeHash"]);
const pageColumns = project(pagesRevisionColumns);

/** One statement each for current contents, for old contents with deleted pages, and for changed texts. */
export function targetPageOf(context: Context, comment: CommentOnPage): TargetPage {
  return {
    id: comment.pageId,
    now: () => pageNow(context, comment),
    page: async () => (await pageNow(context, comment)) ?? pageThen(context, comment),
    outdated: async () => {
      const now = await pageNow(context, comment);
      return now === null || isOutdated(context, comment, now);
    },
  };
}

async function isOutdated(context: Context, { documentHash, nodeId }: Target, now: PageRow): Promise<boolean> {
  if (now.documentHash === documentHash) return false;
  return nodeId === null || (await findNodeOn(context, now, nodeId)) === null;
}

export const targetNodeOf = (context: Context, comment: CommentOnNode): TargetNode => ({
  id: comment.nodeId,
  preview: () => nodePreviewOf(context, comment),
});

async function nodePreviewOf(context: Context, comment: CommentOnNode): Promise<string | null> {
  const { pageId, nodeId, nodePreview } = comment;
  const page = pageId === null ? null : await pageNow(context, { ...comment, pageId });
  const isSame = page === null || page.documentHash === comment.documentHash;
  const node = isSame ? null : await findNodeOn(context, page, nodeId);
  return node ? previewOf(node) : nodePreview;
}

async function pageNow(context: Context, comment: CommentOnPage): Promise<PageInRevision | null> {
  const revision = await contentOf(context, { id: comment.changeRequestId ?? comment.spaceId }, pageColumns);
  return findPageIn(context, revision, { id: comment.pageId });
}

/** A page of the current main content of a space; null if deleted. */
export async function findMainPage(context: Context, spaceId: string, pageId: string): Promise<PageInRevision | null> {
  return findPageIn(context, await contentOf(context, { id: spaceId }, pageColumns), { id: pageId });
}

async function pageThen(context: Context, { revisionId, pageId }: CommentOnPage): Promise<PageRow | null> {
  const revision = revisionId === null ? null : await context.reader.row(revisions, revisionId, treeColumn);
  return revision && ((await pagesOf(context, revision)).byId.get(pageId) ?? null);
}

async function findNodeOn(context: Context, page: PageRow, key: string): Promise<RichNode | null> {
  const document = await documentToSearch(context, page);
  return document && findNode(document, key);
}

const previewLimit = 200;

const previews = new WeakMap<RichNode, string>();

/** The text of a node on one line, truncated to 200 characters. Cached: nodes are immutable. */
export function previewOf(node: RichNode): string {
  let preview = previews.get(node);
  if (preview === undefined) previews.set(node, (preview = cutLine(textOfNode(node), previewLimit)));
  return preview;
}
