// Converts texts of clients in threads, so that a long or hostile one does not block the process.
import { DomainError, type ErrorCode, type ErrorDetail } from "#src/base/errors.ts";
import { type GivenDocument, tooDeep } from "#src/documents/document.ts";
import type { NamedSection } from "#src/documents/html/heading-names.ts";
import { ThreadPool } from "#src/runtime/threads.ts";

/**
 * Converts Markdown to the JSON text of its document or of its HTML template, or a document to Markdown; `path` is the
 * position of the document in the input, `sections` name the headings of HTML.
 */
export interface Conversion {
  readonly to: "document" | "html" | "markdown";
  readonly text: string;
  readonly path?: string;
  readonly sections?: readonly NamedSection[];
}

/** The outcome of a conversion, as threads send it. */
export type ConversionAnswer =
  | { readonly text: string }
  | { readonly refusal: { code: ErrorCode; message: string; details: readonly ErrorDetail[] | undefined } };

/** The text, or the error; undefined if it was not tried, since earlier texts took all the time. */
export type Converted = string | DomainError | undefined;

/** The longest page takes a third of the memory. Threads stay for a while: those that make HTML load many languages. */
const limits = { threads: 2, megabytes: 768, idleMs: 30_000 };
const pool = new ThreadPool<Conversion, ConversionAnswer>(new URL("convert-thread.ts", import.meta.url), limits);

/** Many times what prose takes on a slow machine: only texts made to be slow reach it. */
const timeLimit = { milliseconds: 5_000, perThousand: 30 } as const;

/** Converts texts in order within one time limit; exceeding it, or the memory, gives an error and undefined rests. */
export async function convert(conversions: readonly Conversion[]): Promise<readonly Converted[]> {
  if (conversions.length === 0) return [];
  const length = conversions.reduce((sum, { text }) => sum + text.length, 0);
  const milliseconds = timeLimit.milliseconds + Math.ceil((length * timeLimit.perThousand) / 1000);
  const { answers, ended } = await pool.run(conversions, milliseconds);
  const converted = answers.map((answer): Converted => {
    if ("text" in answer) return answer.text;
    const { code, message, details } = answer.refusal;
    return new DomainError(code, message, details);
  });
  const tooLong = "The text takes too much time or memory to convert: make it shorter or simpler.";
  if (ended !== "all done") converted.push(new DomainError("INVALID_INPUT", tooLong));
  return conversions.map((_, index) => converted[index]);
}

export interface PlacedDocument {
  readonly document: GivenDocument;
  readonly path: string;
}

/** The Markdown of documents. INVALID_INPUT for the first invalid one, and if they take too long. */
export async function writeDocuments(placed: readonly PlacedDocument[]): Promise<string[]> {
  const written = await convert(placed.map(conversionOf));
  return written.map((markdown, index) => {
    if (typeof markdown === "string") return markdown;
    if (markdown) throw markdown;
    const message = "takes too long to convert, together with the documents before it: send fewer at a time.";
    throw new DomainError("INVALID_INPUT", `${placed[index]?.path}: ${message}`);
  });
}

/** Rejects documents that are nested too deep to be written as JSON. */
function conversionOf({ document, path }: PlacedDocument): Conversion {
  try {
    return { to: "markdown", text: JSON.stringify(document), path };
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}
