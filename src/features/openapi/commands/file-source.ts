// Where the files of a specification come from.
import type { MissingFile } from "#src/features/openapi/model/bundle.ts";
import { shownText } from "#src/features/openapi/model/fault.ts";
import type { SpecFile } from "#src/features/openapi/model/process.ts";
import type { OpenApiProcessErrorCode } from "#src/generated/prisma/enums.ts";

/** A source that cannot be processed, with what is said of it. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code: OpenApiProcessErrorCode;

  constructor(code: OpenApiProcessErrorCode, message: string) {
    super(shownText(message, 4000));
    this.code = code;
  }
}

/** What a server says of a file, to be asked for another one only. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** The files of a specification, one after the other. What is wrong with them is thrown as a {@link SourceError}. */
export interface FileSource extends AsyncDisposable {
  /** The file with which the specification begins; null where it is as it was when it was fetched last. */
  first(): Promise<SpecFile | null>;
  /** Another file, which one that is there refers to; with at most so many bytes. */
  next(missing: MissingFile, maxBytes: number): Promise<SpecFile>;
  /** Those of the first file, once it is there. */
  readonly validators: Validators;
}
