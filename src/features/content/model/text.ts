// The check of a Markdown text. The text is stored as it is, to the last blank.
import { invalidInput } from "#src/base/errors.ts";
import { isStorable, mustBeStorable } from "#src/base/text/storable.ts";

/** Checks the text at `path` of the input, and returns it as it is stored. */
export type TextCheck = (path: string, text: string) => string;

/** The most characters of a text. */
const textLimit = 500_000;

/** Whether a text is longer than one of a content may be. */
export const isTooLong = (text: string): boolean => text.length > textLimit && Array.from(text).length > textLimit;

/** The text. INVALID_INPUT for what PostgreSQL cannot hold, and beyond 500,000 characters. */
export function checkMarkdown(path: string, markdown: string): string {
  if (!isStorable(markdown)) throw invalidInput(path, mustBeStorable);
  if (isTooLong(markdown)) throw invalidInput(path, `must have at most ${textLimit} characters.`);
  return markdown;
}
