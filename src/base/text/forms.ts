// Small forms of texts: aligned columns, names as words, and what PostgreSQL can store.

/** Rows as aligned columns. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/** `ChangeRequest` and `changeRequest` as "change request". */
export const inWords = (name: string): string => name.replaceAll(/\B[A-Z]/g, " $&").toLowerCase();

/** Whether PostgreSQL can hold a text. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** The message for other texts. */
export const mustBeStorable = "must be well-formed Unicode without NUL characters.";
