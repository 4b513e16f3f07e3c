// Runs operations within the limits of their callers: every transport uses this, once for each operation.
import type { ExecutionResult } from "graphql";
import { DomainError } from "#src/base/errors.ts";
import { inFigures } from "#src/base/limits.ts";
import type { OnAbort } from "#src/runtime/fair-semaphore.ts";
import { jsonLength, longJson } from "#src/runtime/long-json.ts";
import { takeResponseMemory } from "#src/runtime/memory.ts";
import { runWith } from "#src/runtime/current.ts";
import { currentTenant, tenants } from "#src/runtime/tenant.ts";
import { meters } from "#src/db/connection/database.ts";
import { besideLimit, limits } from "#src/db/connection/time-limit.ts";
import type { Context } from "#src/domain/context.ts";
import { quotaOf, costOf } from "#src/domain/cost.ts";
import { slotsFor } from "#src/domain/operation-slots.ts";
import type { Operation, Receiver, Variables } from "#src/graph/run/execute.ts";
import { requireFewItems } from "#src/graph/run/document-limits.ts";
import { ByteWriter } from "#src/plan/byte-writer.ts";

/** A long response that was run field by field, as JSON in pieces. */
export class LongResult {
  readonly errors: ExecutionResult["errors"];
  readonly pieces: Buffer[];

  constructor(errors: ExecutionResult["errors"], pieces: Buffer[]) {
    this.errors = errors;
    this.pieces = pieces;
  }

  /** Adds extensions, of which results of the executor have none. */
  extend(extensions: object): void {
    const last = this.pieces.pop() ?? Buffer.alloc(0);
    const more = Buffer.from(`,"extensions":${JSON.stringify(extensions)}}`);
    this.pieces.push(Buffer.concat([last.subarray(0, -1), more])); // without the bracket of the response
  }
}

/** Runs an operation; the caller frees bytes. INVALID_INPUT beyond the estimate, RATE_LIMITED beyond its quota. */
export function runWithinLimits(
  context: Context,
  operation: Operation,
  variables: Variables,
): Promise<ByteWriter | ExecutionResult> {
  return runForCost(context, operation, variables, () => operation.run(context, variables));
}

/**
 * The same, with a long result as JSON. It is made in the slot of its operation, as a compiled operation writes its
 * response: results that wait for memory are as few as the operations that may run.
 */
export function writeWithinLimits(
  context: Context,
  operation: Operation,
  variables: Variables,
): Promise<ByteWriter | LongResult | ExecutionResult> {
  return runForCost<LongResult | ExecutionResult>(context, operation, variables, async () => {
    const result = await operation.run(context, variables);
    const isLong = result.data !== undefined && context.reader.budget.points > longAnswer;
    return isLong ? inPieces(context, operation, result) : result;
  });
}

/** From this many points on, serializing a response takes milliseconds. */
const longAnswer = 10_000;

/** Waits for memory beside the time limit; what a mutation has changed is reported, however long it waits. */
async function inPieces({ limit }: Context, { kind }: Operation, result: ExecutionResult): Promise<LongResult> {
  const onAbort: OnAbort = kind === "mutation" ? () => undefined : (fail) => limit.onEnd(fail);
  const free = await besideLimit(() => takeResponseMemory(currentTenant().user, onAbort));
  try {
    return new LongResult(result.errors, await longJson(result));
  } finally {
    free();
  }
}

/** Runs it compiled, or else by `run`. */
function runForCost<Result extends LongResult | ExecutionResult>(
  context: Context,
  operation: Operation,
  variables: Variables,
  run: () => Promise<Result>,
): Promise<ByteWriter | Result | ExecutionResult> {
  const work = () => operation.write(context, variables).then<ByteWriter | Result>((written) => written ?? run());
  if (context.costAsked === undefined) return withinLimits(context, operation, variables, work);
  return withCost(context, operation, variables, work);
}

/** Runs the work unless only the estimate is asked for, and adds the cost to the response. */
async function withCost<Answer extends ByteWriter | LongResult | ExecutionResult>(
  context: Context,
  operation: Operation,
  variables: Variables,
  work: () => Promise<Answer>,
): Promise<Answer | ExecutionResult> {
  if (context.costAsked === "dry-run") return dryRun(context, operation, variables);
  const answer = await withinLimits(context, operation, variables, work);
  const cost = costOf(context, true);
  if (answer instanceof LongResult || answer instanceof ByteWriter) {
    answer.extend({ cost });
    return answer;
  }
  const result: ExecutionResult = answer;
  return { ...result, extensions: { ...result.extensions, cost } };
}

/** The most bytes of a response that is made as a value: making it and its text blocks the process. */
const longestValue = 4_000_000;

/** Whether a response, or a part of one, is too long to be made as a value. */
export const isLongValue = (bytes: number): boolean => bytes > longestValue;

/** The INVALID_INPUT error for one that is. */
export function longValueError(what: "A response" | "A part of a response", bytes: number): DomainError {
  return new DomainError(
    "INVALID_INPUT",
    `${what} may have at most ${inFigures(longestValue)} bytes here, but this one has ${inFigures(bytes)}: send the operation alone, by POST.`,
  );
}

/** The same, with the response as a value. INVALID_INPUT for that of a query of more than 4,000,000 bytes. */
export async function resultWithinLimits(
  context: Context,
  operation: Operation,
  variables: Variables,
): Promise<ExecutionResult> {
  const answer = await runWithinLimits(context, operation, variables);
  try {
    const bytes = answer instanceof ByteWriter ? answer.at : await jsonLength(answer);
    // The result of a mutation is returned, however long it is.
    if (isLongValue(bytes) && operation.kind !== "mutation") throw longValueError("A response", bytes);
    if (!(answer instanceof ByteWriter)) return answer;
    return JSON.parse(answer.bytes.toString()) as ExecutionResult; // as it was written
  } finally {
    if (answer instanceof ByteWriter) answer.free();
  }
}

/** The same, with the response in parts: errors are thrown before the first of them. */
export async function runPartsWithinLimits(
  context: Context,
  operation: Operation,
  variables: Variables,
  receiver: Receiver,
): Promise<void> {
  if (context.costAsked === "dry-run") return receiver.send(dryRun(context, operation, variables));
  await withinLimits(context, operation, variables, () => operation.runInParts(context, variables, receiver));
}

/** The response if it does not depend on files (an error or dry run), else null. Throws as {@link runWithinLimits}. */
export function answerBeforeFiles(
  context: Context,
  operation: Operation,
  variables: Variables,
): Promise<ExecutionResult | null> {
  if (context.costAsked === "dry-run") return Promise.resolve(dryRun(context, operation, variables));
  const check = () => operation.refusedBeforeFiles(context, variables);
  return withinLimits(context, operation, variables, check);
}

/** Throws RATE_LIMITED while the user of an operation has no points left. */
export function requirePoints(context: Context): void {
  const quota = quotaOf(context);
  if (quota) context.costQuotas?.requirePoints(quota);
}

/** Records the estimate of an operation. Throws INVALID_INPUT for variables with too many items. */
export function estimate(context: Context, operation: Pick<Operation, "estimate">, variables: Variables): void {
  requireFewItems(variables);
  context.reader.budget.estimated = operation.estimate(variables);
}

/** The estimate alone; the operation does not run. */
function dryRun(context: Context, operation: Pick<Operation, "estimate">, variables: Variables): ExecutionResult {
  estimate(context, operation, variables);
  return { data: null, extensions: { cost: costOf(context, false) } };
}

/** What operations cost when they last ran, in points: the lengths of texts and of whole trees are not estimated. */
const latestCosts = new WeakMap<object, number>();

/** Runs the work of an operation, charged to its user, in a slot. Throws as {@link runWithinLimits} does. */
export async function withinLimits<Result>(
  context: Context,
  operation: Pick<Operation, "estimate" | "kind">,
  variables: Variables,
  work: () => Promise<Result>,
): Promise<Result> {
  const { costQuotas, viewer, limit, reader } = context;
  const quota = quotaOf(context);
  estimate(context, operation, variables);
  if (!costQuotas || !quota) return work();
  const { budget } = reader;
  costQuotas.requireEstimate(budget.estimated);
  costQuotas.requirePoints(quota);
  const estimated = Math.max(budget.estimated, latestCosts.get(operation) ?? 0);
  const slots = slotsFor({ kind: operation.kind, estimated }, costQuotas.limits);
  const waiting = costQuotas.takeSlot(quota, limit, slots);
  if (waiting) await waiting;
  budget.parent = meters.value;
  budget.settle(() => {}); // settled earlier, if files were received in between
  const before = budget.points;
  const slot = costQuotas.slots.slotOf(quota.user, slots);
  const place = costQuotas.slots.running.add({ user: quota.user, limit });
  try {
    const tenant = costQuotas.tenantOf(quota, (ms) => budget.takeTime(ms), slot);
    return await runWith([tenants.entry(tenant), meters.entry(budget), limits.entry(limit)], work);
  } finally {
    costQuotas.slots.running.remove(place);
    const points = budget.points - before;
    latestCosts.set(operation, points);
    costQuotas.giveSlot(quota, slot, points);
    costQuotas.spend(quota, viewer.tokenId, points);
    budget.settle((points) => costQuotas.spend(quota, viewer.tokenId, points));
  }
}
