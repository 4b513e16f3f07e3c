// Converts texts of clients in threads, so that a long or hostile one does not block the process.
import { DomainError, type ErrorCode, type ErrorDetail } from "#src/base/errors.ts";
import { type GivenDocument, tooDeep } from "#src/documents/document.ts";
import { plainSections, type TextSections } from "#src/documents/sections/section.ts";
import { ThreadPool } from "#src/runtime/threads.ts";

/**
 * Converts Markdown to the JSON text of its document, of its HTML template or of its sections, or a document to
 * Markdown; `path` is the position of the document in the input, `base` the text that it replaces.
 */
export interface Conversion {
  readonly to: "document" | "html" | "markdown" | "sections";
  readonly text: string;
  readonly path?: string;
  readonly base?: string | null;
}

/** The outcome of a conversion, as threads send it. */
export type ConversionAnswer =
  | { readonly text: string }
  | { readonly refusal: { code: ErrorCode; message: string; details: readonly ErrorDetail[] | undefined } };

/** The text, or the error; undefined if it was not tried, since earlier texts took all the time. */
export type Converted = string | DomainError | undefined;

/** What a thousand characters are expected to take, in megabytes: more is tried again with the most of a thread. */
const perThousand = 0.25;

function memoryOf(conversions: readonly Conversion[]): number {
  return 48 + (perThousand * Math.max(...conversions.map(({ text }) => text.length))) / 1000;
}

/** The longest page takes a third of the memory. Threads stay for a while: those that make HTML load many languages. */
const limits = { threads: 2, megabytes: 768, idleMs: 30_000, needs: memoryOf };
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

/** Texts up to this length, without deep nesting, are read at once: a hostile one takes some milliseconds. */
const shortText = 2_000;
const deepLine = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]){40}/m;

/** Sections are read while others wait for the writer of a text. */
const sectionLimit = { milliseconds: 2_000, perThousand: 15 } as const;

/** The sections of the last texts: search and links read the same ones. */
const lastSections = new Map<string, Promise<TextSections>>();
const mostSections = 64;

/** The sections of a text; a single one if it is too deep or complex. RATE_LIMITED if too much work is waiting. */
export function sectionsOf(markdown: string): Promise<TextSections> {
  const known = lastSections.get(markdown);
  if (known) return known;
  const reading = readSections(markdown);
  keepSections(markdown, reading);
  reading.catch(() => lastSections.delete(markdown));
  return reading;
}

function keepSections(markdown: string, reading: Promise<TextSections>): void {
  lastSections.set(markdown, reading);
  for (const [oldest] of lastSections) if (lastSections.size > mostSections) lastSections.delete(oldest);
}

/** Has a thread read the sections of texts for work that nobody waits for: at most {@link mostSections} at once. */
export async function readAhead(texts: readonly string[]): Promise<void> {
  const unread = texts.filter((text) => !lastSections.has(text));
  if (unread.length === 0) return;
  const answers = await readInThread(unread);
  for (const [index, sections] of answers.entries()) keepSections(unread[index] ?? "", Promise.resolve(sections));
}

/** The sections of texts, up to the first one that takes too long. */
async function readInThread(texts: readonly string[]): Promise<TextSections[]> {
  const { milliseconds, perThousand } = sectionLimit;
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const limit = milliseconds + Math.ceil((length * perThousand) / 1000);
  const { answers } = await pool.run(
    texts.map((text) => ({ to: "sections", text })),
    limit,
  );
  return answers.map((answer, index) =>
    "text" in answer ? (JSON.parse(answer.text) as TextSections) : plainSections(texts[index] ?? ""),
  );
}

async function readSections(markdown: string): Promise<TextSections> {
  if (markdown.length <= shortText && !deepLine.test(markdown)) {
    const { sectionsIn } = await import("#src/documents/sections/sections.ts");
    try {
      return sectionsIn(markdown);
    } catch (error) {
      if (error instanceof DomainError || error instanceof RangeError) return plainSections(markdown);
      throw error;
    }
  }
  const [sections = plainSections(markdown)] = await readInThread([markdown]);
  return sections;
}

export interface PlacedDocument {
  readonly document: GivenDocument;
  readonly path: string;
  /** The text that the document replaces. */
  readonly base?: string | null;
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
function conversionOf({ document, path, base }: PlacedDocument): Conversion {
  try {
    return { to: "markdown", text: JSON.stringify(document), path, ...(base !== undefined && { base }) };
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}
