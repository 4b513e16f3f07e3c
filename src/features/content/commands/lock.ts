// Locking a content for writing: the main content of a space, or a change request.
import { DomainError, notFound } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import type { ChangeRequestStatus, SpaceEditMode } from "#src/generated/prisma/enums.ts";

/** Whose content is written: the main content of a space, or that of a change request in it. */
export interface ContentPlace {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly changeRequestId: string | null;
}

/** The active revision of a content that is locked for writing. */
export interface Head extends ContentState {
  readonly revisionId: string;
  readonly createdAt: Date;
}

/**
 * Locks a content until the transaction ends, and returns its active revision. NOT_FOUND when it was deleted, CONFLICT
 * for the main content of a locked space and for a change request that is archived or merged.
 *
 * The locks leave the keys of the rows alone (`no key`): adding a row that refers to one, such as a comment, does not
 * wait.
 */
export async function lockContent(transaction: Transaction, place: ContentPlace): Promise<Head> {
  const { changeRequestId } = place;
  if (changeRequestId === null) return lockMain(transaction, place);
  const { revisionId } = await lockChangeRequest(transaction, { ...place, changeRequestId });
  return readHead(transaction, revisionId);
}

/** The same for the main content, also that of a locked space: what brings it up to date is no edit. */
export const lockMainContent = (transaction: Transaction, place: ContentPlace): Promise<Head> =>
  lockMain(transaction, place, { evenLocked: true });

/** A revision with what it holds, read inside a transaction. */
export async function readHead(transaction: Transaction, revisionId: string): Promise<Head> {
  // Only `writeRevision` writes the columns of JSON, in this form.
  const [head] = await transaction.$queryRaw<Head[]>(
    sql`select id as "revisionId", "treeHash", "filesHash", variables, "reusableContents", "createdAt" from "Revision" where id = ${revisionId}`,
  );
  if (!head) throw notFound("revision");
  return head;
}

async function lockMain(
  transaction: Transaction,
  { spaceId, organizationId }: ContentPlace,
  { evenLocked = false } = {},
): Promise<Head> {
  const [space] = await transaction.$queryRaw<(Head & { editMode: SpaceEditMode })[]>(
    sql`select * from "locked_main_content"(${spaceId}, ${organizationId})`,
  );
  if (!space) throw notFound("space");
  const { editMode, ...head } = space;
  if (editMode === "locked" && !evenLocked)
    throw new DomainError("CONFLICT", "The main content of this space is locked: edit it by a change request.");
  return head;
}

export interface ChangeRequestPlace {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly changeRequestId: string;
}

/**
 * Locks a change request until the transaction ends; with `withMain` also the main content of its space, before it. All
 * who lock both use this order, so that they do not deadlock. Works in a locked space, too. Returns its active
 * revision, and the last revision of the main content that is in both.
 *
 * NOT_FOUND when it was deleted, CONFLICT when it is merged and, unless `evenArchived`, when it is archived.
 */
export async function lockChangeRequest(
  transaction: Transaction,
  { organizationId, spaceId, changeRequestId }: ChangeRequestPlace,
  { withMain = false, evenArchived = false } = {},
): Promise<{ revisionId: string; baseId: string }> {
  const [found] = await transaction.$queryRaw<{ status: ChangeRequestStatus; revisionId: string; baseId: string }[]>(
    sql`select cr.status, cr."revisionId", coalesce(cr."revisionMergedAncestorId", cr."revisionInitialId") as "baseId"
      from "ChangeRequest" cr join "Space" s on s.id = cr."spaceId"
      where cr.id = ${changeRequestId} and s.id = ${spaceId} and s."organizationId" = ${organizationId} and s."deletedAt" is null
      for no key update of ${withMain ? sql`s, cr` : sql`cr`}`,
  );
  if (!found) throw notFound("change request");
  const { status, ...revisions } = found;
  if (status === "merged")
    throw new DomainError("CONFLICT", "This change request is merged: make another one to change the content further.");
  if (status === "archived" && !evenArchived)
    throw new DomainError("CONFLICT", "This change request is archived: change its status to draft or open first.");
  return revisions;
}
