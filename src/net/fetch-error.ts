// Why a server could not be asked, in words for the person who gave the address.

const messages = {
  address: "this is not an address of the web",
  scheme: "only http and https addresses can be read",
  credentials: "an address may not carry a name or a password",
  host: "this address is not public, and not among the hosts that this gateway may reach",
  redirects: "the server redirects too often",
  size: "the answer is larger than the limit",
  time: "the server did not answer in time",
  connection: "the server could not be reached, or broke off",
} as const;

export type FetchProblem = keyof typeof messages;

/** A request that failed or was not made. The message says no more than its kind: details would map networks. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly problem: FetchProblem;

  constructor(problem: FetchProblem, options?: ErrorOptions) {
    super(messages[problem], options);
    this.problem = problem;
  }
}

/** What this error is to those who fetch. Its cause is kept for logs. */
export function fetchErrorOf(error: unknown, isOutOfTime: boolean): FetchError {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1)
    if (cause instanceof FetchError) return cause;
  return new FetchError(isOutOfTime ? "time" : "connection", { cause: error });
}
