// The files of a content: file lists by hash, read and stored in the transaction of the revision, and new files.
import { randomBytes } from "node:crypto";
import { DomainError, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { inFigures } from "#src/base/limits.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { lockBlobs, orMarkStored } from "#src/features/content/commands/blobs.ts";
import { type FileState, hashFile, hashTree } from "#src/features/content/model/content-state.ts";
import { gitBlob, gitBlobOf } from "#src/features/content/model/git.ts";
import { contentTypeOf } from "#src/files/content-type.ts";
import { dimensionsOf } from "#src/files/dimensions.ts";
import type { ReceivedBlob } from "#src/files/file-store.ts";

export const filesLimit = 10_000;

type WithClock = Pick<Context, "clock">;

/** A file in a list. Files are immutable: equal hashes mean equal files. One that replaces another has its id. */
export interface ListedFile {
  readonly fileId: string;
  readonly hash: string;
}

export async function readFileList(transaction: Transaction, filesHash: string | null): Promise<ListedFile[]> {
  if (filesHash === null) return [];
  return transaction.$queryRaw<ListedFile[]>(
    sql`select f."fileId", f.hash from "ContentFileList" l join "ContentFile" f on f.hash = any(l.files)
      where l.hash = ${filesHash} order by f."fileId"`,
  );
}

export async function findFilesOver(
  transaction: Transaction,
  filesHash: string | null,
  blobs: readonly string[],
): Promise<(ListedFile & Pick<FileState, "name" | "blob">)[]> {
  if (filesHash === null || blobs.length === 0) return [];
  return transaction.$queryRaw(
    sql`select f."fileId", f.hash, f.name, f.blob from "ContentFileList" l join "ContentFile" f on f.hash = any(l.files)
      where l.hash = ${filesHash} and f.blob = any(${blobs}::text[]) order by f."fileId"`,
  );
}

/** Stores a list of stored files, in any order. Returns its hash; null if empty. INVALID_INPUT for too many. */
export async function storeFileList(transaction: Transaction, files: readonly ListedFile[]): Promise<string | null> {
  checkCount(files.length);
  const sorted = files.toSorted((one, other) => (one.fileId < other.fileId ? -1 : 1));
  const hashes = sorted.map(({ hash }) => hash);
  const hash = hashTree(hashes);
  if (hash === null) return null;
  await transaction.$executeRaw(
    sql`insert into "ContentFileList" (hash, files) values (${hash}, ${hashes}::text[]) ${orMarkStored}`,
  );
  return hash;
}

export interface NewFile extends Pick<FileState, "name" | "contentType" | "width" | "height"> {
  readonly blob: ReceivedBlob;
  readonly oid: string;
  /** The id of the file that it replaces. */
  readonly fileId?: string;
}

/** Detects the type and size of a file. Not for use in a transaction: it parses images. */
export async function newFile(name: string, blob: ReceivedBlob): Promise<NewFile> {
  const contentType = contentTypeOf(blob.head, name);
  const { width, height } = (await dimensionsOf(contentType, blob.head)) ?? { width: null, height: null };
  const oid = blob.size <= blob.head.length ? gitBlob(blob.head) : await gitBlobOf(blob.stream(), blob.size);
  return { name, blob, oid, contentType, width, height };
}

/** Adds files with their bytes. Stores nothing on INVALID_INPUT (too many files) or STORAGE_FULL (too many bytes). */
export async function addFiles(
  transaction: Transaction,
  context: Pick<Context, "clock" | "quotas">,
  { filesHash, files }: { filesHash: string | null; files: readonly NewFile[] },
): Promise<{ filesHash: string | null; files: readonly ListedFile[] }> {
  const before = await readFileList(transaction, filesHash);
  checkCount(before.length + files.length);
  await requireRoom(transaction, context, { filesHash, files });
  const added = await storeFiles(transaction, context, files);
  return { filesHash: await storeFileList(transaction, [...before, ...added]), files: added };
}

/** Replaces a file: its id stays, and so do its uses. NOT_FOUND if it is not in the list; else as {@link addFiles}. */
export async function replaceListed(
  transaction: Transaction,
  context: Pick<Context, "clock" | "quotas">,
  { filesHash, file }: { filesHash: string | null; file: NewFile & { readonly fileId: string } },
): Promise<string | null> {
  const before = await readFileList(transaction, filesHash);
  const others = before.filter(({ fileId }) => fileId !== file.fileId);
  if (others.length === before.length) throw notFound("file");
  await requireRoom(transaction, context, { filesHash, files: [file] });
  return storeFileList(transaction, [...others, ...(await storeFiles(transaction, context, [file]))]);
}

/** STORAGE_FULL if new files would exceed the limit of bytes together with those of the list that stay. */
export async function requireRoom(
  transaction: Transaction,
  { quotas }: Pick<Context, "quotas">,
  { filesHash, files }: { filesHash: string | null; files: readonly NewFile[] },
): Promise<void> {
  if (files.length === 0) return;
  const replaced = files.flatMap(({ fileId }) => fileId ?? []);
  const [row] = await transaction.$queryRaw<{ bytes: number }[]>(
    sql`${bytesOfList(sql`${filesHash}`)} and f."fileId" <> all(${replaced}::text[])`,
  );
  const added = files.reduce((sum, { blob }) => sum + blob.size, 0);
  checkRoom(quotas, row?.bytes ?? 0, added);
}

/** STORAGE_FULL if the files of a revision would exceed the limit with `added` more bytes. */
export async function requireRoomIn(
  { database, quotas }: Pick<Context, "database" | "quotas">,
  revisionId: string,
  added: number,
): Promise<void> {
  const list = sql`(select "filesHash" from "Revision" where id = ${revisionId})`;
  const [row] = await database.query<{ bytes: number }>(bytesOfList(list));
  checkRoom(quotas, row?.bytes ?? 0, added);
}

const bytesOfList = (filesHash: Sql): Sql =>
  sql`select coalesce(sum(f.size), 0)::float8 as bytes from "ContentFileList" l
    join "ContentFile" f on f.hash = any(l.files) where l.hash = ${filesHash}`;

function checkRoom({ fileBytes: most }: Context["quotas"], bytes: number, added: number): void {
  if (bytes + added <= most) return;
  throw new DomainError(
    "STORAGE_FULL",
    `The files of a space may have ${inFigures(most)} bytes in total. They have ${inFigures(bytes)}, and this upload would add ${inFigures(added)}. Delete files first.`,
  );
}

/** Removes files from the list of a content, and returns its new hash. Ignores files that do not exist. */
async function removeFiles(transaction: Transaction, filesHash: string | null, fileIds: readonly string[]) {
  if (fileIds.length === 0) return filesHash;
  const removed = new Set(fileIds);
  const left = (await readFileList(transaction, filesHash)).filter(({ fileId }) => !removed.has(fileId));
  return storeFileList(transaction, left);
}

export async function requireFiles(transaction: Transaction, filesHash: string | null, fileIds: ReadonlySet<string>) {
  if (fileIds.size === 0) return;
  const [found] = await transaction.$queryRaw<{ count: number }[]>(
    sql`select count(distinct f."fileId")::int as count from "ContentFileList" l join "ContentFile" f on f.hash = any(l.files)
      where l.hash = ${filesHash} and f."fileId" = any(${[...fileIds]}::text[])`,
  );
  if (found?.count !== fileIds.size) throw notFound("file");
}

/** Stores new files with their bytes. The caller must store their list in the same transaction. */
export async function storeFiles(transaction: Transaction, { clock }: WithClock, files: readonly NewFile[]) {
  if (files.length === 0) return [];
  const hashes = files.map(({ blob }) => blob.hash);
  await lockBlobs(transaction, hashes);
  for (const { blob } of files) await blob.keep();
  const createdAt = clock.now().toISOString();
  const rows = files.map(({ blob: { hash: blob, size }, ...file }) => {
    const key = randomBytes(16).toString("base64url");
    const row = { ...file, fileId: file.fileId ?? newId("File"), size, blob, key, createdAt };
    return { ...row, hash: hashFile(row) };
  });
  await transaction.$executeRaw(
    sql`insert into "ContentFile" (hash, "fileId", name, "contentType", size, blob, oid, key, width, height, "createdAt")
      select f.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) f(hash text, "fileId" text, name text, "contentType" text, size int,
        blob text, oid text, key text, width int, height int, "createdAt" timestamptz)`,
  );
  return rows.map(({ fileId, hash }) => ({ fileId, hash }));
}

function checkCount(count: number): void {
  if (count > filesLimit) throw new DomainError("INVALID_INPUT", `A content may have at most ${filesLimit} files.`);
}

/** Removes files from the list of a content and adds others. Returns its new hash. Throws as {@link addFiles}. */
export async function changeFiles(
  transaction: Transaction,
  context: Pick<Context, "clock" | "quotas">,
  changes: { filesHash: string | null; deletedFileIds: readonly string[]; files: readonly NewFile[] },
): Promise<string | null> {
  const { deletedFileIds, files } = changes;
  const filesHash = await removeFiles(transaction, changes.filesHash, deletedFileIds);
  return files.length === 0 ? filesHash : (await addFiles(transaction, context, { filesHash, files })).filesHash;
}
