// The blocks of integrations in the texts of pages: fenced code that names one (`integration:<name>/<component>`), code
// in the language of one, and nodes of the type `integration`. Each gets what was drawn of it into its `data`.
import { DomainError } from "#src/base/errors.ts";
import { type Block, nodesIn, type RichDocument, type RichNode, textOfNode } from "#src/documents/document.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import type { Context } from "#src/domain/context.ts";
import { defineDrawing } from "#src/features/content/reads/drawn-documents.ts";
import type { PageInRevision } from "#src/features/content/reads/pages.ts";
import { drawBlock } from "#src/features/integrations/commands/runs/draw-block.ts";
import { checkedRequest } from "#src/features/integrations/model/runs/block-request.ts";
import { blocksWrittenIn, seenPlace, type WrittenBlock } from "#src/features/integrations/reads/drawing.ts";

/** What fenced code says to be a block. */
const named = /^integration:([^/]+)\/(.+)$/;
/** The property that the text of a block in a language of its own is, where its integration names none. */
const usualBody = "content";

/** A block that a node asks for. */
interface Wanted {
  readonly node: Block;
  readonly name: string;
  readonly componentId: string;
  readonly props: unknown;
}

/** Draws the blocks of a document, side by side; each says for itself what went wrong with it. */
async function drawInPage(context: Context, page: PageInRevision, document: RichDocument): Promise<RichDocument> {
  const blocks = [...nodesIn(document)].filter((node) => node.object === "block");
  const languages = new Set(blocks.flatMap((node) => languageOf(node) ?? []).filter((one) => !named.test(one)));
  const written = await blocksWrittenIn(context, page.revision.spaceId, [...languages]);
  const wanted = blocks.flatMap((node) => wantedBy(node, written) ?? []);
  if (wanted.length === 0) return document;
  const drawn = await Promise.all(wanted.map(async (one) => [one.node, await drawnOf(context, page, one)] as const));
  return { ...document, nodes: withDrawn(document.nodes, new Map(drawn)) };
}

const languageOf = ({ type, data: { syntax } }: Block): string | null =>
  type === "code" && typeof syntax === "string" ? syntax : null;

function wantedBy(node: Block, written: ReadonlyMap<string, WrittenBlock>): Wanted | null {
  if (node.type === "integration") return wantedByNode(node);
  const language = languageOf(node);
  if (language === null) return null;
  const [, name, componentId] = named.exec(language) ?? [];
  if (name !== undefined && componentId !== undefined)
    return { node, name, componentId, props: valuesIn(textOfNode(node)) };
  const block = written.get(language);
  return block ? { node, ...block, props: { [block.body ?? usualBody]: textOfNode(node) } } : null;
}

function wantedByNode(node: Block): Wanted | null {
  const { integration: name, block: componentId, props = {} } = node.data;
  if (typeof name !== "string" || typeof componentId !== "string") return null;
  return { node, name, componentId, props };
}

/** What is no JSON is a text, which props are not. */
function valuesIn(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function drawnOf(context: Context, page: PageInRevision, { name, componentId, props }: Wanted): Promise<unknown> {
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

/** What is told in the place of a block. What is beyond the budget, or no answer at all, ends the whole. */
function errorOf({ log, reader }: Context, error: unknown) {
  reader.budget.check();
  const answer = answerOf(error, log);
  if (!(answer instanceof DomainError)) throw error;
  const { code, message, details } = answer;
  return { code, message, ...(details && { details }) };
}

/** The nodes, where those that hold nothing drawn stay the same objects. */
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
