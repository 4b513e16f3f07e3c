// Batches: several operations in one request, each with its own context, budget and time limit, like a single request.
import type { ExecutionResult } from "graphql";
import type { Logger } from "pino";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { publicError } from "#src/graph/run/errors.ts";
import { type Executor, isOperation } from "#src/graph/run/execute.ts";
import { resultWithinLimits } from "#src/graph/run/within-limits.ts";
import type { SentDocuments } from "#src/graph/documents/sent-documents.ts";
import { requestIn, withExtensions } from "#src/server/graphql/request.ts";
import type { ContextOf, Exchange } from "#src/http/exchange.ts";

const mostOperations = 10;

interface Given {
  readonly executor: Executor;
  readonly documents: SentDocuments;
  readonly contextOf: ContextOf;
  readonly log: Logger;
  readonly takesBatches: boolean;
}

interface Turn {
  readonly isMutation: boolean;
  readonly run: () => Promise<ExecutionResult>;
}

/**
 * Runs a batch in its order: one by one if it has a mutation, else concurrently. An error of one only affects its own
 * result. Throws INVALID_INPUT if batches are disabled, empty or too long, and for the header Idempotency-Key, which
 * would apply to all.
 */
export async function runBatch(
  exchange: Exchange,
  batch: readonly unknown[],
  given: Given,
): Promise<readonly ExecutionResult[]> {
  if (!given.takesBatches) throw new DomainError("INVALID_INPUT", notTaken);
  if (batch.length === 0 || batch.length > mostOperations)
    throw new DomainError(
      "INVALID_INPUT",
      `A batch must have 1 to ${mostOperations} operations, but has ${batch.length}.`,
    );
  if (exchange.request.headers["idempotency-key"] !== undefined)
    throw invalidInput(
      "Idempotency-Key",
      "must not be sent with a batch: set `extensions.idempotencyKey` of each operation.",
    );
  const turns = await Promise.all(batch.map((entry) => inPlace(exchange, given, () => turnOf(exchange, entry, given))));
  const run = async (turn: Turn | ExecutionResult) =>
    "run" in turn ? inPlace(exchange, given, () => turn.run()) : turn;
  if (!turns.some((turn) => "run" in turn && turn.isMutation)) return Promise.all(turns.map(run));
  const results: ExecutionResult[] = [];
  for (const turn of turns) results.push(await run(turn));
  return results;
}

const notTaken =
  "Batches are disabled on this gateway: send operations one by one, or start docgraph with BATCHING=on.";

async function inPlace<Result>(
  { requestId }: Exchange,
  { log }: Given,
  work: () => Promise<Result>,
): Promise<Result | ExecutionResult> {
  try {
    return await work();
  } catch (error) {
    return { errors: [publicError(error, { log, requestId })] };
  }
}

async function turnOf(exchange: Exchange, entry: unknown, given: Given): Promise<Turn | ExecutionResult> {
  const { executor, documents, contextOf } = given;
  const request = requestIn(entry);
  if (!request)
    throw new DomainError("INVALID_INPUT", "Each operation of a batch must be an object with `query` or `documentId`.");
  const context = await contextOf(exchange);
  const found = await documents.find(request);
  if (!("text" in found)) return { errors: found };
  const operation = executor.prepare(found.text, request.operationName);
  if (!isOperation(operation)) return { errors: operation };
  found.keep();
  if (operation.kind === "subscription")
    throw new DomainError("INVALID_INPUT", "A subscription must be sent in a separate request, not in a batch.");
  const extended = withExtensions(context, request.extensions);
  if (extended.idempotency) exchange.limits.delete(context.limit); // it continues after the client disconnects
  const run = () => resultWithinLimits(extended, operation, request.variables ?? {});
  return { isMutation: operation.kind === "mutation", run };
}
