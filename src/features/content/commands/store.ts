// Storing content: what is not there yet of a draft, and the revision that holds it.
import { DomainError, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import type { DomainEvent } from "#src/events/event.ts";
import type { NewContent } from "#src/features/content/commands/draft.ts";
import { emptyTree, type PageTree, readTrees } from "#src/features/content/reads/pages.ts";
import type { ChangeRequestStatus, RevisionType, SpaceEditMode } from "#src/generated/prisma/enums.ts";

/** Whose content is written: the main content of a space, or that of a change request in it. */
export interface ContentPlace {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly changeRequestId: string | null;
}

/** The active revision of a content that is locked for writing. */
export interface Head {
  readonly revisionId: string;
  readonly treeHash: string | null;
  readonly createdAt: Date;
}

/**
 * Locks a content until the transaction ends, and answers its active revision. NOT_FOUND when it is gone, CONFLICT for the main content of a
 * locked space and for a change request that is neither draft nor open.
 */
export async function lockContent(transaction: Transaction, place: ContentPlace): Promise<Head> {
  const revisionId = await (place.changeRequestId === null
    ? lockMain(transaction, place)
    : lockChangeRequest(transaction, place));
  const { treeHash, createdAt } = await transaction.revision.findUniqueOrThrow({
    where: { id: revisionId },
    select: { treeHash: true, createdAt: true },
  });
  return { revisionId, treeHash, createdAt };
}

async function lockMain(transaction: Transaction, { spaceId, organizationId }: ContentPlace): Promise<string> {
  const [space] = await transaction.$queryRaw<{ revisionId: string; editMode: SpaceEditMode }[]>(
    sql`select "revisionId", "editMode" from "Space"
      where id = ${spaceId} and "organizationId" = ${organizationId} and "deletedAt" is null for update`,
  );
  if (!space) throw notFound("space");
  if (space.editMode === "locked")
    throw new DomainError("CONFLICT", "The main content of this space is locked: edit it by a change request.");
  return space.revisionId;
}

async function lockChangeRequest(transaction: Transaction, place: ContentPlace): Promise<string> {
  const [found] = await transaction.$queryRaw<{ revisionId: string; status: ChangeRequestStatus }[]>(
    sql`select cr."revisionId", cr.status from "ChangeRequest" cr join "Space" s on s.id = cr."spaceId"
      where cr.id = ${place.changeRequestId} and s.id = ${place.spaceId} and s."organizationId" = ${place.organizationId}
      and s."deletedAt" is null for update of cr`,
  );
  if (!found) throw notFound("change request");
  if (found.status !== "draft" && found.status !== "open")
    throw new DomainError("CONFLICT", `This change request is ${found.status}: only drafts and open ones are edited.`);
  return found.revisionId;
}

/** The pages of a revision, read inside a transaction. */
export async function readTree(transaction: Transaction, treeHash: string | null): Promise<PageTree> {
  if (treeHash === null) return emptyTree;
  const [tree] = await readTrees((statement) => transaction.$queryRaw(statement), [treeHash]);
  return tree ?? emptyTree;
}

/** Writes what is not there yet. Rows go in by the order of their hashes, so that writers of the same content wait for each other in one order. */
export async function storeContent(transaction: Transaction, content: NewContent): Promise<void> {
  const documents = [...content.documents].map(([hash, markdown]) => ({ hash, markdown }));
  const trees = [...content.trees].map(([hash, pages]) => ({ hash, pages }));
  const pages = [...content.pages].map(([hash, page]) => ({ hash, ...page }));
  if (documents.length > 0)
    await transaction.$executeRaw(
      sql`insert into "ContentDocument" (hash, markdown, size) select hash, markdown, octet_length(markdown)
        from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb) d(hash text, markdown text) order by hash collate "C" on conflict do nothing`,
    );
  if (trees.length > 0)
    await transaction.$executeRaw(
      sql`insert into "ContentTree" (hash, pages) select hash, pages
        from jsonb_to_recordset(${JSON.stringify(trees)}::jsonb) t(hash text, pages text[]) order by hash collate "C" on conflict do nothing`,
    );
  if (pages.length > 0)
    await transaction.$executeRaw(
      sql`insert into "ContentPage" select (jsonb_populate_record(null::"ContentPage", p.value)).*
        from jsonb_array_elements(${JSON.stringify(pages)}::jsonb) p(value) order by p.value->>'hash' collate "C" on conflict do nothing`,
    );
}

/**
 * Makes the next revision of a locked content, and answers it with its event. No revision is older than the one it stands on, whatever the clocks
 * of several processes say.
 */
export async function writeRevision(
  transaction: Transaction,
  { viewer, clock }: Context,
  place: ContentPlace,
  of: { head: Head; treeHash: string | null; type: RevisionType; message: string | null; otherParents?: string[] },
): Promise<{ result: { revisionId: string }; events: [DomainEvent] }> {
  const { organizationId, spaceId, changeRequestId } = place;
  const { head, treeHash, type, message, otherParents = [] } = of;
  const now = clock.now();
  const revisionId = newId("Revision");
  await transaction.revision.create({
    data: {
      id: revisionId,
      spaceId,
      changeRequestId,
      type,
      treeHash,
      message,
      parents: [head.revisionId, ...otherParents],
      authorId: viewer.userId,
      createdAt: new Date(Math.max(now.getTime(), head.createdAt.getTime() + 1)),
    },
  });
  const data = { revisionId, updatedAt: now };
  const ids = { organizationId, spaceId, payload: { revisionId } };
  if (changeRequestId === null) {
    await transaction.space.update({ where: { id: spaceId }, data, select: { id: true } });
    return { result: { revisionId }, events: [{ type: "space.contentUpdated", subjectId: spaceId, ...ids }] };
  }
  await transaction.changeRequest.update({ where: { id: changeRequestId }, data, select: { id: true } });
  const event = { type: "changeRequest.contentUpdated", subjectId: changeRequestId, ...ids } as const;
  return { result: { revisionId }, events: [event] };
}
