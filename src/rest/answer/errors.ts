// Errors in REST form: the status of the code, and the body of the contract.
import type { GraphQLError } from "graphql";
import {
  DomainError,
  type ErrorBody,
  errorBody,
  type ErrorCode,
  errorCodes,
  type ErrorDetail,
} from "#src/base/errors.ts";
import { findFailure } from "#src/graph/run/errors.ts";
import type { NameReader } from "#src/rest/request/error-paths.ts";

interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
}

/** The message for a refused cursor: callers of REST do not know the word. */
const badPage = "must be the `next.page` of an answer of this list, in the same order.";

/** The answer to a refused request. */
export function answerOfError(error: DomainError): ErrorAnswer {
  return { status: error.status, body: errorBody(error) };
}

/** The answer to errors, failures of ours first; `restName` gives the REST names of their input fields. */
export function answerOfErrors(errors: readonly GraphQLError[], restName: NameReader): ErrorAnswer {
  const error = findFailure(errors) ?? errors[0];
  const { code, details } = (error?.extensions ?? {}) as Extensions;
  const type = code && isErrorCode(code) ? code : "INTERNAL";
  const message = error?.message ?? errorCodes.INTERNAL.message;
  if (!details) return answerOfError(new DomainError(type, message));
  const renamed = details.map((detail) => inRestNames(detail, restName));
  const [first] = details;
  const [restFirst] = renamed;
  const isAboutFirst = first && restFirst && message === `${first.path}: ${first.message}`;
  return answerOfError(
    new DomainError(type, isAboutFirst ? `${restFirst.path}: ${restFirst.message}` : message, renamed),
  );
}

/** What `publicError` writes. */
interface Extensions {
  readonly code?: string;
  readonly details?: readonly ErrorDetail[];
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

function inRestNames({ path, message }: ErrorDetail, restName: NameReader): ErrorDetail {
  return { path: restName(path), message: path === "after" ? badPage : message };
}
