// Checks of input that many commands share. Lengths count Unicode characters (code points), as the spec's limits do.
import { invalidInput } from "#src/base/errors.ts";

/** The text without blanks around it. Throws INVALID_INPUT outside the limits, and for what PostgreSQL cannot hold. */
export function checkText(path: string, text: string, { min = 0, max }: { min?: number; max: number }): string {
  const trimmed = text.trim();
  if (!trimmed.isWellFormed() || trimmed.includes("\0"))
    throw invalidInput(path, "must be well-formed Unicode without NUL characters.");
  const length = [...trimmed].length;
  if (length < min || length > max) {
    throw invalidInput(
      path,
      min > 0
        ? `must have ${min} to ${max} characters, and has ${length}.`
        : `must have at most ${max} characters, and has ${length}.`,
    );
  }
  return trimmed;
}

/** The instant, when it is still to come. Throws INVALID_INPUT otherwise. */
export function checkFuture(path: string, instant: Date, now: Date): Date {
  if (instant <= now) throw invalidInput(path, "must be in the future.");
  return instant;
}
