// Wrong arguments of a command, which says then how it is called and ends with 2.

/** The message says how to call the command. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Whether a command was called with wrong arguments: ours, or those that `parseArgs` of Node throws. */
export const isWrongUse = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
