// Writing documents that somebody gave as Markdown, in threads: documents, too, can be made to take very long.
import { DomainError } from "#src/base/errors.ts";
import type { GivenDocument } from "#src/documents/document.ts";
import { type Conversion, convert } from "#src/documents/convert.ts";
import { tooDeep } from "#src/documents/tree-limit.ts";

/** A document, and its place in the input. */
export interface PlacedDocument {
  readonly document: GivenDocument;
  readonly path: string;
}

/** The Markdown of documents. INVALID_INPUT for the first invalid one, and if they take too long. */
export async function writeDocuments(placed: readonly PlacedDocument[]): Promise<string[]> {
  const written = await convert(placed.map(conversionOf));
  return written.map((markdown, index) => {
    if (typeof markdown === "string") return markdown;
    throw (
      markdown ??
      new DomainError(
        "INVALID_INPUT",
        `${placed[index]?.path}: takes too long to convert, together with the documents before it: send fewer at a time.`,
      )
    );
  });
}

/** Refuses documents that are nested too deep to be written as JSON. */
function conversionOf({ document, path }: PlacedDocument): Conversion {
  try {
    return { to: "markdown", text: JSON.stringify(document), path };
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}
