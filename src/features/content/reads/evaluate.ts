// Evaluating the texts of pages: the values of variables and the texts of reusable contents in the place of expressions.
import { DomainError } from "#src/base/errors.ts";
import type { RichDocument } from "#src/base/rich-document/document.ts";
import { want } from "#src/db/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { documentFrom } from "#src/features/content/reads/documents.ts";
import { type Expression, expressionsIn, replaceExpressions } from "#src/features/content/reads/expressions.ts";
import type { PageInRevision } from "#src/features/content/reads/pages-in-revision.ts";
import { readText, textOf } from "#src/features/content/reads/pages.ts";
import { moreOf } from "#src/features/content/reads/revisions.ts";

/** The most characters of an evaluated text: a short one could include long ones many times. */
const evaluatedLimit = 2_000_000;

/**
 * The text of a page in hand, evaluated: a variable has the value that the page gives it, or else that of the revision; a reusable content, too, is
 * evaluated with these, but includes no other. What is not known stays as it is. Null for a page that has no text by its type. Throws
 * INVALID_INPUT beyond {@link evaluatedLimit}.
 */
export async function evaluatedTextOf(context: Context, page: PageInRevision): Promise<string | null> {
  const text = await textOf(context, page);
  if (text === null) return null;
  const reusableIds = new Set<string>();
  let isPlain = true;
  for (const { expression } of expressionsIn(text)) {
    isPlain = false;
    if ("reusable" in expression) reusableIds.add(expression.reusable);
  }
  if (isPlain) return text;
  const { variables, reusableContents } = await moreOf(context, page.revision, want(["variables", "reusableContents"]));
  const values = new Map([...Object.entries(variables), ...Object.entries(page.fields.variables ?? {})]);
  const valueOf = (expression: Expression) => ("name" in expression ? (values.get(expression.name) ?? null) : null);
  const known = new Map(Object.entries(reusableContents));
  const texts = await Promise.all(
    [...reusableIds].map(async (id) => {
      const content = known.get(id);
      const included = content && (await readText(context, content.documentHash));
      return [
        id,
        included === undefined ? null : replaceExpressions(included, valueOf, checkLength).trimEnd(),
      ] as const;
    }),
  );
  const included = new Map(texts);
  return replaceExpressions(
    text,
    (expression) => ("reusable" in expression ? (included.get(expression.reusable) ?? null) : valueOf(expression)),
    checkLength,
  );
}

/** The same as a document. Throws INVALID_INPUT as that and `documentFrom` do. */
export async function evaluatedDocumentOf(context: Context, page: PageInRevision): Promise<RichDocument | null> {
  const text = await evaluatedTextOf(context, page);
  return text === null ? null : documentFrom(context, text);
}

function checkLength(length: number): void {
  if (length > evaluatedLimit)
    throw new DomainError("INVALID_INPUT", `The evaluated text of a page has at most ${evaluatedLimit} characters.`);
}
