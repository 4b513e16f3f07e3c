// Reading a specification from where it comes from, with all files that it refers to.
import { type FileSource, SourceError } from "#src/features/openapi/commands/file-source.ts";
import { specLimits } from "#src/features/openapi/model/limits.ts";
import type { MadeSpec, SpecFile, SpecFiles } from "#src/features/openapi/model/process.ts";
import { readSpec } from "#src/features/openapi/model/spec-reader.ts";

/**
 * Processes a specification, and fetches the files that it needs until it needs no more. Throws SourceError for what is
 * wrong with it.
 */
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
