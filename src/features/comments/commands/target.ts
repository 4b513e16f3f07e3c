// The target of a new comment: a page of the current content, a node of it, or a table cell.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { lastingId } from "#src/base/ids.ts";
import { findCell, findNode, type RichNode } from "#src/documents/document.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, ifGiven, type Optional } from "#src/domain/input.ts";
import type { CommentRow } from "#src/features/comments/reads/comments.ts";
import type { PresentPlace } from "#src/features/comments/commands/load.ts";
import { previewOf } from "#src/features/comments/reads/targets.ts";
import { hasText, inTreeOrder, type PageRow, type PageTree } from "#src/features/content/model/page.ts";
import { documentToSearch } from "#src/features/content/reads/documents.ts";
import { pagesOf } from "#src/features/content/reads/pages.ts";
import { contentOf } from "#src/features/content/reads/revisions.ts";

/** The target that an input names; without any field the comment is about the whole content. */
export type TargetInput = Optional<{
  pageId: string;
  nodeKey: string;
  tableCell: { readonly record: string; readonly definition: string };
}>;

interface Cell {
  readonly tableCellRecord: string;
  readonly tableCellDefinition: string;
}

type Target = Pick<CommentRow, "revisionId"> &
  Partial<Pick<CommentRow, "pageId" | "documentHash" | "nodeId" | "nodePreview"> & Cell>;

/** The key of a part of the content, stored as given. */
const checkKey = (path: string) => (key: string) => checkText(path, key, { min: 1, max: 200 });

/** Finds the page of a node or cell if no page is given. INVALID_INPUT unless exactly one page has it. */
export async function checkTarget(context: Context, place: PresentPlace, input: TargetInput): Promise<Target> {
  const pageId = ifGiven("pageId", input.pageId, (id) => lastingId("Page", checkKey("pageId")(id)));
  const nodeId = ifGiven("nodeKey", input.nodeKey, checkKey("nodeKey"));
  const cell = ifGiven("tableCell", input.tableCell, ({ record, definition }) => ({
    tableCellRecord: checkKey("tableCell.record")(record),
    tableCellDefinition: checkKey("tableCell.definition")(definition),
  }));
  if (pageId === undefined && nodeId === undefined && cell === undefined) return { revisionId: place.revisionId };
  const revision = await contentOf(context, { id: place.changeRequestId ?? place.space.id }, project(["treeHash"]));
  const tree = await pagesOf(context, revision);
  const part: Part = { nodeId, cell };
  const { page, node } =
    pageId === undefined ? await findPart(context, tree, part) : await checkPart(context, pageIn(tree, pageId), part);
  const onNode = node && nodeId !== undefined ? { nodeId, nodePreview: previewOf(node) } : {};
  return { revisionId: revision.id, pageId: page.pageId, documentHash: page.documentHash, ...onNode, ...cell };
}

interface Part {
  readonly nodeId: string | undefined;
  readonly cell: Cell | undefined;
}

interface Found {
  readonly page: PageRow;
  readonly node: RichNode | null;
}

function pageIn({ byId }: PageTree, pageId: string): PageRow {
  const page = byId.get(pageId);
  if (!page) throw invalidInput("pageId", `must be the id of a page of the current content; ${pageId} is not.`);
  return page;
}

async function checkPart(context: Context, page: PageRow, { nodeId, cell }: Part): Promise<Found> {
  if (nodeId === undefined && cell === undefined) return { page, node: null };
  const document = await documentToSearch(context, page);
  const node = document && nodeId !== undefined ? findNode(document, nodeId) : null;
  if (nodeId !== undefined && !node)
    throw invalidInput("nodeKey", `must be the key of a node of the current page; ${nodeId} is not.`);
  if (cell && !hasCell(node ? { nodes: [node] } : document, cell))
    throw invalidInput(
      "tableCell",
      `must be a cell of ${node ? "the table that is the node" : "a table of the current page"}.`,
    );
  return { page, node };
}

function hasCell(within: Parameters<typeof findCell>[0] | null, cell: Cell): boolean {
  return within !== null && findCell(within, cell.tableCellRecord, cell.tableCellDefinition) !== null;
}

/** Finds a part in the whole content. The texts of all pages are read in one statement, up to a limit. */
async function findPart(context: Context, tree: PageTree, { nodeId, cell }: Part): Promise<Found> {
  const name = nodeId === undefined ? "tableCell" : "nodeKey";
  const pages = inTreeOrder(tree.pages).filter(({ type }) => hasText(type));
  const documents = await Promise.all(pages.map((page) => documentToSearch(context, page))).catch(tooMuch(name));
  const found: Found[] = [];
  for (const [index, page] of pages.entries()) {
    const document = documents[index];
    if (!document) continue;
    const node = nodeId === undefined ? null : findNode(document, nodeId);
    if (nodeId === undefined ? cell && hasCell(document, cell) : node) found.push({ page, node });
  }
  const [first, second] = found;
  const what = nodeId === undefined ? "a cell of a table" : "a node";
  if (!first) throw invalidInput(name, `must be ${what} of the current content; no page contains it.`);
  if (second)
    throw invalidInput(
      name,
      `is on ${found.length} pages, such as ${first.page.path} and ${second.page.path}. Set the page as well.`,
    );
  return checkPart(context, first.page, { nodeId, cell });
}

/** Content with more text than an operation may convert is not searched. */
const tooMuch = (name: string) => (error: unknown) => {
  if (!(error instanceof DomainError) || error.code !== "INVALID_INPUT") throw error;
  const problem = "requires the page as well: the content has too much text to search all pages.";
  throw invalidInput(name, problem);
};
