// Errors for callers: one table of codes, statuses and default messages, and the class that carries them.
import { abridged, abridgedPath } from "#src/base/text/cut.ts";

/** Error codes: HTTP status, default message, and remedy (one line of Markdown, shown at `/reference/errors`). */
export const errorCodes = {
  INVALID_INPUT: {
    status: 400,
    message: "The input is not valid.",
    remedy: "Read `details`: each entry names a property of the input and what is wrong with it.",
  },
  UNAUTHENTICATED: {
    status: 401,
    message: "A valid API token is required: send it as 'Authorization: Bearer <token>'.",
    remedy: "Send `Authorization: Bearer <token>` with a token that is neither revoked nor expired, or sign in.",
  },
  FORBIDDEN: {
    status: 403,
    message: "You do not have permission to do this.",
    remedy:
      "Check the `permissions` of the object before you offer the action. Ask an admin for a role, or use a token with a wider scope.",
  },
  NOT_FOUND: {
    status: 404,
    message: "The object does not exist or is not visible to you.",
    remedy: "Check the id and your access: missing and hidden objects both return NOT_FOUND.",
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: "This path does not support the request method: the header Allow lists the supported methods.",
    remedy: "Use one of the methods in the header `Allow`.",
  },
  NOT_ACCEPTABLE: {
    status: 406,
    message:
      'Subscriptions are sent as text/event-stream or multipart/mixed; subscriptionSpec="1.0": accept one of them, or subscribe over a WebSocket at this address.',
    remedy: "Send `Accept` with a media type that the message lists.",
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: "The request did not arrive in time: send it again.",
    remedy: "Send the request again, without pauses between its parts.",
  },
  CONFLICT: {
    status: 409,
    message: "This conflicts with the current state: read it again and decide.",
    remedy: "Read the object again, compare it with your change, and decide whether to repeat the change.",
  },
  GONE: {
    status: 410,
    message: "This link has expired. Request a new one.",
    remedy: "Request a new link: links to files and PDFs expire.",
  },
  TOO_LARGE: {
    status: 413,
    message: "The body is too large.",
    remedy: "Send less per request; the message names the limit.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: "The body must be JSON: send it with Content-Type: application/json.",
    remedy: "Send JSON with `Content-Type: application/json`, or `multipart/form-data` for files.",
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    message: "The requested range is outside the file.",
    remedy: "Request a range within the size in `Content-Range`.",
  },
  EXPECTATION_FAILED: {
    status: 417,
    message: "The header Expect may only be 100-continue.",
    remedy: "Omit the header `Expect`.",
  },
  MISDIRECTED: {
    status: 421,
    message: "This gateway does not serve the host in the header Host: add it to ALLOWED_HOSTS.",
    remedy: "Use a host name that the gateway serves. The operator adds further names to `ALLOWED_HOSTS`.",
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: "This Idempotency-Key was already sent with a different request: use a new key for each change.",
    remedy: "Generate a new key for each change. Repeat a key only with the same request.",
  },
  RATE_LIMITED: {
    status: 429,
    message: "Too many concurrent requests: wait until some have ended.",
    remedy: "Wait until some of your requests or subscriptions have ended, and run fewer concurrently.",
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    message: "The path and the headers must not exceed 16 KB: send less in them.",
    remedy: "Send a shorter path, or fewer and shorter headers.",
  },
  /** A bug of docgraph. Its cause is only written to the log. */
  INTERNAL: {
    status: 500,
    message: "An internal error occurred. Try again; the error was logged.",
    remedy: "This is a bug of docgraph: report it with the request id of the message. Trying again may help.",
  },
  INTEGRATION_FAILED: {
    status: 502,
    message: "The integration did not respond.",
    remedy: "Check the runs of the installation: they show what its script did.",
  },
  UNAVAILABLE: {
    status: 503,
    message: "The service is temporarily unavailable: try again soon.",
    remedy: "Repeat the request after the seconds in `Retry-After`. Repeat a change with the same `Idempotency-Key`.",
  },
  TIMEOUT: {
    status: 503,
    message: "The operation exceeded its time limit: request less, or try again.",
    remedy: "Request fewer rows or fewer lists, or filter by an indexed field. Or try again.",
  },
  STORAGE_FULL: {
    status: 507,
    message: "The file storage is full.",
    remedy: "The operator has to free space in the file storage.",
  },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Codes of rejected GraphQL requests, named as other servers name them; status 200 in `application/json`. */
export const requestCodes = {
  BAD_REQUEST: {
    status: 400,
    message: "The request is not a valid GraphQL request: check its query, operationName, variables and extensions.",
    remedy: "Send JSON with `query` and, if needed, `variables` and `operationName`. Send mutations by POST.",
  },
  GRAPHQL_PARSE_FAILED: {
    status: 400,
    message: "The query could not be parsed as GraphQL.",
    remedy: "`locations` gives the position of the error.",
  },
  GRAPHQL_VALIDATION_FAILED: {
    status: 400,
    message: "The document does not match the schema.",
    remedy: "Compare the document with `/reference/graphql`; the message often suggests the correct name.",
  },
  OPERATION_RESOLUTION_FAILURE: {
    status: 400,
    message: "The document has several operations and `operationName` is not set, or it has no operation of that name.",
    remedy: "Set `operationName` to the name of one of the operations.",
  },
  PERSISTED_QUERY_NOT_FOUND: {
    status: 400,
    message: "No document with this SHA-256 is registered.",
    remedy: "Send the document together with its hash; clients of Apollo's protocol do so automatically.",
  },
  PERSISTED_DOCUMENT_NOT_FOUND: {
    status: 400,
    message: "No document with this `documentId` is registered.",
    remedy:
      "Send the document together with its id, or ask the operator to add its manifest to `TRUSTED_DOCUMENTS_FILES`.",
  },
  DOCUMENT_NOT_TRUSTED: {
    status: 400,
    message: "This gateway accepts trusted documents only.",
    remedy: "Send the id of a document from a manifest; `npm run documents` makes one.",
  },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    status: 400,
    message: "This gateway does not register documents by `extensions.persistedQuery`.",
    remedy: "Send the document itself.",
  },
} as const;

export type RequestCode = keyof typeof requestCodes;

/** One rejected property: its JSON pointer or parameter name, and what is wrong with it. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** The seconds of Retry-After for a transient status; null for others. */
export const retryAfter = (status: number): number | null => (status === 503 || status === 429 ? 1 : null);

/** Documents a field with an error code. */
export const errorCodeDescription =
  "Code of the error: one of `/reference/errors`. If its status there is 429 or 503, trying again later may succeed.";

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

/** The body of every rejected request outside of GraphQL. */
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
  return new DomainError("NOT_FOUND", `The ${kind} does not exist or is not visible to you.`);
}

/** Returns the row. Throws NOT_FOUND if it is null. */
export function found<Row>(row: Row | null, kind: string): Row {
  if (row === null) throw notFound(kind);
  return row;
}

/** An INVALID_INPUT error for one property. */
export function invalidInput(path: string, message: string): DomainError {
  return new DomainError("INVALID_INPUT", `${path}: ${message}`, [{ path, message }]);
}

/** Problems in the documents of a frontend; the message has one line per problem, with its file. */
export class DocumentsError extends Error {
  override readonly name = "DocumentsError";
}
