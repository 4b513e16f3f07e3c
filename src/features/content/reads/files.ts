// Reads of files: those of a revision, one by its key, and their uses. Their rows are immutable; access depends on a
// revision with the file, so the id names both.
import { idInRevision, partsOfId } from "#src/base/ids.ts";
import type { Order } from "#src/db/reading/cursor.ts";
import { type Database, type Queries, type Sql, sql } from "#src/db/connection/database.ts";
import { type Entity, entity, project, type Projection } from "#src/db/reading/entity.ts";
import { emptyPage, type Page, type PageArguments } from "#src/db/reading/page.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import type { Viewer } from "#src/access/viewer.ts";
import {
  type FilePlace,
  isMadeWith,
  type OpenAddress,
  type SignedAddress,
} from "#src/features/content/model/download-address.ts";
import type { FileState } from "#src/features/content/model/content-state.ts";
import {
  listReusableContents,
  namedRevisions,
  type ReusableContentRow,
  type RevisionRow,
  revisions,
} from "#src/features/content/reads/revisions.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import { inTreeOrder, type PageRow } from "#src/features/content/model/page.ts";
import { pageIn, type PageInRevision, pagesOf, pagesRevisionColumns } from "#src/features/content/reads/pages.ts";

export interface FileRow extends FileState {
  readonly hash: string;
  readonly id: string;
  readonly oid: string | null;
  /** The place where it is read; only if selected. */
  readonly place: FilePlace;
}

const { storedAt: _isNoPart, ...columns } = Prisma.ContentFileScalarFieldEnum;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    File: FileRow;
  }
}

/** The id of every parent starts with the id of the revision of the files, except for the prefix. */
const files: Entity<FileRow, Viewer> = entity<FileRow, Viewer>({
  kind: "File",
  table: sql`(select 'fil_' || substr(p.id, 5, 26) || substr(f."fileId", 5) as id, f.* from "ContentFile" f)`,
  stored: { ...columns, id: "id" },
  derived: {
    place: () => sql`(select json_build_object('spaceId', s.id,
        'isOpen', s."revisionId" = r.id and s."deletedAt" is null and s.visibility in ('public', 'unlisted'))
      from "Revision" r join "Space" s on s.id = r."spaceId" where r.id = 'rev_' || substr(t.id, 5, 26))`,
  },
  visible: (viewer) =>
    sql`exists (select from "Revision" t where t.id = ${parentRevision} and ${revisions.visible(viewer)})`,
});

const parentRevision = sql`'rev_' || substr(p.id, 5, 26)`;
const filesOf = (revision: Sql): Sql =>
  sql`(select l.files from "Revision" r join "ContentFileList" l on l.hash = r."filesHash" where r.id = ${revision})`;

const oldestFirst: Order = { name: "age", key: sql`t."fileId"`, type: "text", direction: "asc" };

type WithFiles = Pick<RevisionRow, "id" | "filesHash">;

/** The files of a revision. A revision without files needs no query. */
export const filesOfRevision: PageList<FileRow, Viewer, object, WithFiles> = {
  entity: files,
  policy: { columns: ["filesHash"], admits: ({ filesHash }) => filesHash !== null },
  parent: sql`t.hash = any(${filesOf(sql`p.id`)}::text[])`,
  visible: "with parent",
  order: oldestFirst,
};

/** Parent `<revision> <hash>`: the files of the revision that are not in the list with the hash. */
const filesOfOneRevision: PageList<FileRow, Viewer> = {
  entity: files,
  parent: sql`t.hash = any(array(select unnest(${filesOf(sql`split_part(p.id, ' ', 1)`)}) except
    select unnest(l.files) from "ContentFileList" l where l.hash = split_part(p.id, ' ', 2)))`,
  visible: "with parent",
  order: oldestFirst,
};

/** The file with an id, visible with its revision. */
const fileOfId: typeof filesOfOneRevision = {
  ...filesOfOneRevision,
  parent: sql`t."fileId" = 'fil_' || substr(p.id, 31) and t.hash = any(${filesOf(parentRevision)}::text[])`,
  visible: "by its own rule",
};

/** The same in a revision that is known to be visible. */
const fileInRevision: typeof fileOfId = { ...fileOfId, visible: "with parent" };

/** The file with this id in a revision, or null. Batched into one statement. */
export function findFileById({ reader }: Context, id: string, projection: Projection): Promise<FileRow | null> {
  return partsOfId("File", id) ? reader.pick(fileOfId, { id }, { key: {}, projection }) : Promise.resolve(null);
}

export function findFileIn({ reader }: Context, of: { id: string }, fileId: string, projection: Projection) {
  return reader.pick(fileInRevision, { id: idInRevision(of.id, fileId) }, { key: {}, projection });
}

/** The files of a revision that another one does not have; null is a revision without files. */
export async function pageFilesMissingIn(
  context: Context,
  other: WithFiles | null,
  of: WithFiles | null,
  request: { page: PageArguments; projection: Projection },
): Promise<Page<FileRow>> {
  const otherHash = other?.filesHash ?? "";
  if (!of?.filesHash || of.filesHash === otherHash) return emptyPage;
  return context.reader.page(filesOfOneRevision, { id: `${of.id} ${otherHash}` }, { ...request, args: {} });
}

const wholeFile = project([...Object.values(columns), "place"]);

/** The same without pages, with all columns. Throws INVALID_INPUT above `rowLimit`. */
export async function allFilesMissingIn(
  context: Context,
  other: WithFiles | null,
  of: WithFiles | null,
): Promise<readonly FileRow[]> {
  const otherHash = other?.filesHash ?? "";
  if (!of?.filesHash || of.filesHash === otherHash) return [];
  const parent = { id: `${of.id} ${otherHash}` };
  return context.reader.all(filesOfOneRevision, parent, { args: {}, projection: wholeFile });
}

type StoredFile = Omit<FileRow, "id" | "place">;
type FoundFile = StoredFile | null;

/** The current files of the space `s`. */
const presentFiles = sql`(select l.files from "Revision" n join "ContentFileList" l on l.hash = n."filesHash"
  where n.id = s."revisionId")`;

/** The file at a public URL while it is in the current content of its space; otherwise null. */
export async function findOpenFile(database: Database, address: OpenAddress): Promise<FoundFile> {
  const [file] = await database.query<StoredFile>(sql`
    select f.* from "ContentFile" f join "Space" s on f.hash = any(${presentFiles}::text[])
    where f."fileId" = ${address.fileId} and s.id = ${address.spaceId} and s."deletedAt" is null
      and s.visibility in ('public', 'unlisted')`);
  return file && isMadeWith(file.key, address) ? file : null;
}

/** Whether visitors, to whom URLs are given for some hours, may read the current content of the space `s`. */
const isOpenToVisitors = sql`(s.visibility in ('share_link', 'visitor_auth') or exists (select from "SiteSpace" p
  join "Site" w on w.id = p."siteId" and w.published where p."spaceId" = s.id))`;

/** Null unless the viewer may still read the revision, or visitors the current content, which has the file. */
export async function findSignedFile(database: Database, address: SignedAddress, viewer: Viewer): Promise<FoundFile> {
  const [file] = await database.query<StoredFile>(sql`
    select f.* from "Revision" t join "ContentFileList" l on l.hash = t."filesHash"
      join "ContentFile" f on f.hash = any(l.files)
    where t.id = ${address.revisionId} and f."fileId" = ${address.fileId} and (${revisions.visible(viewer)}
      or exists (select from "Space" s where s.id = t."spaceId" and s."deletedAt" is null
        and ${isOpenToVisitors} and f.hash = any(${presentFiles}::text[])))`);
  return file && isMadeWith(file.key, address) ? file : null;
}

/** The blobs of the newest files: their ids sort by time. */
export async function newestBlobs(database: Queries, count: number): Promise<string[]> {
  const rows = await database.query<{ blob: string }>(
    sql`select blob from "ContentFile" order by "fileId" desc limit ${count}::int`,
  );
  return rows.map(({ blob }) => blob);
}

export interface FileUse {
  readonly fileId: string;
  readonly page: PageInRevision | null;
  readonly reusableContent: ReusableContentRow | null;
}

/** Pages in tree order, then reusable contents. One statement searches the texts in the database. */
export async function findFileUses(context: Context, revisionId: string, fileIds: readonly string[]) {
  if (fileIds.length === 0) return [];
  const columns = project([...pagesRevisionColumns, "reusableContents"]);
  const revision = await context.reader.found(namedRevisions, revisionId, columns);
  const pages = inTreeOrder((await pagesOf(context, revision)).pages);
  const shared = listReusableContents(revision);
  const linked = await linksIn(context, [...pages, ...shared], fileIds);
  const ids = new Set(fileIds);
  const ofPages = pages.flatMap((page) => {
    const used = new Set([...filesOutsideOf(page).filter((id) => ids.has(id)), ...linked(page)]);
    return [...used].map((fileId) => ({ fileId, page: pageIn(revision, page), reusableContent: null }));
  });
  const ofShared = shared.flatMap((text) =>
    [...linked(text)].map((fileId) => ({ fileId, page: null, reusableContent: text })),
  );
  const uses: FileUse[] = [...ofPages, ...ofShared];
  context.reader.takeRows(uses.length);
  return uses;
}

function filesOutsideOf({ fields: { cover, target = "" } }: PageRow): string[] {
  const linked = target.startsWith("file:") ? [target.slice("file:".length)] : [];
  return [...linked, cover?.file, cover?.fileDark].filter((id) => id !== undefined);
}

type WithText = { readonly documentHash: string | null };

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
