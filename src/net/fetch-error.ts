// Reasons why a request to another server failed, worded for the person who entered the address.

const messages = {
  address: "this is not a web address",
  scheme: "only http and https addresses can be read",
  credentials: "an address must not contain a user name or password",
  host: "the address is not public, and ALLOWED_FETCH_HOSTS does not list it",
  redirects: "the server redirects too often",
  size: "the response exceeds the limit",
  time: "the server did not respond in time",
  connection: "the server was unreachable, or closed the connection",
} as const;

export type FetchProblem = keyof typeof messages;

/** A request that failed or was not sent. The message only has its kind: details would map internal networks. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly problem: FetchProblem;

  constructor(problem: FetchProblem, options?: ErrorOptions) {
    super(messages[problem], options);
    this.problem = problem;
  }
}

/** The error for the caller of a fetch. Its cause is kept for logs. */
export function fetchErrorOf(error: unknown, isOutOfTime: boolean): FetchError {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1)
    if (cause instanceof FetchError) return cause;
  return new FetchError(isOutOfTime ? "time" : "connection", { cause: error });
}
