// What an import is made from, until it is closed.
import type { Entry } from "#src/features/imports/model/contents.ts";
import type { ImportFiles } from "#src/features/imports/model/files.ts";

/** Files that can be read until they are closed. */
export interface OpenImport extends AsyncDisposable {
  readonly files: ImportFiles;
  /** The table of contents, where it is known; otherwise it is read from the files. */
  readonly contents?: readonly Entry[];
  /** How many pages and files were found and could not be had. */
  readonly leftOut?: number;
}
