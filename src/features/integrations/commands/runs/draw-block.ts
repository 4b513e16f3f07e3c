// Draws blocks: runs the script of an installation for the element of a block, and checks its answer.
import { DomainError, type ErrorDetail, notFound, invalidInput } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { isRecord } from "#src/base/json.ts";
import type { Context } from "#src/domain/context.ts";
import { lendSlot } from "#src/domain/lock-queue.ts";
import { type RunHost, type Runnable, runnableOf } from "#src/features/integrations/commands/runs/runnable.ts";
import { drawingEvent, runFor } from "#src/features/integrations/commands/runs/run.ts";
import {
  type BlockRequest,
  isDeeper,
  requestLimits,
  checkedRequest,
  decompressedRequest,
  type GivenBlockRequest,
  placeIn,
} from "#src/features/integrations/model/runs/block-request.ts";
import { elementFault } from "#src/features/integrations/model/runs/elements.ts";
import { type Outcome, type TraceLine, traceOf } from "#src/features/integrations/model/runs/outcome.ts";
import { installationAt, type SeenPlace, seenPlace, unfurlingOn } from "#src/features/integrations/reads/drawing.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { checkWebAddress } from "#src/domain/input.ts";
import { checkIntegrationName, hostsAbove, unfurls } from "#src/features/integrations/model/manifest/names.ts";

export interface DrawnBlock {
  readonly integrationName: string;
  readonly installationId: string;
  readonly componentId: string;
  readonly element: unknown;
  /** For the next request. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly state: Readonly<Record<string, unknown>>;
  /** The trace of the run; empty for all but admins of the organization. */
  readonly logs: readonly TraceLine[];
}

/** The most blocks of an operation, and the most characters of an answer. */
const drawingLimits = { blocks: 20, answer: 200_000 } as const;

/** The most lines of a trace in an error. */
const shownLines = 20;

type BlockAt = { readonly place: SeenPlace; readonly name: string; readonly request: BlockRequest };

/**
 * Equal requests of an operation are drawn once. Throws NOT_FOUND, INVALID_INPUT beyond the most blocks of an
 * operation, INTEGRATION_FAILED for faults of the script, with details for admins of the organization.
 */
export async function drawBlock(context: Context, asked: BlockAt): Promise<DrawnBlock> {
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
  const outcome = await lendSlot(context, () => runFor(host, runnable, event));
  return { drawn: drawnFrom(context, { runnable, request, outcome }), size: outcome.answer?.length ?? 0 };
}

function hostOf(context: Context): RunHost {
  const { scripts, isAnonymous } = context;
  if (isAnonymous) throw new DomainError("UNAUTHENTICATED");
  if (scripts) return { ...context, ...scripts };
  throw new DomainError("FORBIDDEN", "Blocks are drawn neither in streams nor for what scripts ask.");
}

function countBlock({ reader }: Context): void {
  const taken = reader.once(countBlock, "", () => ({ blocks: 0 }));
  taken.blocks += 1;
  if (taken.blocks <= drawingLimits.blocks) return;
  throw new DomainError("INVALID_INPUT", `This asks for more than ${drawingLimits.blocks} blocks; ask for fewer.`);
}

type Done = { readonly runnable: Runnable; readonly request: BlockRequest; readonly outcome: Outcome };

function drawnFrom(context: Context, done: Done): DrawnBlock {
  const { runnable, request, outcome } = done;
  const { answer, fault } = outcome;
  if (fault !== null) throw failure(context, done, [{ path: "script", message: fault }]);
  if ((answer ?? "").length > drawingLimits.answer)
    throw failure(context, done, [
      { path: "", message: `The answer has more than ${drawingLimits.answer} characters.` },
    ]);
  const output: unknown = answer === null ? null : JSON.parse(answer);
  if (output === null) throw notFound(`component of this integration: it draws nothing for ${request.componentId}`);
  const wrong = elementFault(output) ?? valuesFault(output, "props") ?? valuesFault(output, "state");
  if (wrong) throw failure(context, done, [wrong]);
  const drawn = output as Partial<DrawnBlock>; // as was checked
  const { element, props = request.props, state = request.state } = drawn;
  const { name: integrationName, installationId } = runnable;
  const { componentId } = request;
  const logs = maySeeTrace(context, runnable) ? traceOf(outcome, context.clock.now()) : [];
  return { integrationName, installationId, componentId, element, props, state, logs };
}

function valuesFault(output: unknown, name: "props" | "state"): ErrorDetail | null {
  const value = isRecord(output) ? output[name] : undefined;
  const isGood = value === undefined || (isRecord(value) && !isDeeper(value, requestLimits.levels));
  return isGood
    ? null
    : { path: `/${name}`, message: `Has to be an object, nested at most ${requestLimits.levels} deep.` };
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

/** INVALID_INPUT with the place of a fault, NOT_FOUND and FORBIDDEN for its place, or as {@link drawBlock} does. */
export async function renderBlock(context: Context, given: Named & GivenBlockRequest): Promise<DrawnBlock> {
  const { integrationName, componentId, props = {}, state, action, context: at } = given;
  const asked = { ...(state != null && { state }), ...(action != null && { action }) };
  const request = await checkedRequest("", { componentId, props: props ?? {}, context: at, ...asked });
  return renderAt(context, integrationName, { request, at: "context" });
}

/** Draws a block by a request that LZ-string has compressed. Throws as {@link renderBlock} does. */
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

/** By the first integration, by name, that unfurls it; null for none. INVALID_INPUT for the address. */
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
    const request = { componentId: block.id, props: {}, state: {}, context: { spaceId }, action };
    return drawBlock(context, { place, name, request });
  }
  return null;
}
