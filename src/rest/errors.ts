// Errors as REST tells them: the status of the code, and the body of the contract.
import type { GraphQLError } from "graphql";
import { DomainError, type ErrorCode, errorCodes, type ErrorDetail } from "#src/base/errors.ts";
import { internalCode } from "#src/graph/errors.ts";

interface ErrorAnswer {
  readonly status: number;
  readonly body: {
    readonly error: { readonly code: number; readonly message: string; readonly details?: readonly ErrorDetail[] };
  };
}

/** REST names of the arguments of connections, and what is said of a cursor that is refused: callers know neither argument nor edge. */
const parameterOfArgument: ReadonlyMap<string, string> = new Map([
  ["first", "limit"],
  ["after", "page"],
]);
const badPage = "must be the `next.page` of this list in this order.";

/** The answer for a refusal. */
export function answerOfError(error: DomainError): ErrorAnswer {
  return answer(error.status, error.message, error.details);
}

/** The answer for an execution that met errors: one of ours (a bug) outweighs those of the caller. */
export function answerOfErrors(errors: readonly GraphQLError[]): ErrorAnswer {
  const error = errors.find(({ extensions }) => extensions["code"] === internalCode) ?? errors[0];
  const { code, details } = (error?.extensions ?? {}) as { code?: string; details?: readonly ErrorDetail[] }; // publicError writes them
  const status = code && isErrorCode(code) ? errorCodes[code].status : 500;
  return answer(status, error?.message ?? "Something went wrong here.", details);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

function answer(status: number, message: string, details: readonly ErrorDetail[] | undefined): ErrorAnswer {
  if (!details) return { status, body: { error: { code: status, message } } };
  const renamed = details.map(inRestNames);
  const [first] = details;
  const [restFirst] = renamed;
  const isAboutFirst = first && restFirst && message === `${first.path}: ${first.message}`;
  const restMessage = isAboutFirst ? `${restFirst.path}: ${restFirst.message}` : message;
  return { status, body: { error: { code: status, message: restMessage, details: renamed } } };
}

function inRestNames({ path, message }: ErrorDetail): ErrorDetail {
  const name = parameterOfArgument.get(path) ?? path;
  return { path: name, message: path === "after" ? badPage : message };
}
