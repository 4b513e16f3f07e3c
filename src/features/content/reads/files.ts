// Reading files: those of a revision by the hash of its list, which comes from a visible revision, and one by its key.
import { byId } from "#src/db/orders.ts";
import { timingSafeEqual } from "node:crypto";
import { type Database, sql } from "#src/db/database.ts";
import { entity, type Wanted } from "#src/db/entity.ts";
import { emptyPage, type Page, type PageArguments } from "#src/db/page.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { FileState } from "#src/features/content/model/file.ts";
import type { RevisionRow } from "#src/features/content/reads/revisions.ts";
import { Prisma } from "#src/generated/prisma/client.ts";

export interface FileRow extends Omit<FileState, "fileId"> {
  readonly hash: string;
  /** The `fileId`. */
  readonly id: string;
}

const { fileId: _isTheId, storedAt: _isNoPart, ...columns } = Prisma.ContentFileScalarFieldEnum;

declare module "#src/db/entity.ts" {
  interface Rows {
    File: FileRow;
  }
}

const files = entity<FileRow, Viewer>({
  kind: "File",
  table: sql`(select f."fileId" as id, f.* from "ContentFile" f)`,
  stored: { ...columns, id: "id" },
  visible: () => sql`false`, // an id alone does not say which revisions have the file
});

type WithFiles = Pick<RevisionRow, "filesHash">;

/** The files of a revision. Revisions that have the same files share what is read; one without files has no list. */
export const filesOfRevision: PageList<FileRow, Viewer, object, WithFiles> = {
  entity: files,
  under: "filesHash",
  parent: sql`t.hash = any((select l.files from "ContentFileList" l where l.hash = p.id)::text[])`,
  visible: "with parent",
  order: byId(),
};

/** The files of one list that are not in another. The parent is both hashes with a blank between. */
const filesOfOneList: PageList<FileRow, Viewer> = {
  entity: files,
  parent: sql`t.hash = any(array(
    select unnest(l.files) from "ContentFileList" l where l.hash = split_part(p.id, ' ', 1) except
    select unnest(l.files) from "ContentFileList" l where l.hash = split_part(p.id, ' ', 2)))`,
  visible: "with parent",
  order: byId(),
};

/** The files of a revision that another one does not have; null means a revision without files. */
export async function pageFilesMissingIn(
  context: Context,
  other: WithFiles | null,
  of: WithFiles | null,
  request: { page: PageArguments; wanted: Wanted },
): Promise<Page<FileRow>> {
  const [hash, otherHash] = [of?.filesHash ?? "", other?.filesHash ?? ""];
  if (hash === "" || hash === otherHash) return emptyPage;
  return context.reader.page(filesOfOneList, { id: `${hash} ${otherHash}` }, { ...request, args: {} });
}

/**
 * The file with this id when the key is right, or null: for anyone who has its address. It is there as long as a
 * revision has it. Takes the same time however much of the key is right.
 */
export async function findFileByKey(database: Database, id: string, key: string): Promise<FileRow | null> {
  const [file] = await database.query<FileRow>(
    sql`select f."fileId" as id, f.* from "ContentFile" f where f."fileId" = ${id} limit 1`,
  );
  const [known, given] = [Buffer.from(file?.key ?? ""), Buffer.from(key)];
  return file && known.length === given.length && timingSafeEqual(known, given) ? file : null;
}
