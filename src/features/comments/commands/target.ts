// What a new comment is about: a page of the present content, a part of it, a cell of a table.
import { invalidInput } from "#src/base/errors.ts";
import { findCell } from "#src/base/rich-document/document.ts";
import { want } from "#src/db/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, ifGiven } from "#src/domain/input.ts";
import type { CommentRow } from "#src/features/comments/reads/comments.ts";
import type { PresentPlace } from "#src/features/comments/commands/place.ts";
import { findNodeOn, previewOf } from "#src/features/comments/reads/targets.ts";
import type { PageRow } from "#src/features/content/model/page.ts";
import { pagesOf } from "#src/features/content/reads/pages.ts";
import { contentOf } from "#src/features/content/reads/revisions.ts";

/** How an input says what a comment is about; a comment without any of it is about the whole. */
export interface TargetInput {
  readonly pageId?: string | null | undefined;
  readonly node?: string | null | undefined;
  readonly tableCell?: { readonly record: string; readonly definition: string } | null | undefined;
}

interface Cell {
  readonly tableCellRecord: string;
  readonly tableCellDefinition: string;
}

type Target = Pick<CommentRow, "revisionId"> &
  Partial<Pick<CommentRow, "pageId" | "documentHash" | "nodeId" | "nodePreview"> & Cell>;

/** The key of a part of the content, which is stored as it is given. */
const checkKey = (path: string) => (key: string) => checkText(path, key, { min: 1, max: 200 });

/**
 * What a comment is about, as it is stored, with the text of its page as it is now. Throws INVALID_INPUT for a page
 * that is not in the content, a node that is not in the text of the page, a cell that is not in the table that the node
 * is, and keys that are empty or have more than 200 characters.
 */
export async function checkTarget(context: Context, place: PresentPlace, input: TargetInput): Promise<Target> {
  const pageId = ifGiven("pageId", input.pageId, checkKey("pageId"));
  const nodeId = ifGiven("node", input.node, checkKey("node"));
  const cell = ifGiven("tableCell", input.tableCell, ({ record, definition }) => ({
    tableCellRecord: checkKey("tableCell.record")(record),
    tableCellDefinition: checkKey("tableCell.definition")(definition),
  }));
  if (pageId === undefined && nodeId !== undefined) throw invalidInput("node", "needs the page that it is on, too.");
  if (pageId === undefined) return { revisionId: place.revisionId, ...cell };
  const revision = await contentOf(context, { id: place.changeRequestId ?? place.space.id }, want(["treeHash"]));
  const page = (await pagesOf(context, revision)).byId.get(pageId);
  if (!page) throw invalidInput("pageId", `must be a page of the present content, and ${pageId} is not.`);
  const node = nodeId === undefined ? {} : await checkNode(context, page, nodeId, cell);
  return { revisionId: revision.id, pageId, documentHash: page.documentHash, ...node, ...cell };
}

async function checkNode(context: Context, page: PageRow, nodeId: string, cell: Cell | undefined) {
  const node = await findNodeOn(context, page, nodeId);
  if (!node) throw invalidInput("node", `must be a node of the page as it is now, and ${nodeId} is not.`);
  if (cell && !findCell({ nodes: [node] }, cell.tableCellRecord, cell.tableCellDefinition))
    throw invalidInput("tableCell", "must be a cell of a table, which is the node.");
  return { nodeId, nodePreview: previewOf(node) };
}
