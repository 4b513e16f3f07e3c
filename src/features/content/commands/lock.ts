// Locks on a content for writing: the main content of a space, or a change request.
import { DomainError, notFound } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import type { ChangeRequestStatus, SpaceEditMode } from "#src/generated/prisma/enums.ts";

/** The content to write: the main content of a space, or that of a change request in it. */
export interface ContentPlace {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly changeRequestId: string | null;
}

/** The current revision of a content that is locked for writing. */
export interface Head extends ContentState {
  readonly revisionId: string;
  readonly createdAt: Date;
}

/**
 * Locks a content until the transaction ends. NOT_FOUND if deleted, CONFLICT if locked, archived or merged. The locks
 * exclude keys (`no key`): inserting a row that references one, such as a comment, does not wait.
 */
export async function lockContent(transaction: Transaction, place: ContentPlace): Promise<Head> {
  const { changeRequestId } = place;
  if (changeRequestId === null) return lockMainContent(transaction, place, { evenLocked: false });
  const { revisionId } = await lockChangeRequest(transaction, { ...place, changeRequestId });
  return readHead(transaction, revisionId);
}

export async function readHead(transaction: Transaction, revisionId: string): Promise<Head> {
  // Only `writeRevision` writes the JSON columns, in this form.
  const [head] = await transaction.$queryRaw<Head[]>(
    sql`select id as "revisionId", "treeHash", "filesHash", variables, "reusableContents", "createdAt" from "Revision" where id = ${revisionId}`,
  );
  if (!head) throw notFound("revision");
  return head;
}

/** Locks a main content, by default also in a locked space: merges and refreshes are not edits. */
export async function lockMainContent(
  transaction: Transaction,
  { spaceId, organizationId }: ContentPlace,
  { evenLocked = true } = {},
): Promise<Head> {
  const [space] = await transaction.$queryRaw<(Head & { editMode: SpaceEditMode })[]>(
    sql`select * from "locked_main_content"(${spaceId}, ${organizationId})`,
  );
  if (!space) throw notFound("space");
  const { editMode, ...head } = space;
  if (editMode === "locked" && !evenLocked)
    throw new DomainError("CONFLICT", "The main content of this space is locked. Edit it in a change request.");
  return head;
}

export type ChangeRequestPlace = ContentPlace & { readonly changeRequestId: string };

/**
 * `withMain` locks the main content first: all writers use this order, to avoid deadlocks. NOT_FOUND if deleted,
 * CONFLICT if merged or, unless `evenArchived`, archived. `baseId` is the last main revision that both contain.
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
    throw new DomainError("CONFLICT", "This change request is merged. Create another one to change the content.");
  if (status === "archived" && !evenArchived)
    throw new DomainError("CONFLICT", "This change request is archived. Set its status to draft or open first.");
  return revisions;
}
