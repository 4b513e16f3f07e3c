// Draws blocks in the texts of pages, into the `data` of their nodes: code that names one (`integration:<name>/<id>`),
// code in the language of one, and nodes of the type `integration`.
import { DomainError } from "#src/base/errors.ts";
import { type Block, nodesIn, type RichDocument, type RichNode, textOfNode } from "#src/documents/document.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import type { Context } from "#src/domain/context.ts";
import { defineDrawing } from "#src/features/content/reads/documents.ts";
import type { PageInRevision } from "#src/features/content/reads/pages.ts";
import { drawBlock } from "#src/features/integrations/commands/runs/draw-block.ts";
import { checkedRequest } from "#src/features/integrations/model/runs/block-request.ts";
import { blocksWrittenIn, seenPlace, type WrittenBlock } from "#src/features/integrations/reads/drawing.ts";

const named = /^integration:([^/]+)\/(.+)$/;
/** The property for the text of a block with a language, unless its integration names another. */
const defaultBody = "content";

interface RequestedBlock {
  readonly node: Block;
  readonly name: string;
  readonly componentId: string;
  readonly props: unknown;
}

/** Draws the blocks of a document concurrently; each has its own error. */
async function drawInPage(context: Context, page: PageInRevision, document: RichDocument): Promise<RichDocument> {
  const blocks = [...nodesIn(document)].filter((node) => node.object === "block");
  const languages = new Set(blocks.flatMap((node) => languageOf(node) ?? []).filter((one) => !named.test(one)));
  const written = await blocksWrittenIn(context, page.revision.spaceId, [...languages]);
  const requested = blocks.flatMap((node) => requestedBy(node, written) ?? []);
  if (requested.length === 0) return document;
  const drawn = await Promise.all(requested.map(async (one) => [one.node, await drawnOf(context, page, one)] as const));
  return { ...document, nodes: withDrawn(document.nodes, new Map(drawn)) };
}

const languageOf = ({ type, data: { syntax } }: Block): string | null =>
  type === "code" && typeof syntax === "string" ? syntax : null;

function requestedBy(node: Block, written: ReadonlyMap<string, WrittenBlock>): RequestedBlock | null {
  if (node.type === "integration") return requestedByNode(node);
  const language = languageOf(node);
  if (language === null) return null;
  const [, name, componentId] = named.exec(language) ?? [];
  if (name !== undefined && componentId !== undefined)
    return { node, name, componentId, props: valuesIn(textOfNode(node)) };
  const block = written.get(language);
  return block ? { node, ...block, props: { [block.body ?? defaultBody]: textOfNode(node) } } : null;
}

function requestedByNode(node: Block): RequestedBlock | null {
  const { integration: name, block: componentId, props = {} } = node.data;
  if (typeof name !== "string" || typeof componentId !== "string") return null;
  return { node, name, componentId, props };
}

/** The JSON in a text; the text itself if it is invalid, which the check of props refuses. */
function valuesIn(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function drawnOf(
  context: Context,
  page: PageInRevision,
  { name, componentId, props }: RequestedBlock,
): Promise<unknown> {
  const { pageId, revision } = page;
  const { spaceId, changeRequestId } = revision;
  try {
    const at = { spaceId, ...(changeRequestId !== null && { changeRequestId }), revisionId: revision.id, pageId };
    const place = await seenPlace(context, { kind: "space", id: spaceId });
    const request = await checkedRequest("", { componentId, props, context: at });
    const { element, state, ...block } = await drawBlock(context, { place, name, request });
    return { integration: name, componentId, element, props: block.props, state };
  } catch (error) {
    return { integration: name, componentId, error: errorOf(context, error) };
  }
}

/** The error in the place of a block. Throws beyond the budget, and for unexpected errors. */
function errorOf({ log, reader }: Context, error: unknown) {
  reader.budget.check();
  const answer = answerOf(error, log);
  if (!(answer instanceof DomainError)) throw error;
  const { code, message, details } = answer;
  return { code, message, ...(details && { details }) };
}

/** The nodes with the results; subtrees without any stay the same objects. */
function withDrawn<Node extends RichNode>(nodes: readonly Node[], drawn: ReadonlyMap<Block, unknown>): readonly Node[] {
  let isSame = true;
  const made = nodes.map((node) => {
    if (node.object === "text") return node;
    const inside = withDrawn<RichNode>(node.nodes, drawn);
    const rendered = node.object === "block" ? drawn.get(node) : undefined;
    if (inside === node.nodes && rendered === undefined) return node;
    isSame = false;
    const data = rendered === undefined ? node.data : { ...node.data, rendered };
    return { ...node, nodes: inside, data };
  });
  return isSame ? nodes : made;
}

defineDrawing(drawInPage);
