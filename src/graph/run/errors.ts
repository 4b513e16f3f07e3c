// Errors for GraphQL callers: ours with their code, those of graphql-js unchanged, all others masked.
import { type ExecutionResult, GraphQLError, type GraphQLErrorExtensions, Kind } from "graphql";
import type { ErrorCode, RequestCode } from "#src/base/errors.ts";
import { abridged } from "#src/base/text/cut.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import type { Context } from "#src/domain/context.ts";

const internalCode: ErrorCode = "INTERNAL";

/** Codes of errors of graphql-js, by the phase that found them. */
export const phaseCodes = {
  parse: "GRAPHQL_PARSE_FAILED",
  validate: "GRAPHQL_VALIDATION_FAILED",
} as const satisfies Record<string, RequestCode>;

export const requestError = (message: string, code: RequestCode): GraphQLError =>
  new GraphQLError(abridged(message), { extensions: { code } });

/** Gives an error of the parse or validate phase its code. The result does not reference the parsed document. */
export function withPhase(error: GraphQLError, phase: keyof typeof phaseCodes): GraphQLError {
  const { source, positions } = error;
  const extensions = { code: phaseCodes[phase], ...error.extensions };
  return new GraphQLError(abridged(error.message), {
    source: source ?? null,
    positions: positions ?? null,
    extensions,
  });
}

/** Turns any error of an execution into the one for the caller. Bugs are logged with the request id. */
export function publicError(error: unknown, context: Pick<Context, "log" | "requestId"> | undefined): GraphQLError {
  const located = error instanceof GraphQLError ? error : undefined;
  const cause = located ? located.originalError : error;
  if (located && (!cause || cause instanceof GraphQLError)) {
    if (located.extensions["code"]) return located;
    if (isOfTheCaller(located)) return placed(located, located.message, { code: "INVALID_INPUT" });
  }
  const answer = answerOf(cause, context?.log);
  if (answer) {
    const { code, message, details } = answer;
    return placed(located, message, { code, ...(details && { details }) }, answer);
  }
  context?.log.error(
    { err: cause ?? error, requestId: context.requestId, path: located?.path },
    "Unexpected error in a resolver",
  );
  const message = `An internal error occurred; it was logged under the request id ${context?.requestId ?? "unknown"}.`;
  return placed(located, message, { code: internalCode });
}

/** Whether variables or arguments were rejected: errors at a field are bugs of docgraph, such as a too large Int. */
const isOfTheCaller = ({ path, nodes }: GraphQLError): boolean => path === undefined || nodes?.[0]?.kind !== Kind.FIELD;

/** The first of these errors that is a bug, or caused by an unavailable database. */
export const findFailure = (errors: readonly GraphQLError[] | undefined): GraphQLError | undefined =>
  errors?.find(({ extensions }) => failures.has(extensions["code"]));

const failures = new Set<unknown>([internalCode, "TIMEOUT", "UNAVAILABLE"]);

/** Whether one of these errors is transient. */
export const mayPass = (errors: readonly GraphQLError[] | undefined): boolean =>
  errors?.some(({ extensions }) => passing.has(extensions["code"])) ?? false;

const passing = new Set<unknown>([...failures, "RATE_LIMITED", "STORAGE_FULL"]);

function placed(
  at: GraphQLError | undefined,
  message: string,
  extensions: GraphQLErrorExtensions,
  originalError: Error | null = null,
): GraphQLError {
  const { nodes = null, source = null, positions = null, path = null } = at ?? {};
  return new GraphQLError(abridged(message), { nodes, source, positions, path, extensions, originalError });
}

/** The error of a response beyond the budget, in which every read fails: the caller gets only this, without data. */
export function excessOf(context: Context, { data, errors }: ExecutionResult): Promise<GraphQLError | null> {
  const { budget } = context.reader;
  return refusalOf(context, () => (errors ? budget.check() : budget.checkAnswer(data)));
}

/** Whether something was changed, now or by an earlier run with the same key. */
export const hasChanged = ({ reader, idempotency }: Context): boolean =>
  reader.budget.spent.changes > 0 || Object.keys(idempotency?.run?.done ?? {}).length > 0;

/** The same for a mutation with committed changes: a caller who only sees the error would repeat it. */
export const answerLeftOut = ({ message, extensions }: GraphQLError): GraphQLError =>
  new GraphQLError(`Some changes were committed: check the current state before you repeat the request. ${message}`, {
    extensions,
  });

/** The error of an operation that has exceeded its budget, or whose client has disconnected. */
export async function excessIn(context: Context): Promise<GraphQLError> {
  const check = () => {
    context.reader.budget.check();
    context.limit.check();
  };
  const excess = await refusalOf(context, check);
  if (!excess) throw new Error("The operation has not exceeded its limits.");
  return excess;
}

/** The error that a check throws, formatted for the caller; null if it does not throw. */
export async function refusalOf(context: Context, check: () => void | Promise<void>): Promise<GraphQLError | null> {
  try {
    await check();
    return null;
  } catch (error) {
    return publicError(error, context);
  }
}
