// Drawing blocks: an installation is asked for the element of a block, and what it answers is checked.
import { DomainError, type ErrorDetail, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { isRecord } from "#src/base/json.ts";
import type { Context } from "#src/domain/context.ts";
import { aside } from "#src/domain/lock-queue.ts";
import type { RunHost } from "#src/features/integrations/commands/runs/host.ts";
import { drawingEvent, runFor } from "#src/features/integrations/commands/runs/run.ts";
import { type Runnable, runnableOf } from "#src/features/integrations/commands/runs/runnable.ts";
import { type BlockRequest, isDeeper, requestLimits } from "#src/features/integrations/model/runs/block-request.ts";
import { elementFault } from "#src/features/integrations/model/runs/elements.ts";
import { type Outcome, type TraceLine, traceOf } from "#src/features/integrations/model/runs/outcome.ts";
import { installationAt, type SeenPlace } from "#src/features/integrations/reads/drawing.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";

/** A block as it was drawn. */
export interface DrawnBlock {
  readonly integrationName: string;
  readonly installationId: string;
  readonly componentId: string;
  /** A `block` with what is in it. */
  readonly element: unknown;
  /** What it is to be asked with the next time. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly state: Readonly<Record<string, unknown>>;
  /** The trace of the run; empty for all but admins of the organization. */
  readonly logs: readonly TraceLine[];
}

/** The most blocks that one operation has drawn, and the most characters of what is answered of each. */
const drawingLimits = { blocks: 20, answer: 200_000 } as const;

/** The most lines of a trace that an error tells. */
const toldLines = 20;

/** A block of an integration at a place. */
export interface BlockAt {
  readonly place: SeenPlace;
  readonly name: string;
  readonly request: BlockRequest;
}

/**
 * Draws a block by the installation of the integration at a place that the viewer sees: once in an operation, however
 * often the same is asked for, also where the operation is run again.
 *
 * Throws NOT_FOUND where none is active there, and where it draws no such component; INVALID_INPUT beyond the most
 * blocks of an operation; INTEGRATION_FAILED for what its script does wrong, which admins of the organization are told.
 */
export async function drawBlock(context: Context, asked: BlockAt): Promise<DrawnBlock> {
  const { drawn, size } = await context.reader.once(drawBlock, JSON.stringify(asked), () => draw(context, asked));
  context.reader.budget.takeText(size);
  return drawn;
}

async function draw(context: Context, { place, name, request }: BlockAt) {
  const host = hostOf(context);
  takeOne(context);
  const installationId = await installationAt(context, place, name);
  const runnable = await context.reader.once(draw, installationId, () => runnableOf(host, installationId));
  if (!runnable || runnable.status !== "active") throw notFound("active installation of this integration here");
  const { kind, id, organizationId } = place;
  const at = { ...request.context, organizationId, ...(kind !== "organization" && { [`${kind}Id`]: id }) };
  const event = { type: drawingEvent, eventId: newId("IntegrationEvent"), installationId, ...request, context: at };
  // Calls of the script take places of their own among all operations: this one leaves its own to others meanwhile.
  const outcome = await aside(context, () => runFor(host, runnable, event));
  return { drawn: drawnFrom(context, { runnable, request, outcome }), size: outcome.answer?.length ?? 0 };
}

function hostOf(context: Context): RunHost {
  const { scripts, isAnonymous } = context;
  if (isAnonymous) throw new DomainError("UNAUTHENTICATED");
  if (scripts) return { ...context, ...scripts };
  throw new DomainError("FORBIDDEN", "Blocks are drawn neither in streams nor for what scripts ask.");
}

function takeOne({ reader }: Context): void {
  const taken = reader.once(takeOne, "", () => ({ blocks: 0 }));
  taken.blocks += 1;
  if (taken.blocks <= drawingLimits.blocks) return;
  throw new DomainError("INVALID_INPUT", `This asks for more than ${drawingLimits.blocks} blocks; ask for fewer.`);
}

interface Done {
  readonly runnable: Runnable;
  readonly request: BlockRequest;
  readonly outcome: Outcome;
}

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
  const logs = isTold(context, runnable) ? traceOf(outcome, context.clock.now()) : [];
  return { integrationName, installationId, componentId, element, props, state, logs };
}

function valuesFault(output: unknown, name: "props" | "state"): ErrorDetail | null {
  const value = isRecord(output) ? output[name] : undefined;
  const isGood = value === undefined || (isRecord(value) && !isDeeper(value, requestLimits.levels));
  return isGood
    ? null
    : { path: `/${name}`, message: `Has to be an object, nested at most ${requestLimits.levels} deep.` };
}

/** What scripts say and where they fail is for those alone who administer the organization, as it is of events. */
const isTold = ({ viewer }: Context, { organizationId }: Runnable): boolean =>
  organizationPermissions(viewer, organizationId).admin;

function failure(context: Context, { runnable, request, outcome }: Done, faults: ErrorDetail[]): DomainError {
  const message = `The integration ${runnable.name} failed to draw ${request.componentId}.`;
  if (!isTold(context, runnable)) return new DomainError("INTEGRATION_FAILED", message);
  const said = outcome.logs
    .slice(-toldLines)
    .map((line) => ({ path: "trace", message: `${line.level}: ${line.message}` }));
  const first = faults.map((fault) => [fault.path, fault.message].filter((text) => text !== "").join(": ")).join(" ");
  return new DomainError("INTEGRATION_FAILED", `${message} ${first}`, [...faults, ...said]);
}
