// What a merge of a change request works on: the change request locked, and the three revisions that are merged.
import { sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { type ChangeRequestPlace, type Head, lockChangeRequest } from "#src/features/content/commands/lock.ts";
import type { Sides } from "#src/features/content/model/merge/sides.ts";

/**
 * Ours is the change request, theirs the main content, and base the last revision of the main content that is in both:
 * the one that the change request was last updated from, or else started from.
 */
export type Heads = Sides<Head>;

/** Locks a change request as `lockChangeRequest` does, and answers the revisions as they are then. */
export async function lockHeads(
  transaction: Transaction,
  place: ChangeRequestPlace,
  { withMain = false } = {},
): Promise<Heads> {
  const { revisionId, baseId } = await lockChangeRequest(transaction, place, { withMain });
  return readHeads(transaction, place.spaceId, { ours: revisionId, base: baseId });
}

/** Only a statement that begins after the lock was got sees the main content as it is then. */
async function readHeads(
  transaction: Transaction,
  spaceId: string,
  { ours, base }: { ours: string; base: string },
): Promise<Heads> {
  const rows = await transaction.$queryRaw<(Head & { isMain: boolean })[]>(
    sql`select r.id as "revisionId", r."treeHash", r."filesHash", r.variables, r."reusableContents", r."createdAt",
      r.id = s."revisionId" as "isMain" from "Space" s join "Revision" r on r.id in (s."revisionId", ${ours}, ${base}) where s.id = ${spaceId}`,
  );
  const byId = new Map(rows.map((row) => [row.revisionId, row]));
  const heads = { base: byId.get(base), ours: byId.get(ours), theirs: rows.find(({ isMain }) => isMain) };
  // Foreign keys make sure that all three are there.
  if (!heads.base || !heads.ours || !heads.theirs) throw new Error(`${spaceId} misses a revision`);
  return { base: heads.base, ours: heads.ours, theirs: heads.theirs };
}
