// Checks of Markdown texts, which are stored as they are to the last blank, and of variables.
import { invalidInput } from "#src/base/errors.ts";
import { isStorable, mustBeStorable } from "#src/base/text/forms.ts";
import { checkText } from "#src/domain/input.ts";

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

/** How many variables a page, and a content, may have. */
export const variableLimit = 100;

const form = /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u;

/** INVALID_INPUT for other than at most 100 letters, digits, `_` and `-` with a letter or `_` first. */
export function checkVariableName(path: string, name: string): void {
  if (!form.test(name) || name === "__proto__")
    throw invalidInput(path, "must be at most 100 letters, digits, _ and -, with a letter or _ first.");
}

/** The value without blanks around it. INVALID_INPUT beyond 1,000 characters. */
export function checkVariableValue(path: string, value: string): string {
  return checkText(path, value, { max: 1000 });
}
