// Errors for callers: one table of codes, statuses and default messages, and the class that carries them.
import { abridged, abridgedPath } from "#src/base/text/cut.ts";

/** Error codes: HTTP status, default message, and remedy (one line of Markdown, shown at `/reference/errors`). */
export const errorCodes = {
  INVALID_INPUT: {
    status: 400,
    message: "The input is not valid.",
    remedy: "Read `details`: each names a place in the input, and what is wrong there.",
  },
  UNAUTHENTICATED: {
    status: 401,
    message: "A valid API token is needed: send it as 'Authorization: Bearer <token>'.",
    remedy: "Send `Authorization: Bearer <token>` with a token that is neither revoked nor expired, or sign in.",
  },
  FORBIDDEN: {
    status: 403,
    message: "You may not do this.",
    remedy:
      "Look at `permissions` of the row before you offer this; ask an admin for a role, or take a token with a wider scope.",
  },
  NOT_FOUND: {
    status: 404,
    message: "There is nothing here that you may see.",
    remedy: "Check the id and your access: missing and hidden objects both return NOT_FOUND.",
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: "This path does not take that method: the header Allow lists those that it takes.",
    remedy: "Take one of the methods in the header `Allow`.",
  },
  NOT_ACCEPTABLE: {
    status: 406,
    message:
      'A subscription is sent as text/event-stream, or as multipart/mixed; subscriptionSpec="1.0": accept one of them, or subscribe on a WebSocket at this address.',
    remedy: "Send `Accept` with the media type that the message names.",
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: "The request did not arrive in time: send it again.",
    remedy: "Send the request again, without pauses.",
  },
  CONFLICT: {
    status: 409,
    message: "This conflicts with the present state: read it again, then decide.",
    remedy: "Read again what you wanted to change, then decide.",
  },
  GONE: {
    status: 410,
    message: "This link has expired. Request a new one.",
    remedy: "Request a new address: those of files and PDFs expire.",
  },
  TOO_LARGE: {
    status: 413,
    message: "The body is too large.",
    remedy: "Send less at once; the message names the limit.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: "The body must be JSON: send it with Content-Type: application/json.",
    remedy: "Send JSON with `Content-Type: application/json`, or `multipart/form-data` for files.",
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    message: "This range is outside of the file.",
    remedy: "Ask for a range within the size that `Content-Range` names.",
  },
  EXPECTATION_FAILED: {
    status: 417,
    message: "The header Expect takes 100-continue alone.",
    remedy: "Leave the header `Expect` out.",
  },
  MISDIRECTED: {
    status: 421,
    message: "This gateway does not answer for the host that the header Host names: list it in ALLOWED_HOSTS.",
    remedy: "Ask by a name that the gateway answers for; whoever runs docgraph lists further ones in `ALLOWED_HOSTS`.",
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: "This Idempotency-Key was sent with another request: take a new key for each thing to be done.",
    remedy: "Make a new key for each thing to be done; send the same one only with the same request.",
  },
  RATE_LIMITED: {
    status: 429,
    message: "Too many requests at a time: wait until some have ended.",
    remedy: "Wait until some of your requests or subscriptions have ended, then go on with fewer at a time.",
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    message: "The path and the headers must be at most 16 KB: send less in them.",
    remedy: "Send a shorter address, or fewer and shorter headers.",
  },
  /** A bug of ours; its cause goes to the log only. */
  INTERNAL: {
    status: 500,
    message: "Something went wrong on our side. Try again; the error is logged.",
    remedy: "It is a bug of docgraph: report the request id of the message. Trying again may help.",
  },
  INTEGRATION_FAILED: {
    status: 502,
    message: "The integration failed to answer.",
    remedy: "Look at the runs of the installation: they say what its script did.",
  },
  UNAVAILABLE: {
    status: 503,
    message: "This cannot be answered at the moment: try again soon.",
    remedy: "Send it again after the seconds of `Retry-After`; changes with the same `Idempotency-Key`.",
  },
  TIMEOUT: {
    status: 503,
    message: "There was no answer in time: ask for less, or try again.",
    remedy: "Ask for less: fewer rows, fewer lists, a filter that has an index. Or try again.",
  },
  STORAGE_FULL: {
    status: 507,
    message: "There is no room for this file.",
    remedy: "Whoever runs docgraph has to make room where files are kept.",
  },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Codes of refused GraphQL requests, as other servers name them; the status is 200 in `application/json`. */
export const requestCodes = {
  BAD_REQUEST: {
    status: 400,
    message: "The request is not a valid GraphQL request: check its query, operationName, variables and extensions.",
    remedy: "Send JSON with `query`, and if need be `variables` and `operationName`; changes by POST.",
  },
  GRAPHQL_PARSE_FAILED: {
    status: 400,
    message: "The query could not be parsed as GraphQL.",
    remedy: "`locations` gives the position of the error.",
  },
  GRAPHQL_VALIDATION_FAILED: {
    status: 400,
    message: "The document does not fit the schema.",
    remedy: "Compare it with `/reference/graphql`; the message often says what was meant.",
  },
  OPERATION_RESOLUTION_FAILURE: {
    status: 400,
    message: "The document has several operations and `operationName` is not set, or it has no operation of that name.",
    remedy: "Name one of them in `operationName`.",
  },
  PERSISTED_QUERY_NOT_FOUND: {
    status: 400,
    message: "No document with this SHA-256 is known here.",
    remedy: "Send the document with its hash; clients of Apollo's protocol do it by themselves.",
  },
  PERSISTED_DOCUMENT_NOT_FOUND: {
    status: 400,
    message: "No document with this `documentId` is known here.",
    remedy:
      "Send the document with its id, or have whoever runs docgraph add its manifest to `TRUSTED_DOCUMENTS_FILES`.",
  },
  DOCUMENT_NOT_TRUSTED: {
    status: 400,
    message: "Only trusted documents are taken here.",
    remedy: "Send the id of a document of a manifest: `npm run documents` makes one.",
  },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    status: 400,
    message: "Documents are not remembered by what was sent in `extensions.persistedQuery`.",
    remedy: "Send the document itself.",
  },
} as const;

export type RequestCode = keyof typeof requestCodes;

/** One rejected input: its JSON pointer or parameter name, and what is wrong. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** The seconds of Retry-After for a status that passes; null for others. */
export const retryAfter = (status: number): number | null => (status === 503 || status === 429 ? 1 : null);

/** A message with the paths of its details abridged: a name in them may be long. */
const withShortPaths = (message: string, details: readonly ErrorDetail[] = []): string =>
  details.reduce((text, { path }) => text.replace(path, () => abridgedPath(path)), message);

/** An error for the caller, with their names and values abridged. Any other error is a bug: masked and logged. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;

  constructor(code: ErrorCode, message?: string, details?: readonly ErrorDetail[]) {
    super(message === undefined ? errorCodes[code].message : abridged(withShortPaths(message, details)));
    this.name = "DomainError";
    this.code = code;
    this.details = details?.map((detail) => ({ path: abridgedPath(detail.path), message: abridged(detail.message) }));
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}

/** RATE_LIMITED with a known wait, sent as Retry-After. */
export class RateLimitedError extends DomainError {
  readonly retrySeconds: number;

  constructor(message: string, retrySeconds: number) {
    super("RATE_LIMITED", message);
    this.retrySeconds = retrySeconds;
  }
}

/** The body of every refusal outside of GraphQL. */
export interface ErrorBody {
  readonly error: {
    readonly code: number; // the HTTP status, repeated
    readonly type: ErrorCode;
    readonly message: string;
    readonly details?: readonly ErrorDetail[];
  };
}

/** The body of an error. */
export function errorBody({ code: type, status: code, message, details }: DomainError): ErrorBody {
  return { error: { code, type, message, ...(details && { details }) } };
}

/** The error for a row that is missing or not visible: callers cannot tell the two apart. */
export function notFound(kind: string): DomainError {
  return new DomainError("NOT_FOUND", `There is no such ${kind}, or you may not see it.`);
}

/** The row; throws NOT_FOUND when there is none. */
export function found<Row>(row: Row | null, kind: string): Row {
  if (row === null) throw notFound(kind);
  return row;
}

/** An input error about one place. */
export function invalidInput(path: string, message: string): DomainError {
  return new DomainError("INVALID_INPUT", `${path}: ${message}`, [{ path, message }]);
}

/** What is wrong with documents of a frontend; the message has a line for each, with the file. */
export class DocumentsError extends Error {
  override readonly name = "DocumentsError";
}
