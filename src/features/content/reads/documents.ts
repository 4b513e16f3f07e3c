// Texts as rich documents.
import type { RichDocument } from "#src/documents/document.ts";
import { wholeDocument } from "#src/documents/from-markdown.ts";
import type { Context } from "#src/domain/context.ts";
import { keepJson } from "#src/runtime/kept-json.ts";
import { type PromiseOrValue, whenThere } from "#src/runtime/waiting.ts";
import { hasText } from "#src/features/content/model/page.ts";
import { type Converted, ConvertedTexts } from "#src/features/content/reads/converted-texts.ts";
import { evaluatedTextOf, textOf, type TextOfPage } from "#src/features/content/reads/page-texts.ts";
import type { PageInRevision } from "#src/features/content/reads/pages.ts";

/** Objects take about three times the memory of their JSON, which is kept beside them. */
const documents = new ConvertedTexts<RichDocument>({
  name: "documents",
  megabytes: 80,
  weight: 4,
  conversionOf: (text) => ({ to: "document", text }),
  keep: keepJson,
  otherwise: wholeDocument,
});

function handOut({ reader }: Context, { form, size }: Converted<RichDocument>): RichDocument {
  reader.budget.takeText(size);
  return form;
}

/** At once if the document is remembered: an operation may ask for thousands in one turn. */
function convertedPage(context: Context, page: TextOfPage): PromiseOrValue<Converted<RichDocument> | null> {
  if (!hasText(page.type)) return null;
  const known = page.documentHash === null ? undefined : documents.remembered(page.documentHash);
  return known ?? textOf(context, page).then((text) => documents.convert(context, text ?? ""));
}

/** A shared, immutable document; one `markdown` block if the text is too complex. INVALID_INPUT for too much text. */
export async function documentFrom(context: Context, markdown: string): Promise<RichDocument> {
  return handOut(context, await documents.convert(context, markdown));
}

/** The text of a page as a document, like {@link documentFrom}; null for types of pages without text. */
export function documentOfPage(context: Context, page: TextOfPage): PromiseOrValue<RichDocument | null> {
  return whenThere(convertedPage(context, page), (converted) => converted && handOut(context, converted));
}

/** The same document for lookups: it does not count against the limits, because it is not sent. */
export async function documentToSearch(context: Context, page: TextOfPage): Promise<RichDocument | null> {
  return (await convertedPage(context, page))?.form ?? null;
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
