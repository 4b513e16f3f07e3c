// Evaluated texts of pages: read with the variables and reusable contents that they name.
import type { RichDocument } from "#src/documents/document.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { evaluate, includedIn } from "#src/features/content/model/expressions.ts";
import { documentFrom } from "#src/features/content/reads/documents.ts";
import { readText, textOf } from "#src/features/content/reads/page-texts.ts";
import type { PageInRevision } from "#src/features/content/reads/pages.ts";
import { moreOf } from "#src/features/content/reads/revisions.ts";

/**
 * The text of a page, to hand out, as {@link evaluate} makes it: a variable has the value that the page gives it, or
 * else that of the revision. Null for a page that has no text by its type. Made once in an operation, and counted
 * each time.
 */
export async function evaluatedTextOf(context: Context, page: PageInRevision): Promise<string | null> {
  let isNew = false;
  const text = await context.reader.once(evaluatedTextOf, `${page.revision.id} ${page.pageId}`, async () => {
    isNew = true;
    return context.reader.handOut(await makeText(context, page)); // it is kept at once, for others of the same tick
  });
  return isNew ? text : context.reader.handOut(text);
}

async function makeText(context: Context, page: PageInRevision): Promise<string | null> {
  const text = await textOf(context, page);
  const ids = text === null ? null : includedIn(text);
  if (text === null || ids === null) return text;
  const { variables, reusableContents } = await moreOf(
    context,
    page.revision,
    project(["variables", "reusableContents"]),
  );
  const included = Object.entries(reusableContents).filter(([id]) => ids.has(id));
  const texts = await Promise.all(
    included.map(async ([id, { documentHash }]) => [id, await readText(context, documentHash)] as const),
  );
  const values = new Map(Object.entries({ ...variables, ...page.fields.variables }));
  context.reader.budget.check();
  return evaluate(text, values, new Map(texts));
}

/** The same as a document. Throws INVALID_INPUT as that and `documentFrom` do. */
export async function evaluatedDocumentOf(context: Context, page: PageInRevision): Promise<RichDocument | null> {
  const text = await evaluatedTextOf(context, page);
  return text === null ? null : documentFrom(context, text);
}
