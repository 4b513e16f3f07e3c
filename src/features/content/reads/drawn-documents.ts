// Documents with what their blocks of integrations draw. A feature further up draws: here is only where it does.
import type { RichDocument } from "#src/documents/document.ts";
import type { Context } from "#src/domain/context.ts";
import type { PageInRevision } from "#src/features/content/reads/pages.ts";

/** Answers the document of a page with what is drawn in it; the one given, which is shared, never changes. */
type Drawing = (context: Context, page: PageInRevision, document: RichDocument) => Promise<RichDocument>;

const drawings: Drawing[] = [];

/** Adds a drawing. */
export function defineDrawing(drawing: Drawing): void {
  drawings.push(drawing);
}

/** The document with all that is drawn in it; null for none. */
export async function drawnDocumentOf(
  context: Context,
  page: PageInRevision,
  document: RichDocument | null,
): Promise<RichDocument | null> {
  let drawn = document;
  for (const draw of drawings) drawn &&= await draw(context, page, drawn);
  return drawn;
}
