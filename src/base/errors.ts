// Errors for callers: one table of codes, statuses and default messages, and the class that carries them.

/** Every error code, with its REST status and the message used when none is given. */
export const errorCodes = {
  INVALID_INPUT: { status: 400, message: "The input is not valid." },
  UNAUTHENTICATED: { status: 401, message: "A valid API token is needed: send it as 'Authorization: Bearer <token>'." },
  FORBIDDEN: { status: 403, message: "You may not do this." },
  NOT_FOUND: { status: 404, message: "There is nothing here that you may see." },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: "This path does not take that method: the header Allow lists those that it takes.",
  },
  NOT_ACCEPTABLE: {
    status: 406,
    message: "A subscription is sent as text/event-stream: accept that, or subscribe on a WebSocket at this address.",
  },
  REQUEST_TIMEOUT: { status: 408, message: "The request did not arrive in time: send it again." },
  CONFLICT: { status: 409, message: "This conflicts with the present state: read it again, then decide." },
  GONE: { status: 410, message: "This address was good for a time that is over: ask for another." },
  TOO_LARGE: { status: 413, message: "The body is too large." },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: "The body must be JSON: send it with Content-Type: application/json.",
  },
  RANGE_NOT_SATISFIABLE: { status: 416, message: "This range is outside of the file." },
  EXPECTATION_FAILED: { status: 417, message: "The header Expect takes 100-continue alone." },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: "This Idempotency-Key was sent with another request: take a new key for each thing to be done.",
  },
  RATE_LIMITED: { status: 429, message: "Too many requests at a time: wait until some have ended." },
  HEADERS_TOO_LARGE: { status: 431, message: "The path and the headers must be at most 16 KB: send less in them." },
  /** A bug of ours; its cause goes to the log only. */
  INTERNAL: { status: 500, message: "Something went wrong on our side. Try again; the error is logged." },
  INTEGRATION_FAILED: { status: 502, message: "The integration failed to answer." },
  UNAVAILABLE: { status: 503, message: "This cannot be answered at the moment: try again soon." },
  TIMEOUT: { status: 503, message: "There was no answer in time: ask for less, or try again." },
  STORAGE_FULL: { status: 507, message: "There is no room for this file." },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** One rejected piece of input: a JSON pointer or the name of a parameter, and what is wrong there. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** How many seconds later it may be tried again what a status says that it passes; null for other statuses. */
export const retryAfter = (status: number): number | null => (status === 503 ? 1 : null);

/** An error meant for the caller. Anything else that is thrown is a bug: masked, and logged with the request id. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;

  constructor(code: ErrorCode, message?: string, details?: readonly ErrorDetail[]) {
    super(message ?? errorCodes[code].message);
    this.name = "DomainError";
    this.code = code;
    this.details = details;
  }

  /** The HTTP status that REST answers for this error. */
  get status(): number {
    return errorCodes[this.code].status;
  }
}

/** The body of every refusal outside of GraphQL. */
export interface ErrorBody {
  readonly error: {
    /** The HTTP status, repeated. */
    readonly code: number;
    readonly type: ErrorCode;
    readonly message: string;
    readonly details?: readonly ErrorDetail[];
  };
}

/** The body that says an error. */
export function errorBody({ code: type, status: code, message, details }: DomainError): ErrorBody {
  return { error: { code, type, message, ...(details && { details }) } };
}

/** The answer for a row that is missing or that the viewer may not see: callers cannot distinguish the two. */
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
