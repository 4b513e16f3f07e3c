// The source of an import, and its progress.
import type { Entry } from "#src/features/imports/model/contents.ts";
import type { ImportFiles } from "#src/features/imports/model/files.ts";

/** The files of an import, readable until it is disposed. */
export interface OpenImport extends AsyncDisposable {
  readonly files: ImportFiles;
  /** The table of contents; by default it is read from the files. */
  readonly contents?: readonly Entry[];
  /** Whether people wrote its pages, with front matter, though the table of contents is given. */
  readonly isWritten?: boolean;
  /** The number of found pages and files that could not be read. */
  readonly leftOut?: number;
}

/** An import of files that need no disposal. */
export const inMemory = (
  files: ImportFiles,
  more: Pick<OpenImport, "contents" | "leftOut" | "isWritten"> = {},
): OpenImport => ({
  files,
  ...more,
  [Symbol.asyncDispose]: async () => {},
});

/** Numbers of pages; either none or all are written. */
export type Progress = { readonly found: number; readonly read: number; readonly written: number };
export type Report = (progress: Partial<Progress>) => void;

/** Reports merged numbers that only grow: a later step that counts again never decreases them. */
export function growing(report: (progress: Progress) => void): Report {
  let last: Progress = { found: 0, read: 0, written: 0 };
  return ({ found = 0, read = 0, written = 0 }) => {
    const next = {
      found: Math.max(last.found, found),
      read: Math.max(last.read, read),
      written: Math.max(last.written, written),
    };
    if (next.found === last.found && next.read === last.read && next.written === last.written) return;
    last = next;
    report(next);
  };
}
