// Stores the files that imported pages link to before the content is locked, and lists them with the revision.
import { DomainError } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import {
  findFilesOver,
  type ListedFile,
  type NewFile,
  newFile,
  readFileList,
  requireRoom,
  storeFileList,
  storeFiles,
} from "#src/features/content/commands/files.ts";
import { checkFileName } from "#src/features/content/commands/edit.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import { type ImportFile, importLimits, nameOf, reasonOf } from "#src/features/imports/model/files.ts";
import type { ImportWarnings } from "#src/features/imports/model/warnings.ts";

/** Number of files stored concurrently. */
const concurrency = 4;

export type KeptFiles = ReadonlyMap<string, NewFile>;

/** Files by path. Omits files that no content may have, with a warning; unused ones are garbage-collected. */
export async function keepFiles(
  { files: store }: Pick<Context, "files">,
  linked: readonly ImportFile[],
  warnings: ImportWarnings,
): Promise<KeptFiles> {
  const kept = new Map<string, NewFile>();
  const keep = async (file: ImportFile): Promise<void> => {
    const leaveOut = (why: string) => warnings.add(file.path, null, `${why} Links to it stay unchanged.`);
    if (file.size > importLimits.fileSize) return leaveOut(`It has more than ${importLimits.fileSize} bytes.`);
    const name = nameFor(file);
    if (name === null) return leaveOut("A file cannot have this name.");
    const content = await file.read().catch((error: unknown) => leaveOut(`It cannot be read: ${reasonOf(error)}.`));
    if (!content) return;
    const blob = await store.receive([content], importLimits.fileSize);
    kept.set(file.path, await newFile(name, blob)); // reads the blob, so it must precede `keep`
    await blob.keep();
  };
  for (let start = 0; start < linked.length; start += concurrency)
    await Promise.all(linked.slice(start, start + concurrency).map(keep));
  return kept;
}

function nameFor({ path }: ImportFile): string | null {
  try {
    return checkFileName(path, nameOf(path));
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/**
 * Adds files to the list of a content; one with the name and bytes of an existing file reuses it.
 * `replace` removes all others except those that reusable contents link to.
 */
export async function listFiles(
  transaction: Transaction,
  context: Context,
  { head, kept, replace }: { head: ContentState; kept: KeptFiles; replace: boolean },
): Promise<{ filesHash: string | null; fileIds: ReadonlyMap<string, string> }> {
  const before = await readFileList(transaction, head.filesHash);
  const blobs = Array.from(kept.values(), ({ blob }) => blob.hash);
  const known = new Map<string, ListedFile>();
  for (const file of await findFilesOver(transaction, head.filesHash, blobs))
    known.set(keyOf(file.name, file.blob), file);
  const missing = new Map<string, NewFile>();
  for (const file of kept.values()) {
    const key = keyOf(file.name, file.blob.hash);
    if (!known.has(key)) missing.set(key, file);
  }
  await requireRoom(transaction, context, { filesHash: head.filesHash, files: [...missing.values()] });
  const stored = await storeFiles(transaction, context, [...missing.values()]);
  for (const [index, key] of [...missing.keys()].entries()) if (stored[index]) known.set(key, stored[index]);

  const fileIds = new Map<string, string>();
  for (const [path, { name, blob }] of kept) {
    const file = known.get(keyOf(name, blob.hash));
    if (file) fileIds.set(path, file.fileId);
  }
  const needed = replace ? await filesOfReusableContents(transaction, head) : null;
  const used = new Set(fileIds.values());
  const staying = before.filter(({ fileId }) => !needed || needed.has(fileId) || used.has(fileId));
  return { filesHash: await storeFileList(transaction, [...staying, ...stored]), fileIds };
}

const keyOf = (name: string, blob: string): string => `${blob} ${name}`;

async function filesOfReusableContents(
  transaction: Transaction,
  { reusableContents }: ContentState,
): Promise<ReadonlySet<string>> {
  const hashes = Object.values(reusableContents).flatMap(({ documentHash }) => documentHash ?? []);
  if (hashes.length === 0) return new Set();
  const texts = await transaction.$queryRaw<{ markdown: string }[]>(
    sql`select d.markdown from "ContentDocument" d where d.hash = any(${hashes}::text[])`,
  );
  return new Set(texts.flatMap(({ markdown }) => markdown.match(/(?<=file:)fil_\w{26}/g) ?? []));
}
