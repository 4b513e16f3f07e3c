// Changed lines as agents read them: in the unified form of `diff`, without the names of files.

/** A hunk of changed lines, as the graph returns it. */
export interface Hunk {
  readonly beforeStart: number;
  readonly beforeLines: number;
  readonly afterStart: number;
  readonly afterLines: number;
  readonly lines: readonly { readonly kind: string; readonly text: string }[];
}

const signs: Readonly<Record<string, string>> = { ADDED: "+", REMOVED: "-" };

/** The hunks of a text. */
export const diffTextOf = (hunks: readonly Hunk[]): string =>
  hunks
    .map(({ beforeStart, beforeLines, afterStart, afterLines, lines }) => {
      const head = `@@ -${beforeStart},${beforeLines} +${afterStart},${afterLines} @@\n`;
      return head + lines.map(({ kind, text }) => `${signs[kind] ?? " "}${text.replace(/\n$/, "")}\n`).join("");
    })
    .join("");
