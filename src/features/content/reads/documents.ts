// Texts as rich documents: converted in threads, one batch per operation, and cached by hash.
import { hash } from "node:crypto";
import DataLoader from "dataloader";
import { cacheOf } from "#src/runtime/cache-budget.ts";
import { DomainError } from "#src/base/errors.ts";
import type { RichDocument } from "#src/documents/document.ts";
import { wholeDocument } from "#src/documents/from-markdown.ts";
import { convert } from "#src/documents/convert.ts";
import type { Context } from "#src/domain/context.ts";
import { hasText } from "#src/features/content/model/page.ts";
import { evaluatedTextOf, textOf, type TextOfPage } from "#src/features/content/reads/page-texts.ts";
import type { PageInRevision } from "#src/features/content/reads/pages.ts";

/** Maximum number of characters that an operation converts at a time: some seconds of a thread. */
const textLimit = 2_000_000;

interface Sized {
  readonly document: RichDocument;
  readonly size: number;
}

/** By the hashes of their texts. Objects take about three times the memory of their JSON. */
const remembered = cacheOf<string, Sized>("documents", 128, ({ size }) => 3 * size);

interface Text {
  readonly hash: string;
  readonly markdown: string;
}

/** Number of attempts for the texts after an adversarial one: each such text takes seconds, once. */
const rounds = 4;

async function convertTexts(texts: readonly Text[]): Promise<(Sized | Error)[]> {
  if (texts.reduce((sum, { markdown }) => sum + markdown.length, 0) > textLimit) {
    const message = `The operation requests more than ${textLimit} characters of text as documents at a time. Request fewer documents.`;
    return texts.map(() => new DomainError("INVALID_INPUT", message));
  }
  const done: Sized[] = [];
  for (let round = 0; round < rounds && done.length < texts.length; round++) {
    const left = texts.slice(done.length);
    const converted = await convert(left.map(({ markdown }) => ({ to: "document", text: markdown })));
    for (const [index, text] of left.entries()) {
      const one = converted[index];
      if (one === undefined) break;
      // Null if the text is too deep or too complex.
      const document = typeof one === "string" ? (JSON.parse(one) as RichDocument) : wholeDocument(text.markdown);
      const sized = { document, size: (typeof one === "string" ? one : text.markdown).length };
      remembered.keep(text.hash, sized);
      done.push(sized);
    }
  }
  const message = "Converting other texts used up the time for documents. Request fewer documents.";
  return texts.map((_, index) => done[index] ?? new DomainError("INVALID_INPUT", message));
}

function handOut({ reader }: Context, { document, size }: Sized): RichDocument {
  reader.budget.takeText(size);
  return document;
}

/** Hashes each text only once per operation. */
async function convertedText({ reader }: Context, markdown: string): Promise<Sized> {
  return reader.once(convertedText, markdown, () => {
    const key = hash("sha256", markdown, "base64url");
    const makeLoader = () => new DataLoader(convertTexts, { cacheKeyFn: (text: Text) => text.hash });
    const known = remembered.get(key);
    return known ? Promise.resolve(known) : reader.once(convertTexts, "", makeLoader).load({ hash: key, markdown });
  });
}

async function convertedPage(context: Context, page: TextOfPage): Promise<Sized | null> {
  if (!hasText(page.type)) return null;
  const known = page.documentHash === null ? undefined : remembered.get(page.documentHash);
  return known ?? convertedText(context, (await textOf(context, page)) ?? "");
}

/** A shared, immutable document; one `markdown` block if the text is too complex. INVALID_INPUT for too much text. */
export async function documentFrom(context: Context, markdown: string): Promise<RichDocument> {
  return handOut(context, await convertedText(context, markdown));
}

/** The text of a page as a document, like {@link documentFrom}; null for types of pages without text. */
export async function documentOfPage(context: Context, page: TextOfPage): Promise<RichDocument | null> {
  const converted = await convertedPage(context, page);
  return converted && handOut(context, converted);
}

/** The same document for lookups: it does not count against the limits, because it is not sent. */
export async function documentToSearch(context: Context, page: TextOfPage): Promise<RichDocument | null> {
  return (await convertedPage(context, page))?.document ?? null;
}

/** The evaluated text of a page as a document. Throws like `evaluatedTextOf` and {@link documentFrom}. */
export async function evaluatedDocumentOf(context: Context, page: PageInRevision): Promise<RichDocument | null> {
  const text = await evaluatedTextOf(context, page);
  return text === null ? null : documentFrom(context, text);
}

/** Returns the document of a page with rendered blocks; the argument is shared and must not be changed. */
type Drawing = (context: Context, page: PageInRevision, document: RichDocument) => Promise<RichDocument>;

const drawings: Drawing[] = [];

export function defineDrawing(drawing: Drawing): void {
  drawings.push(drawing);
}

export async function drawnDocumentOf(context: Context, page: PageInRevision, document: RichDocument | null) {
  let drawn = document;
  for (const draw of drawings) drawn &&= await draw(context, page, drawn);
  return drawn;
}
