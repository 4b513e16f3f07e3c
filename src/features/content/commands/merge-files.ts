// The merge of the files of a content: each is there or not, and none ever changes, so there is nothing to decide.
import { sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { filesLimit, storeFileList } from "#src/features/content/commands/files.ts";
import { beyond } from "#src/features/content/commands/merge/build.ts";
import { mergeKeys, unmerged } from "#src/features/content/commands/merge/fields.ts";
import type { Sides } from "#src/features/content/commands/merge/merging.ts";

/** The hash of the merged list of files, which is stored: what either side added is in it, what either side deleted is not. */
export async function mergeFiles(transaction: Transaction, hashes: Sides<string | null>): Promise<string | null> {
  if (new Set([hashes.base, hashes.ours, hashes.theirs]).size < 3) return unmerged(hashes);
  const lists = await readLists(transaction, hashes);
  const merged = mergeKeys(lists.base, lists.ours, lists.theirs, (_fileId, _was, our, their) => their ?? our);
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
  return { base: filesOf(base), ours: filesOf(ours), theirs: filesOf(theirs) };
}
