// Reads of Git objects of contents. Values that depend only on one of our hashes are cached by it.
import DataLoader from "dataloader";
import { cacheOf } from "#src/runtime/cache-budget.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import {
  gitBlob,
  gitContent,
  type GitEntry,
  gitFiles,
  type GitObject,
  gitPages,
  type GitPages,
  reusablePath,
} from "#src/features/content/model/git.ts";
import { hasText, inTreeOrder } from "#src/features/content/model/page.ts";
import { readText } from "#src/features/content/reads/page-texts.ts";
import { type PageInRevision, pagesOf } from "#src/features/content/reads/pages.ts";
import type { ReusableContentRow } from "#src/features/content/reads/revisions.ts";

const ofTexts = cacheOf<string, string>("git texts", 16, () => 300);
const ofTrees = cacheOf<string, GitPages>("git trees", 16, ({ byId }) => 300 * (1 + byId.size));
const ofFileLists = cacheOf<string, readonly GitEntry[]>("git files", 16, ({ length }) => 300 * (1 + length));

const ofEmptyText = gitBlob("");

/** The Git hash of a text, stored with it; computed for older texts. */
async function oidOfText(context: Context, documentHash: string | null): Promise<string> {
  if (documentHash === null) return ofEmptyText;
  const known = ofTexts.get(documentHash);
  if (known !== undefined) return known;
  const makeLoader = () => new DataLoader((keys: readonly string[]) => storedOids(context, keys));
  const oids = context.reader.once(oidOfText, "", makeLoader);
  const oid = (await oids.load(documentHash)) ?? gitBlob(await readText(context, documentHash));
  ofTexts.keep(documentHash, oid);
  return oid;
}

async function storedOids({ database }: Context, hashes: readonly string[]): Promise<(string | null)[]> {
  const rows = await database.query<{ hash: string; oid: string | null }>(
    sql`select d.hash, d.oid from "ContentDocument" d where d.hash = any(${hashes}::text[])`,
  );
  const byHash = new Map(rows.map(({ hash, oid }) => [hash, oid]));
  return hashes.map((hash) => byHash.get(hash) ?? null);
}

async function pagesInGit(context: Context, treeHash: string | null): Promise<GitPages> {
  if (treeHash === null) return { entries: [], byId: new Map() };
  return (
    ofTrees.get(treeHash) ??
    context.reader.once(pagesInGit, treeHash, async () => {
      const { pages } = await pagesOf(context, { treeHash });
      const documents = inTreeOrder(pages).filter(({ type }) => hasText(type));
      const hashes = [...new Set(documents.map(({ documentHash }) => documentHash))];
      const oids = await Promise.all(hashes.map((hash) => oidOfText(context, hash)));
      const known = new Map(hashes.map((hash, place) => [hash, oids[place] ?? ofEmptyText]));
      const made = gitPages(pages, (hash) => known.get(hash) ?? ofEmptyText);
      ofTrees.keep(treeHash, made);
      return made;
    })
  );
}

/** The files of lists, by list hash; null if the Git hash of a file is unknown. */
async function filesInGit({ database }: Context, hashes: readonly string[]): Promise<(readonly GitEntry[] | null)[]> {
  const missing = hashes.filter((hash) => ofFileLists.get(hash) === undefined);
  const rows =
    missing.length === 0
      ? []
      : await database.query<{ list: string; fileId: string; name: string; oid: string | null }>(
          sql`select l.hash as list, f."fileId", f.name, f.oid from "ContentFileList" l
      join "ContentFile" f on f.hash = any(l.files) where l.hash = any(${missing}::text[])`,
        );
  const lists = new Map<string, { fileId: string; name: string; oid: string }[] | null>();
  for (const { list, oid, ...file } of rows) {
    const before = lists.get(list);
    lists.set(list, oid === null || before === null ? null : [...(before ?? []), { ...file, oid }]);
  }
  for (const hash of missing) {
    const files = lists.get(hash);
    if (files) ofFileLists.keep(hash, gitFiles(files));
  }
  return hashes.map((hash) => ofFileLists.get(hash) ?? null);
}

/** A page in Git: its text, or the folder of its subpages; null if it has neither. */
export function findPageInGit(context: Context, { pageId, revision: { treeHash } }: PageInRevision) {
  const known = treeHash === null ? undefined : ofTrees.get(treeHash);
  if (known) return known.byId.get(pageId) ?? null; // synchronously: there may be thousands of pages
  return pagesInGit(context, treeHash).then(({ byId }) => byId.get(pageId) ?? null);
}

export async function findReusableInGit(context: Context, content: ReusableContentRow): Promise<GitObject> {
  return { oid: await oidOfText(context, content.documentHash), path: reusablePath(content.reusableContentId) };
}

/** The Git tree hash of the whole content of a revision; null if the hash of a file is unknown. */
export async function contentOid(
  context: Context,
  { treeHash, filesHash, reusableContents }: Pick<ContentState, "treeHash" | "filesHash" | "reusableContents">,
): Promise<string | null> {
  const makeLoader = () => new DataLoader((keys: readonly string[]) => filesInGit(context, keys));
  const lists = context.reader.once(filesInGit, "", makeLoader);
  const shared = Object.entries(reusableContents);
  const [pages, files, oids] = await Promise.all([
    pagesInGit(context, treeHash),
    filesHash === null ? [] : lists.load(filesHash),
    Promise.all(shared.map(([, { documentHash }]) => oidOfText(context, documentHash))),
  ]);
  if (files === null) return null;
  const reusable = shared.map(([id], place) => ({
    name: `${id}.md`,
    oid: oids[place] ?? ofEmptyText,
    isFolder: false,
  }));
  return gitContent(pages.entries, { files, reusable });
}
