// What a GraphQL caller is told of an error: our own errors with their code, the specification's as they are, everything else masked.
import { GraphQLError } from "graphql";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";

/** Code of an error that is a bug of ours; its cause goes to the log only. */
export const internalCode = "INTERNAL";

/** Codes of errors that come from GraphQL itself, by the phase that found them. */
export const phaseCodes = { parse: "GRAPHQL_PARSE_FAILED", validate: "GRAPHQL_VALIDATION_FAILED" } as const;

/** Gives an error of the parse or validate phase its code. */
export function withPhase(error: GraphQLError, phase: keyof typeof phaseCodes): GraphQLError {
  if (error.extensions["code"]) return error;
  return new GraphQLError(error.message, {
    ...placeOf(error),
    extensions: { ...error.extensions, code: phaseCodes[phase] },
  });
}

/** Turns any error of an execution into the one that the caller gets. Bugs are logged with the request id. */
export function publicError(error: unknown, context: Pick<Context, "log" | "requestId"> | undefined): GraphQLError {
  const located = error instanceof GraphQLError ? error : undefined;
  const cause = located ? located.originalError : error;
  if (cause instanceof DomainError) {
    const extensions = { code: cause.code, ...(cause.details && { details: cause.details }) };
    return new GraphQLError(cause.message, { ...placeOf(located), extensions });
  }
  // No foreign cause: graphql-js itself refused the variables, or a scalar the input.
  if (located && (!cause || cause instanceof GraphQLError)) {
    if (located.extensions["code"]) return located;
    const isOurFault = located.path !== undefined && located.message.startsWith("Cannot return null");
    if (!isOurFault)
      return new GraphQLError(located.message, { ...placeOf(located), extensions: { code: "INVALID_INPUT" } });
  }
  context?.log.error(
    { err: cause ?? error, requestId: context.requestId, path: located?.path },
    "Unexpected error in a resolver",
  );
  const message = `Something went wrong here; it is logged under request ${context?.requestId ?? "unknown"}.`;
  return new GraphQLError(message, { ...placeOf(located), extensions: { code: internalCode } });
}

/** The first of these errors that is no answer but a bug, or a database that was not there. */
export function findFailure(errors: readonly GraphQLError[] | undefined): GraphQLError | undefined {
  return errors?.find(({ extensions }) => extensions["code"] === internalCode);
}

/** Where in the document and in the answer an error stands. */
function placeOf(error: GraphQLError | undefined) {
  const { nodes = null, source = null, positions = null, path = null } = error ?? {};
  return { nodes, source, positions, path };
}
