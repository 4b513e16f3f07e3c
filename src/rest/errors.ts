// Errors as REST tells them: the status of the code, and the body of the contract.
import type { GraphQLError } from "graphql";
import { DomainError, type ErrorCode, errorCodes, type ErrorDetail } from "#src/base/errors.ts";
import { internalCode } from "#src/graph/errors.ts";
import type { NameReader } from "#src/rest/names.ts";

interface ErrorAnswer {
  readonly status: number;
  readonly body: {
    readonly error: { readonly code: number; readonly message: string; readonly details?: readonly ErrorDetail[] };
  };
}

/** What is said of a cursor that is refused: callers of REST know no edges. */
const badPage = "must be the `next.page` of this list in this order.";

/** The answer for a refusal. */
export function answerOfError(error: DomainError): ErrorAnswer {
  return answer(error.status, error.message, error.details);
}

/**
 * The answer for an execution that met errors: one of ours (a bug) outweighs those of the caller.
 * `restName` gives the REST names of the input fields and arguments that the errors speak of.
 */
export function answerOfErrors(errors: readonly GraphQLError[], restName: NameReader): ErrorAnswer {
  const error = errors.find(({ extensions }) => extensions["code"] === internalCode) ?? errors[0];
  const { code, details } = (error?.extensions ?? {}) as { code?: string; details?: readonly ErrorDetail[] }; // publicError writes them
  const status = code && isErrorCode(code) ? errorCodes[code].status : 500;
  const message = error?.message ?? "Something went wrong here.";
  if (!details) return answer(status, message, details);
  const renamed = details.map((detail) => inRestNames(detail, restName));
  const [first] = details;
  const [restFirst] = renamed;
  const isAboutFirst = first && restFirst && message === `${first.path}: ${first.message}`;
  return answer(status, isAboutFirst ? `${restFirst.path}: ${restFirst.message}` : message, renamed);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

function answer(status: number, message: string, details: readonly ErrorDetail[] | undefined): ErrorAnswer {
  return { status, body: { error: { code: status, message, ...(details && { details }) } } };
}

function inRestNames({ path, message }: ErrorDetail, restName: NameReader): ErrorDetail {
  return { path: restName(path), message: path === "after" ? badPage : message };
}
