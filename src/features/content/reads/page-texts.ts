// Reading texts by their hashes. A hash comes only from a revision that the viewer may see.
import DataLoader from "dataloader";
import { DomainError } from "#src/base/errors.ts";
import { sql } from "#src/db/database.ts";
import type { Context } from "#src/domain/context.ts";
import { hasText, type PageState } from "#src/features/content/model/page.ts";
import type { Query } from "#src/features/content/reads/trees.ts";

/** Bytes of text that one statement reads, so that no document fills the memory. */
const textLimit = 64 * 1024 * 1024;

/** Texts by their hashes, in one statement: null for those beyond {@link textLimit}, which are not decompressed. */
export async function readTexts(query: Query, hashes: readonly string[]): Promise<(string | null)[]> {
  const rows = await query<{ ord: number; markdown: string | null }>(
    sql`select u.ord::int, case when sum(d.size) over (order by u.ord) <= ${textLimit} then d.markdown end as markdown
      from unnest(${hashes}::text[]) with ordinality u(hash, ord) join "ContentDocument" d on d.hash = u.hash`,
  );
  const texts: (string | null)[] = hashes.map(() => null);
  for (const { ord, markdown } of rows) texts[ord - 1] = markdown;
  return texts;
}

/** A text by its hash; empty for none. Throws INVALID_INPUT beyond {@link textLimit}. */
export async function readText({ reader, database }: Context, documentHash: string | null): Promise<string> {
  if (documentHash === null) return "";
  const query: Query = (statement) => database.query(statement);
  const texts = reader.once(
    readTexts,
    "",
    () => new DataLoader((hashes: readonly string[]) => readTexts(query, hashes)),
  );
  const text = await texts.load(documentHash);
  if (text === null)
    throw new DomainError("INVALID_INPUT", "This asks for more than 64 MB of text at a time; ask for fewer pages.");
  return text;
}

/** The text of a page; null for a page that has none by its type. Throws INVALID_INPUT beyond {@link textLimit}. */
export async function textOf(
  context: Context,
  { type, documentHash }: Pick<PageState, "type" | "documentHash">,
): Promise<string | null> {
  return hasText(type) ? readText(context, documentHash) : null;
}
