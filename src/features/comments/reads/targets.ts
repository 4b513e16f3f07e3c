// The targets of comments in the current content of their space or change request.
import { DomainError } from "#src/base/errors.ts";
import { type RichNode, textOfNode } from "#src/documents/document.ts";
import { equalNodes, findAgain, isUnique } from "#src/documents/same-node.ts";
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
  /** Its current key or, if deleted, its key when the comment was posted. */
  readonly id: () => Promise<string>;
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

async function isOutdated(context: Context, comment: Target, now: PageRow): Promise<boolean> {
  if (now.documentHash === comment.documentHash) return false;
  const { nodeId } = comment;
  return nodeId === null || (await findNodeOn(context, now, { ...comment, nodeId })) === null;
}

export const targetNodeOf = (context: Context, comment: CommentOnNode): TargetNode => ({
  id: async () => (await changedNode(context, comment))?.key ?? comment.nodeId,
  preview: async () => {
    const node = await changedNode(context, comment);
    return node ? previewOf(node) : comment.nodePreview;
  },
});

/** The node of a comment in the text as it was changed since; null if it was deleted, and if the text is the same. */
async function changedNode(context: Context, comment: CommentOnNode): Promise<RichNode | null> {
  const { pageId } = comment;
  const page = pageId === null ? null : await pageNow(context, { ...comment, pageId });
  const isSame = page === null || page.documentHash === comment.documentHash;
  return isSame ? null : findNodeOn(context, page, comment);
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

/** The node of a comment on the present text of its page. Of equal nodes, the text of that time decides. */
async function findNodeOn(context: Context, page: PageRow, comment: CommentOnNode): Promise<RichNode | null> {
  const { nodeId, documentHash } = comment;
  const document = await documentToSearch(context, page);
  if (!document) return null;
  const candidates = equalNodes(document, nodeId);
  if (candidates.length === 0) return null;
  if (isUnique(document, nodeId)) return candidates[0] ?? null;
  const before = await documentThen(context, page, documentHash);
  return before && findAgain(before, document, nodeId);
}

/** The text that a comment was posted on; null if it was deleted. */
async function documentThen(context: Context, { type }: PageRow, documentHash: string | null) {
  if (documentHash === null) return null;
  try {
    return await documentToSearch(context, { type, documentHash });
  } catch (error) {
    if (error instanceof DomainError && error.code === "INVALID_INPUT") return null;
    throw error;
  }
}

const previewLimit = 200;

const previews = new WeakMap<RichNode, string>();

/** The text of a node on one line, truncated to 200 characters. Cached: nodes are immutable. */
export function previewOf(node: RichNode): string {
  let preview = previews.get(node);
  if (preview === undefined) previews.set(node, (preview = cutLine(textOfNode(node), previewLimit)));
  return preview;
}
