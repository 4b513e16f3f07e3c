// Which texts can be stored: PostgreSQL takes neither NUL characters nor halves of surrogate pairs.

/** Whether PostgreSQL can hold a text. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** What the error for any other text says. */
export const mustBeStorable = "must be well-formed Unicode without NUL characters.";
