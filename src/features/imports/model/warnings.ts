// Warnings of an import, by kind: what was left out, changed or could not be resolved, with file and line.

/** Kinds of warnings: each is something that the user looks at in one go. */
export type ImportWarningKind = "omitted" | "link" | "converted" | "frontMatter" | "contents";

/** A warning about a file; `line` counts from 1. */
export interface ImportWarning {
  readonly path: string;
  readonly line: number | null;
  readonly message: string;
  readonly kind: ImportWarningKind;
}

/** Maximum number of warnings of an import that are stored and can be read. */
const warningLimit = 10_000;

/** Collects warnings. Counts all, and stores only the first ones, because a text may be full of broken links. */
export class ImportWarnings {
  readonly first: ImportWarning[] = [];
  readonly #counts = new Map<ImportWarningKind, number>();
  count = 0;

  add(path: string, line: number | null, message: string, kind: ImportWarningKind = "omitted"): void {
    this.count++;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    if (this.first.length < warningLimit) this.first.push({ path, line, message, kind });
  }

  /** The number of warnings of each kind, most first. */
  get counts(): { kind: ImportWarningKind; count: number }[] {
    const counts = Array.from(this.#counts, ([kind, count]) => ({ kind, count }));
    return counts.toSorted((one, other) => other.count - one.count);
  }
}

/** A URL or name for messages, safe for terminals. */
export function shorten(url: string): string {
  const shown = url.replaceAll(/\p{Cc}/gu, " ");
  return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown;
}
