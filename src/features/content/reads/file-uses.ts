// What uses files in a revision: covers of pages, link pages, and links and images in texts.
import { sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { inTreeOrder, type PageRow } from "#src/features/content/model/page.ts";
import { pageIn, type PageInRevision, pagesOf, pagesRevisionColumns } from "#src/features/content/reads/pages.ts";
import {
  listReusableContents,
  namedRevisions,
  type ReusableContentRow,
} from "#src/features/content/reads/revisions.ts";

/** A page or a reusable content that uses a file. */
export interface FileUse {
  readonly fileId: string;
  readonly page: PageInRevision | null;
  readonly reusableContent: ReusableContentRow | null;
}

/**
 * What uses these files in a revision, which the viewer sees: pages in the order of the tree, then reusable contents.
 * Reads the texts of the revision inside the database, in one statement.
 */
export async function findFileUses(
  context: Context,
  revisionId: string,
  fileIds: readonly string[],
): Promise<FileUse[]> {
  if (fileIds.length === 0) return [];
  const columns = project([...pagesRevisionColumns, "reusableContents"]);
  const revision = await context.reader.found(namedRevisions, revisionId, columns);
  const pages = inTreeOrder((await pagesOf(context, revision)).pages);
  const shared = listReusableContents(revision);
  const linked = await linksIn(context, [...pages, ...shared], fileIds);
  const asked = new Set(fileIds);
  const ofPages = pages.flatMap((page) => {
    const used = new Set([...filesOutsideOf(page).filter((id) => asked.has(id)), ...linked(page)]);
    return [...used].map((fileId) => ({ fileId, page: pageIn(revision, page), reusableContent: null }));
  });
  const ofShared = shared.flatMap((text) =>
    [...linked(text)].map((fileId) => ({ fileId, page: null, reusableContent: text })),
  );
  const uses = [...ofPages, ...ofShared];
  context.reader.takeRows(uses.length);
  return uses;
}

/** The files that a page uses outside of its text. */
function filesOutsideOf({ fields: { cover, target = "" } }: PageRow): string[] {
  const linked = target.startsWith("file:") ? [target.slice("file:".length)] : [];
  return [...linked, cover?.file, cover?.fileDark].filter((id) => id !== undefined);
}

interface WithText {
  readonly documentHash: string | null;
}

/** Finds which of the files the text of something links to. */
async function linksIn(
  { database }: Context,
  within: readonly WithText[],
  fileIds: readonly string[],
): Promise<(of: WithText) => ReadonlySet<string>> {
  const hashes = [...new Set(within.flatMap(({ documentHash }) => documentHash ?? []))];
  const rows = await database.query<{ hash: string; fileId: string }>(
    sql`select distinct d.hash, m[1] as "fileId" from unnest(${hashes}::text[]) u(hash) join "ContentDocument" d on d.hash = u.hash
      cross join lateral regexp_matches(d.markdown, 'file:(fil_[0-9a-z]{26})', 'g') m where m[1] = any(${fileIds}::text[])`,
  );
  const byHash = new Map<string, Set<string>>();
  for (const { hash, fileId } of rows) byHash.set(hash, (byHash.get(hash) ?? new Set()).add(fileId));
  const none = new Set<string>();
  return ({ documentHash }) => (documentHash === null ? none : (byHash.get(documentHash) ?? none));
}
