// Delivers a response in parts: first the initial result, then the later parts, batched as they complete.
import { setImmediate } from "node:timers/promises";
import { type ExecutionResult, getVariableValues, type GraphQLError } from "graphql";
import { type Given, IncrementalRun } from "#src/graph/run/incremental/run.ts";
import type { SentPart } from "#src/graph/run/incremental/part.ts";

/** A payload of a response. */
export interface Delivery extends ExecutionResult {
  readonly incremental?: readonly SentPart[];
  readonly hasNext?: boolean;
}

interface Asked extends Given {
  readonly send: (delivery: Delivery) => Promise<void>;
  /** Whether the client no longer waits for the rest. */
  readonly isOver: () => boolean;
  /** Ends running work whose result will not be sent. */
  readonly giveUp: () => void;
  readonly publicError: (error: GraphQLError) => GraphQLError;
  /** The error of an operation that this payload takes beyond its budget; null otherwise. */
  readonly excessOf: (part: SentPart) => Promise<GraphQLError | null>;
}

/** Runs a query, and sends its response in parts. Resolves when the last one is sent. */
export async function deliver({ giveUp, ...asked }: Asked): Promise<void> {
  const { schema, operation, variables } = asked;
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
    maxErrors: 50,
  });
  if (!coerced) return asked.send({ errors: errors.map(asked.publicError) });
  const run = new IncrementalRun({ ...asked, variables: coerced });
  try {
    await sendAll(run, asked);
  } finally {
    if (run.parts.size > 0) giveUp();
  }
}

async function sendAll(run: IncrementalRun, asked: Omit<Asked, "giveUp">): Promise<void> {
  const { send, isOver, publicError, excessOf } = asked;
  let wake = () => {};
  const first = (await run.begin(() => wake())).take();
  if (!first) throw new Error("The first part must not depend on another one.");
  const excess = await excessOf(first);
  if (excess) return send({ errors: [excess] });
  const errors = first.errors && { errors: first.errors.map(publicError) };
  if (run.parts.size === 0) return send({ ...errors, data: first.data as NonNullable<ExecutionResult["data"]> });
  await send({ ...errors, data: first.data as NonNullable<ExecutionResult["data"]>, hasNext: true });
  while (run.parts.size > 0 && !isOver()) {
    const changed = new Promise<void>((resolve) => (wake = resolve));
    const incremental = takeDue(run);
    const beyond = (await Promise.all(incremental.map(excessOf))).find((one) => one !== null);
    if (beyond) {
      const path = incremental[0]?.path ?? [];
      return send({ incremental: [{ data: null, path, errors: [beyond] }], hasNext: false });
    }
    if (incremental.length > 0 || run.parts.size === 0) {
      const parts = incremental.map((part) => (part.errors ? { ...part, errors: part.errors.map(publicError) } : part));
      await send({ ...(parts.length > 0 && { incremental: parts }), hasNext: run.parts.size > 0 });
    } else await changed;
    await setImmediate(); // parts that complete in this turn are sent together
  }
}

/** The parts that can be sent. Those whose parent path does not exist are dropped. */
function takeDue({ parts }: IncrementalRun): SentPart[] {
  const taken: SentPart[] = [];
  // In the order of their start: each comes after the part that it depends on.
  for (const part of parts) {
    if (!part.isDue) continue;
    parts.delete(part);
    const sent = part.take();
    if (sent) taken.push(sent);
  }
  return taken;
}
