// The sources of specifications in inputs: an address, a text, or a file.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkWebAddress, oneOf, type Optional } from "#src/domain/input.ts";
import { lockBlobs } from "#src/features/content/commands/blobs.ts";
import { specLimits } from "#src/features/openapi/model/limits.ts";
import type { ReceivedBlob } from "#src/files/file-store.ts";
import type { Upload } from "#src/files/upload.ts";

/** Exactly one of these: an address or a text, or an uploaded document or ZIP archive. */
export interface GivenSource {
  readonly source: Optional<{ url: string; text: string; file: Upload }>;
}

/** The columns of a source, and its bytes if it has some. */
export interface Source extends Disposable {
  readonly columns: { readonly sourceUrl: string | null; readonly sourceBlob: string | null };
  /** Keeps the bytes in the transaction that writes the columns. */
  keep(transaction: Transaction): Promise<void>;
}

/**
 * Reads a source; its content is checked when it is processed. INVALID_INPUT unless exactly one is given, for an
 * invalid address, and for an empty text; TOO_LARGE beyond {@link specLimits}.
 */
export async function readGiven({ files }: Pick<Context, "files">, { source }: GivenSource): Promise<Source> {
  const { url, text, file } = source;
  const [by, given] = oneOf("source", { url, text, file });
  if (by === "file") return ofBlob(given.blob, () => {}); // uploads are dropped with their request
  if (by === "url") {
    const sourceUrl = checkWebAddress("source/url", given);
    return { columns: { sourceUrl, sourceBlob: null }, keep: async () => {}, [Symbol.dispose]: () => {} };
  }
  if (given.trim() === "") throw invalidInput("source/text", "must not be empty.");
  const blob = await files.receive([Buffer.from(given)], specLimits.bytes);
  return ofBlob(blob, () => void blob.drop());
}

/** Throws TOO_LARGE beyond {@link specLimits}. */
export function checkSpecBytes(bytes: number): void {
  if (bytes > specLimits.bytes)
    throw new DomainError("TOO_LARGE", `A specification must have at most ${specLimits.bytes} bytes.`);
}

function ofBlob(blob: ReceivedBlob, drop: () => void): Source {
  checkSpecBytes(blob.size);
  return {
    columns: { sourceUrl: null, sourceBlob: blob.hash },
    async keep(transaction) {
      await lockBlobs(transaction, [blob.hash]);
      await blob.keep();
    },
    [Symbol.dispose]: drop,
  };
}
