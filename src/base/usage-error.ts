// Wrong arguments of a command, which prints its usage and exits with 2.

/** The message says how to call the command. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Whether a command was called with wrong arguments: a {@link UsageError}, or an error of Node's `parseArgs`. */
export const isWrongUse = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
