// What a merge of a change request works on: the change request locked, and the three revisions that are merged.
import { DomainError, notFound } from "#src/base/errors.ts";
import { sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Sides } from "#src/features/content/commands/merge/merging.ts";
import type { Head } from "#src/features/content/commands/store.ts";
import type { ChangeRequestStatus } from "#src/generated/prisma/enums.ts";

/** Where a change request is. */
export interface ChangeRequestPlace {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly changeRequestId: string;
}

/**
 * Ours is the change request, theirs the main content, and base the last revision of the main content that is in both: the one that the change
 * request was last updated from, or else started from.
 */
export type Heads = Sides<Head>;

/**
 * Locks a change request until the transaction ends, with `isMain` the main content of its space before it, and answers the revisions as they are
 * then. Whoever locks both locks them in this order, so that nobody waits for each other. A locked space is no hindrance.
 *
 * Throws NOT_FOUND when it is gone, and CONFLICT for a change request that is archived or merged.
 */
export async function lockHeads(
  transaction: Transaction,
  { organizationId, spaceId, changeRequestId }: ChangeRequestPlace,
  { isMain }: { readonly isMain: boolean },
): Promise<Heads> {
  const locked = isMain ? sql`s, cr` : sql`cr`;
  const [found] = await transaction.$queryRaw<{ status: ChangeRequestStatus; ours: string; base: string }[]>(
    sql`select cr.status, cr."revisionId" as ours, coalesce(cr."revisionMergedAncestorId", cr."revisionInitialId") as base
      from "ChangeRequest" cr join "Space" s on s.id = cr."spaceId"
      where cr.id = ${changeRequestId} and s.id = ${spaceId} and s."organizationId" = ${organizationId} and s."deletedAt" is null
      for no key update of ${locked}`,
  );
  if (!found) throw notFound("change request");
  checkStatus(found.status);
  return readHeads(transaction, spaceId, found);
}

function checkStatus(status: ChangeRequestStatus): void {
  if (status === "merged")
    throw new DomainError("CONFLICT", "This change request is merged: make another one to change the content further.");
  if (status === "archived")
    throw new DomainError("CONFLICT", "This change request is archived: change its status to draft or open first.");
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
  if (!heads.base || !heads.ours || !heads.theirs) throw new Error(`${spaceId} misses a revision`); // foreign keys prevent it
  return { base: heads.base, ours: heads.ours, theirs: heads.theirs };
}
