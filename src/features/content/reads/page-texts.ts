// Reads of texts by hash, which must come from a revision that the viewer may see, and evaluation of page texts.
import DataLoader from "dataloader";
import { DomainError } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { evaluate, includedIn } from "#src/features/content/model/expressions.ts";
import { hasText, type PageState } from "#src/features/content/model/page.ts";
import type { PageInRevision } from "#src/features/content/reads/pages.ts";
import { moreOf } from "#src/features/content/reads/revisions.ts";
import type { Query } from "#src/features/content/reads/trees.ts";

/** Maximum bytes of text per statement, to bound memory. */
const textLimit = 64 * 1024 * 1024;

/** Maximum UTF-8 bytes of a character: the limit of characters of an operation also limits bytes. */
const bytesOfCharacter = 4;

/** Texts by hash, in one statement: null for those above `limit` bytes, which are not decompressed. */
export async function readTexts(
  query: Query,
  hashes: readonly string[],
  limit = textLimit,
): Promise<(string | null)[]> {
  const rows = await query<{ ord: number; markdown: string | null }>(
    sql`select u.ord::int, case when sum(d.size) over (order by u.ord) <= ${limit} then d.markdown end as markdown
      from unnest(${hashes}::text[]) with ordinality u(hash, ord) join "ContentDocument" d on d.hash = u.hash`,
  );
  const texts: (string | null)[] = hashes.map(() => null);
  for (const { ord, markdown } of rows) texts[ord - 1] = markdown;
  return texts;
}

/** A text by hash; empty for null. Throws INVALID_INPUT above the bytes that an operation may read at a time. */
export async function readText({ reader, database }: Context, documentHash: string | null): Promise<string> {
  if (documentHash === null) return "";
  const query: Query = (statement) => database.query(statement);
  const { texts, most } = reader.once(readTexts, "", () => {
    const limit = Math.min(textLimit, bytesOfCharacter * reader.budget.charactersLeft);
    return { texts: new DataLoader((hashes: readonly string[]) => readTexts(query, hashes, limit)), most: limit };
  });
  const text = await texts.load(documentHash);
  if (text !== null) return text;
  const megabytes = Math.ceil(most / (1024 * 1024));
  throw new DomainError(
    "INVALID_INPUT",
    `The operation requests more than ${megabytes} MB of text at a time. Request fewer pages.`,
  );
}

export type TextOfPage = Pick<PageState, "type" | "documentHash">;

/** The text of a page; null for types of pages without text. Throws like {@link readText}. */
export async function textOf(context: Context, { type, documentHash }: TextOfPage): Promise<string | null> {
  return hasText(type) ? readText(context, documentHash) : null;
}

/** Like {@link evaluate}; variables of the page precede those of the revision. Evaluated once, counted each time. */
export async function evaluatedTextOf(context: Context, page: PageInRevision): Promise<string | null> {
  let isNew = false;
  const text = await context.reader.once(evaluatedTextOf, `${page.revision.id} ${page.pageId}`, async () => {
    isNew = true;
    // Cached synchronously, for other calls in the same tick.
    return context.reader.handOut(await evaluateText(context, page));
  });
  return isNew ? text : context.reader.handOut(text);
}

const includesColumns = project(["variables", "reusableContents"]);

/** Evaluates a text that a page may get. Null for types without a text. */
export async function evaluateUnsaved(context: Context, page: PageInRevision, markdown: string) {
  if (!hasText(page.type)) return null;
  return evaluateIn(context, page, context.reader.handOut(markdown));
}

const evaluateText = async (context: Context, page: PageInRevision): Promise<string | null> =>
  evaluateIn(context, page, await textOf(context, page));

async function evaluateIn(context: Context, page: PageInRevision, text: string | null): Promise<string | null> {
  const ids = text === null ? null : includedIn(text);
  if (text === null || ids === null) return text;
  const { variables, reusableContents } = await moreOf(context, page.revision, includesColumns);
  const included = Object.entries(reusableContents).filter(([id]) => ids.has(id));
  const texts = await Promise.all(
    included.map(async ([id, { documentHash }]) => [id, await readText(context, documentHash)] as const),
  );
  const values = new Map(Object.entries({ ...variables, ...page.fields.variables }));
  context.reader.budget.check();
  return evaluate(text, values, new Map(texts));
}
