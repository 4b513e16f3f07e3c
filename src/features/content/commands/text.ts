// The check of a Markdown text, which stays as it is, to the last blank.
import { invalidInput } from "#src/base/errors.ts";

/** Checks a text that stands at `path` of the input, and answers it as it is stored. */
export type TextCheck = (path: string, text: string) => string;

/** The most characters of a text. */
const textLimit = 500_000;

/** Whether a text is longer than one of a content may be. */
export const isTooLong = (text: string): boolean => text.length > textLimit && Array.from(text).length > textLimit;

/** The text. INVALID_INPUT for what PostgreSQL cannot hold, and beyond 500,000 characters. */
export function checkMarkdown(path: string, markdown: string): string {
  if (!markdown.isWellFormed() || markdown.includes("\0"))
    throw invalidInput(path, "must be well-formed Unicode without NUL characters.");
  if (isTooLong(markdown)) throw invalidInput(path, `must have at most ${textLimit} characters.`);
  return markdown;
}
