// Errors that end a plan, so that the operation runs field by field or starts again.

/** A plan cannot do this; the reason is for the debug log only. */
export class Unsupported extends Error {}

/** Writing takes long and must start again with pauses. */
export class TooLongError extends Error {
  override readonly name = "TooLongError";
}
