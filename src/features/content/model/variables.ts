// The checks of variables, those of a page and those of a whole content.
import { invalidInput } from "#src/base/errors.ts";
import { checkText } from "#src/domain/input.ts";

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
