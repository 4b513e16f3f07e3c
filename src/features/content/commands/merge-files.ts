// The merge of the files of a content: a file is there or not, and never changes, so there are no conflicts.
import { sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { filesLimit, storeFileList } from "#src/features/content/commands/files.ts";
import { beyond } from "#src/features/content/model/merge/build.ts";
import { mapSides, mergeKeys, type Sides, unmerged } from "#src/features/content/model/merge/sides.ts";

/** The hash of the merged list of files, which is stored: with what either side added, without what either deleted. */
export async function mergeFiles(transaction: Transaction, hashes: Sides<string | null>): Promise<string | null> {
  if (new Set([hashes.base, hashes.ours, hashes.theirs]).size < 3) return unmerged(hashes);
  const lists = await readLists(transaction, hashes);
  const merged = mergeKeys(lists, (_fileId, { ours, theirs }) => theirs ?? ours);
  const files = Object.entries(merged).map(([fileId, hash]) => ({ fileId, hash }));
  if (files.length > filesLimit) throw beyond(`content has at most ${filesLimit} files`);
  return storeFileList(transaction, files);
}

/** The hashes of files by their ids. */
type Files = Readonly<Record<string, string>>;

async function readLists(transaction: Transaction, hashes: Sides<string | null>): Promise<Sides<Files>> {
  const { base, ours, theirs } = hashes;
  const rows = await transaction.$queryRaw<{ list: string; fileId: string; hash: string }[]>(
    sql`select l.hash as list, f."fileId", f.hash from "ContentFileList" l cross join unnest(l.files) u(hash)
      join "ContentFile" f on f.hash = u.hash where l.hash = any(${[base, ours, theirs]}::text[])`,
  );
  const filesOf = (list: string | null): Files =>
    Object.fromEntries(rows.filter((row) => row.list === list).map(({ fileId, hash }) => [fileId, hash]));
  return mapSides(hashes, filesOf);
}
