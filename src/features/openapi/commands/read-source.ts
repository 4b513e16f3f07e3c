// Reads a specification from its source, with all files that it refers to, and processes it in a thread.
import type { MissingFile } from "#src/features/openapi/model/bundle.ts";
import { shownText } from "#src/features/openapi/model/fault.ts";
import type { MadeSpec, Processed, SpecFile, SpecFiles } from "#src/features/openapi/model/process.ts";
import type { OpenApiProcessErrorCode } from "#src/generated/prisma/enums.ts";
import { ThreadPool } from "#src/runtime/threads.ts";
import { specLimits } from "#src/features/openapi/model/limits.ts";

export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code: OpenApiProcessErrorCode;

  constructor(code: OpenApiProcessErrorCode, message: string) {
    super(shownText(message, 4000));
    this.code = code;
  }
}

/** The headers of a file for conditional requests. */
export type Validators = { readonly etag: string | null; readonly lastModified: string | null };

/** Provides the files of a specification. Throws a {@link SourceError} for what is wrong with them. */
export interface FileSource extends AsyncDisposable {
  /** The first file of the specification; null if it has not changed since it was last fetched. */
  first(): Promise<SpecFile | null>;
  next(missing: MissingFile, maxBytes: number): Promise<SpecFile>;
  /** Of the first file, once it was read. */
  readonly validators: Validators;
}

/** In milliseconds: far more than any harmless specification needs. */
const defaultTimeLimit = 60_000;

const pool = new ThreadPool<SpecFiles, Processed>(new URL("../model/process.ts", import.meta.url), {
  threads: 1,
  megabytes: 640,
});

/** Processes the files of a specification in a thread. */
export async function readSpec(files: SpecFiles, timeLimit: number = defaultTimeLimit): Promise<Processed> {
  const { answers, ended } = await pool.run([files], timeLimit);
  const what = ended === "out of time" ? "long" : "much memory";
  return answers[0] ?? { fault: `${files[0].name}: It takes too ${what} to be read.` };
}

/** Processes a specification, and reads the files that it refers to. Throws a {@link SourceError} for its faults. */
export async function readFrom(source: FileSource, first: SpecFile): Promise<{ made: MadeSpec; files: SpecFiles }> {
  const files: [SpecFile, ...SpecFile[]] = [first];
  for (let round = 1; round <= specLimits.rounds; round += 1) {
    const processed = await readSpec(files);
    if ("fault" in processed) throw new SourceError("PARSE_ERROR", processed.fault);
    if ("made" in processed) return { made: processed.made, files };
    for (const missing of processed.missing) {
      if (files.length >= specLimits.files)
        throw new SourceError("PARSE_ERROR", `A specification has at most ${specLimits.files} files.`);
      const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
      files.push(await source.next(missing, specLimits.bytes - size));
    }
  }
  throw new SourceError("PARSE_ERROR", `Its files lead on to others more than ${specLimits.rounds} times.`);
}
