// Small forms of texts: aligned columns, names as words, replaced ranges, and what PostgreSQL can store.

/** Rows as aligned columns. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/** `ChangeRequest` and `changeRequest` as "change request". */
export const inWords = (name: string): string => name.replaceAll(/\B[A-Z]/g, " $&").toLowerCase();

/** Whether PostgreSQL can store a text. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** The message for a text that PostgreSQL cannot store. */
export const mustBeStorable = "must be well-formed Unicode without NUL characters.";

/** Replaces ranges in order; one stays if its replacement is null, or if it overlaps a replaced one before it. */
export function replaceRanges<Of extends { readonly start: number; readonly end: number }>(
  text: string,
  ranges: Iterable<Of>,
  replacementOf: (range: Of) => string | null,
): string {
  const parts: string[] = [];
  let done = 0;
  for (const range of ranges) {
    const replacement = range.start >= done ? replacementOf(range) : null;
    if (replacement === null) continue;
    parts.push(text.slice(done, range.start), replacement);
    done = range.end;
  }
  return done === 0 ? text : parts.join("") + text.slice(done);
}
