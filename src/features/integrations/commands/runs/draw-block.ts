// Draws blocks by the scripts of installations: for clients, and in the texts of pages, into the `data` of their nodes.
import { DomainError, type ErrorDetail, notFound, invalidInput } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { isRecord } from "#src/base/json.ts";
import type { Context } from "#src/domain/context.ts";
import { lendSlot } from "#src/runtime/tenant.ts";
import { type RunHost, type Runnable, runnableOf } from "#src/features/integrations/commands/runs/runnable.ts";
import { runFor } from "#src/features/integrations/commands/runs/run.ts";
import { drawingEvent } from "#src/features/integrations/model/runs/worker.ts";
import {
  type BlockRequest,
  isDeeper,
  requestLimits,
  checkedRequest,
  decompressedRequest,
  type GivenBlockRequest,
  placeIn,
} from "#src/features/integrations/model/runs/block-request.ts";
import { elementFault, isComplete } from "#src/features/integrations/model/runs/elements.ts";
import { type Outcome, type TraceLine, traceOf } from "#src/features/integrations/model/runs/outcome.ts";
import {
  installationAt,
  type SeenPlace,
  seenPlace,
  unfurlingOn,
  blocksWrittenIn,
  type WrittenBlock,
} from "#src/features/integrations/reads/drawing.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { checkWebAddress } from "#src/domain/input.ts";
import { checkIntegrationName, hostsAbove, unfurls } from "#src/features/integrations/model/manifest/names.ts";
import { type Block, nodesIn, type RichDocument, type RichNode, textOfNode } from "#src/documents/document.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import { defineDrawing } from "#src/features/content/reads/documents.ts";
import type { PageInRevision } from "#src/features/content/reads/pages.ts";

export interface DrawnBlock {
  readonly integrationName: string;
  readonly installationId: string;
  readonly componentId: string;
  /** `complete` if the component has ended by an action; its element is then empty. */
  readonly type: "element" | "complete";
  readonly element: unknown;
  /** What a component that has ended gives back; null otherwise. */
  readonly returnValue: unknown;
  /** For the next request. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly state: Readonly<Record<string, unknown>>;
  /** The trace of the run; empty unless the viewer administers the organization. */
  readonly logs: readonly TraceLine[];
}

/** The limits of blocks per operation, and of characters per result. */
const drawingLimits = { blocks: 20, answer: 200_000 } as const;

/** The limit of trace lines in an error. */
const shownLines = 20;

type BlockAt = { readonly place: SeenPlace; readonly name: string; readonly request: BlockRequest };

/**
 * Equal requests of an operation are drawn once. Throws NOT_FOUND, INVALID_INPUT beyond the most blocks of an
 * operation, INTEGRATION_FAILED for faults of the script, with details for admins of the organization.
 */
async function drawBlock(context: Context, asked: BlockAt): Promise<DrawnBlock> {
  const { drawn, size } = await context.reader.once(drawBlock, JSON.stringify(asked), () => draw(context, asked));
  context.reader.budget.takeText(size);
  return drawn;
}

async function draw(context: Context, { place, name, request }: BlockAt) {
  const host = hostOf(context);
  countBlock(context);
  const installationId = await installationAt(context, place, name);
  const runnable = await context.reader.once(draw, installationId, () => runnableOf(host, installationId));
  if (!runnable || runnable.status !== "active") throw notFound("active installation of this integration here");
  const { kind, id, organizationId } = place;
  const at = { ...request.context, organizationId, ...(kind !== "organization" && { [`${kind}Id`]: id }) };
  const event = { type: drawingEvent, eventId: newId("IntegrationEvent"), installationId, ...request, context: at };
  // Calls of the script take slots of their own, so this operation releases its slot meanwhile.
  const isConfigured = request.action !== undefined && organizationPermissions(context.viewer, organizationId).admin;
  const mayChange = isConfigured ? "settings" : "nothing";
  const outcome = await lendSlot(() => runFor(host, runnable, event, mayChange));
  return { drawn: drawnFrom(context, { runnable, request, outcome }), size: outcome.answer?.length ?? 0 };
}

function hostOf(context: Context): RunHost {
  const { scripts, isAnonymous } = context;
  if (isAnonymous) throw new DomainError("UNAUTHENTICATED");
  if (scripts) return { ...context, ...scripts };
  throw new DomainError("FORBIDDEN", "Blocks cannot be drawn in subscriptions or for calls of scripts.");
}

function countBlock({ reader }: Context): void {
  const taken = reader.once(countBlock, "", () => ({ blocks: 0 }));
  taken.blocks += 1;
  if (taken.blocks <= drawingLimits.blocks) return;
  throw new DomainError(
    "INVALID_INPUT",
    `The operation requests more than ${drawingLimits.blocks} blocks: request fewer.`,
  );
}

type Done = { readonly runnable: Runnable; readonly request: BlockRequest; readonly outcome: Outcome };

function drawnFrom(context: Context, done: Done): DrawnBlock {
  const { runnable, request, outcome } = done;
  const { answer, fault } = outcome;
  if (fault !== null) throw failure(context, done, [{ path: "script", message: fault }]);
  if ((answer ?? "").length > drawingLimits.answer)
    throw failure(context, done, [
      { path: "", message: `The result has more than ${drawingLimits.answer} characters.` },
    ]);
  const output: unknown = answer === null ? null : JSON.parse(answer);
  if (output === null) throw notFound(`component ${request.componentId} of this integration`);
  const wrong = elementFault(output) ?? valuesFault(output, "props") ?? valuesFault(output, "state");
  if (wrong) throw failure(context, done, [wrong]);
  const drawn = isComplete(output) ? { element: emptyBlock } : (output as Partial<DrawnBlock>); // checked above
  const { element, props = request.props, state = request.state ?? {} } = drawn;
  const type = isComplete(output) ? "complete" : "element";
  const returnValue = isComplete(output) ? (output.returnValue ?? null) : null;
  const { name: integrationName, installationId } = runnable;
  const { componentId } = request;
  const logs = maySeeTrace(context, runnable) ? traceOf(outcome, context.clock.now()) : [];
  return { integrationName, installationId, componentId, type, element, returnValue, props, state, logs };
}

const emptyBlock = { type: "block", children: [] };

function valuesFault(output: unknown, name: "props" | "state"): ErrorDetail | null {
  const value = isRecord(output) ? output[name] : undefined;
  const isGood = value === undefined || (isRecord(value) && !isDeeper(value, requestLimits.levels));
  return isGood
    ? null
    : { path: `/${name}`, message: `must be an object with at most ${requestLimits.levels} levels of nesting.` };
}

/** Only admins of the organization see logs and faults of scripts, as they do of events. */
const maySeeTrace = ({ viewer }: Context, { organizationId }: Runnable): boolean =>
  organizationPermissions(viewer, organizationId).admin;

function failure(context: Context, { runnable, request, outcome }: Done, faults: ErrorDetail[]): DomainError {
  const message = `The integration ${runnable.name} failed to draw ${request.componentId}.`;
  if (!maySeeTrace(context, runnable)) return new DomainError("INTEGRATION_FAILED", message);
  const said = outcome.logs
    .slice(-shownLines)
    .map((line) => ({ path: "trace", message: `${line.level}: ${line.message}` }));
  const first = faults.map((fault) => [fault.path, fault.message].filter((text) => text !== "").join(": ")).join(" ");
  return new DomainError("INTEGRATION_FAILED", `${message} ${first}`, [...faults, ...said]);
}

type Named = { readonly integrationName: string };

/** INVALID_INPUT with the path of a fault, NOT_FOUND and FORBIDDEN for its place, or errors of {@link drawBlock}. */
export async function renderBlock(context: Context, given: Named & GivenBlockRequest): Promise<DrawnBlock> {
  const { integrationName, componentId, props = {}, state, action, context: at } = given;
  const asked = { ...(state != null && { state }), ...(action != null && { action }) };
  const request = await checkedRequest("", { componentId, props: props ?? {}, context: at, ...asked });
  return renderAt(context, integrationName, { request, at: "context" });
}

/** Draws a block by an LZ-string-compressed request. Throws as {@link renderBlock} does. */
export async function renderCompressed(
  context: Context,
  { integrationName, request }: Named & { readonly request: string },
): Promise<DrawnBlock> {
  const decompressed = await decompressedRequest("request", request);
  return renderAt(context, integrationName, { request: decompressed, at: "request/context" });
}

async function renderAt(
  context: Context,
  integrationName: string,
  { request, at }: { request: BlockRequest; at: string },
): Promise<DrawnBlock> {
  const name = checkIntegrationName(integrationName);
  const place = await seenPlace(context, placeIn(at, request.context));
  return drawBlock(context, { place, name, request });
}

/** The action of requests for the block of a link. */
const unfurling = "@link.unfurl";

/** Draws it by the first integration by name that unfurls it; null without one. INVALID_INPUT for the address. */
export async function unfurlLink(context: Context, spaceId: string, url: string): Promise<DrawnBlock | null> {
  const address = URL.parse(checkWebAddress("url", url));
  if (!address) throw invalidInput("url", "must be an address.");
  const installations = await unfurlingOn(context, spaceId, hostsAbove(address));
  for (const { name, blocks, agreed } of installations) {
    const fits = ({ urlUnfurl }: (typeof blocks)[number]) => urlUnfurl.some((pattern) => unfurls(pattern, address));
    const block = blocks.find(fits);
    if (!block || !agreed.some(fits)) continue;
    const place = await seenPlace(context, { kind: "space", id: spaceId });
    const action = { action: unfurling, url: address.href };
    const request = { componentId: block.id, props: {}, context: { ...inDocument, spaceId }, action };
    return drawBlock(context, { place, name, request });
  }
  return null;
}

const named = /^integration:([^/]+)\/(.+)$/;
/** The property for the text of a block with a language, unless its integration specifies another one. */
const defaultBody = "content";

interface RequestedBlock {
  readonly node: Block;
  readonly name: string;
  readonly componentId: string;
  readonly props: unknown;
}

/**
 * Draws the blocks of a document concurrently, each with its own error: fenced code that names one
 * (`integration:<name>/<component>`), code in the language of one, and nodes of the type `integration`.
 */
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

/** What scripts expect of the context of a block that is read in a page. */
const inDocument = { type: "document", editable: false, theme: "light" } as const;

async function drawnOf(
  context: Context,
  page: PageInRevision,
  { name, componentId, props }: RequestedBlock,
): Promise<unknown> {
  const { pageId, revision } = page;
  const { spaceId, changeRequestId } = revision;
  try {
    const revised = changeRequestId !== null && { changeRequestId };
    const at = { ...inDocument, spaceId, ...revised, revisionId: revision.id, pageId };
    const place = await seenPlace(context, { kind: "space", id: spaceId });
    const request = await checkedRequest("", { componentId, props, context: at });
    const { element, state, ...block } = await drawBlock(context, { place, name, request });
    return { integration: name, componentId, element, props: block.props, state };
  } catch (error) {
    return { integration: name, componentId, error: errorOf(context, error) };
  }
}

/** The error at the path of a block. Throws beyond the budget, and for unexpected errors. */
function errorOf({ log, reader }: Context, error: unknown) {
  reader.budget.check();
  const answer = answerOf(error, log);
  if (!(answer instanceof DomainError)) throw error;
  const { code, message, details } = answer;
  return { code, message, ...(details && { details }) };
}

/** The nodes with the results; subtrees without results keep their identity. */
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
