// Reading files: those of a revision in hand, by the hash of its list, and one by its key. Nobody gets either but from a revision that they may see.
import { timingSafeEqual } from "node:crypto";
import { type Database, sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import { emptyPage, type Page, type PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { RevisionRow } from "#src/features/content/reads/revisions.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { ContentFileModel } from "#src/generated/prisma/models.ts";

/** What a file is. */
export type FileState = Omit<Stored<ContentFileModel>, "hash" | "storedAt">;

export interface FileRow extends Omit<FileState, "fileId"> {
  readonly hash: string;
  /** The `fileId`. */
  readonly id: string;
}

const { fileId: _isTheId, storedAt: _isNoPart, ...columns } = Prisma.ContentFileScalarFieldEnum;

const files = entity<FileRow, Viewer>({
  kind: "File",
  table: sql`(select f."fileId" as id, f.* from "ContentFile" f)`,
  stored: { ...columns, id: "id" },
  visible: () => sql`false`, // by its id alone: which revisions have it cannot be told
});

/** Ids sort by the time of creation. */
const byAge = { name: "age", key: sql`t.id`, type: "text", direction: "asc" } as const;

/** The parent is the hash of a list. */
const filesOfList: PageList<FileRow, Viewer, { id: string | null }> = {
  name: "Revision.files",
  entity: files,
  parent: sql`t.hash = any((select l.files from "ContentFileList" l where l.hash = p.id)::text[])`,
  visible: "with parent",
  order: () => byAge,
  where: ({ id }) => (id === null ? null : sql`t.id = ${id}`),
};

/** The parent is the hashes of two lists with a blank between, nothing standing for no files: the files of the first that are not in the second. */
const filesOfOneList: PageList<FileRow, Viewer, object> = {
  name: "ContentChanges.files",
  entity: files,
  parent: sql`t.hash = any(array(
    select unnest(l.files) from "ContentFileList" l where l.hash = split_part(p.id, ' ', 1) except
    select unnest(l.files) from "ContentFileList" l where l.hash = split_part(p.id, ' ', 2)))`,
  visible: "with parent",
  order: () => byAge,
};

type WithFiles = Pick<RevisionRow, "filesHash">;

/** The files of a revision in hand, by their ids. Revisions that have the same files share what is read. */
export async function pageFiles(
  context: Context,
  { filesHash }: WithFiles,
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<FileRow>> {
  return filesHash === null
    ? emptyPage
    : context.reader.page(filesOfList, filesHash, { page, args: { id: null }, wanted });
}

/** The files of a revision in hand that another one has not; null stands for a revision without files. */
export async function pageFilesMissingIn(
  context: Context,
  other: WithFiles | null,
  of: WithFiles | null,
  request: { page: PageArguments; wanted: Wanted },
): Promise<Page<FileRow>> {
  const [hash, otherHash] = [of?.filesHash ?? "", other?.filesHash ?? ""];
  if (hash === "" || hash === otherHash) return emptyPage;
  return context.reader.page(filesOfOneList, `${hash} ${otherHash}`, { ...request, args: {} });
}

/** All files of a revision in hand, by their ids; content has a limit of them. */
export async function listFiles(
  context: Context,
  { filesHash }: WithFiles,
  wanted: Wanted,
): Promise<readonly FileRow[]> {
  return filesHash === null ? [] : context.reader.all(filesOfList, filesHash, { args: { id: null }, wanted });
}

/** The file of this id in a revision in hand, or null. */
export async function findFile(
  context: Context,
  { filesHash }: WithFiles,
  id: string,
  wanted: Wanted,
): Promise<FileRow | null> {
  return filesHash === null ? null : context.reader.first(filesOfList, filesHash, { args: { id }, wanted });
}

/**
 * The file of this id when the key is its own, or null: for whoever has its address. It is there while a revision has it. Takes the same time
 * however much of the key is right.
 */
export async function findFileByKey(database: Database, id: string, key: string): Promise<FileRow | null> {
  const [file] = await database.query<FileRow>(
    sql`select f."fileId" as id, f.* from "ContentFile" f where f."fileId" = ${id} limit 1`,
  );
  const [known, given] = [Buffer.from(file?.key ?? ""), Buffer.from(key)];
  return file && known.length === given.length && timingSafeEqual(known, given) ? file : null;
}
