// Storing content: what is not there yet of a draft, and the revision that holds it.
import { isDeepStrictEqual } from "node:util";
import { DomainError, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import type { DomainEvent } from "#src/events/event.ts";
import type { NewContent } from "#src/features/content/commands/draft.ts";
import { orStoreAnew } from "#src/features/content/commands/stored.ts";
import { emptyTree, type PageTree, readTrees } from "#src/features/content/reads/pages.ts";
import type { ContentState } from "#src/features/content/reads/revisions.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { ChangeRequestStatus, RevisionType, SpaceEditMode } from "#src/generated/prisma/enums.ts";

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
 * Locks a content until the transaction ends, and answers its active revision. NOT_FOUND when it is gone, CONFLICT for the main content of a
 * locked space and for a change request that is neither draft nor open.
 *
 * The locks leave the keys of the rows alone (`no key`): who adds a row that refers to one, such as a comment or a revision, does not wait.
 */
export async function lockContent(transaction: Transaction, place: ContentPlace): Promise<Head> {
  const revisionId = await (place.changeRequestId === null
    ? lockMain(transaction, place)
    : lockChangeRequest(transaction, place));
  return readHead(transaction, revisionId);
}

/** A revision with what it holds, read inside a transaction. */
export async function readHead(transaction: Transaction, revisionId: string): Promise<Head> {
  const { treeHash, filesHash, variables, reusableContents, createdAt } = await transaction.revision.findUniqueOrThrow({
    where: { id: revisionId },
  });
  // Only `writeRevision` writes these two, in this form.
  const parts = { variables, reusableContents } as unknown as Pick<ContentState, "variables" | "reusableContents">;
  return { revisionId, treeHash, filesHash, ...parts, createdAt };
}

async function lockMain(transaction: Transaction, { spaceId, organizationId }: ContentPlace): Promise<string> {
  const [space] = await transaction.$queryRaw<{ revisionId: string; editMode: SpaceEditMode }[]>(
    sql`select "revisionId", "editMode" from "Space"
      where id = ${spaceId} and "organizationId" = ${organizationId} and "deletedAt" is null for no key update`,
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
      and s."deletedAt" is null for no key update of cr`,
  );
  if (!found) throw notFound("change request");
  if (found.status !== "draft" && found.status !== "open")
    throw new DomainError("CONFLICT", `This change request is ${found.status}: only drafts and open ones are edited.`);
  return found.revisionId;
}

export function isSameContent(one: ContentState, other: ContentState): boolean {
  return (
    one.treeHash === other.treeHash &&
    one.filesHash === other.filesHash &&
    isDeepStrictEqual(one.variables, other.variables) &&
    isDeepStrictEqual(one.reusableContents, other.reusableContents)
  );
}

/** The pages of a revision, read inside a transaction. */
export async function readTree(transaction: Transaction, treeHash: string | null): Promise<PageTree> {
  if (treeHash === null) return emptyTree;
  const [tree] = await readTrees((statement) => transaction.$queryRaw(statement), [treeHash]);
  return tree ?? emptyTree;
}

/**
 * Writes what is not there yet, and marks what is there as stored anew, so that it is not collected (commands/collect.ts). Rows go in by the order of
 * their hashes, so that writers of the same content wait for each other in one order.
 */
export async function storeContent(transaction: Transaction, content: NewContent): Promise<void> {
  const documents = [...content.documents].map(([hash, markdown]) => ({ hash, markdown }));
  const trees = [...content.trees].map(([hash, pages]) => ({ hash, pages }));
  const pages = [...content.pages].map(([hash, page]) => ({ hash, ...page }));
  if (documents.length > 0)
    await transaction.$executeRaw(
      sql`insert into "ContentDocument" (hash, markdown, size) select hash, markdown, octet_length(markdown)
        from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb) d(hash text, markdown text) order by hash collate "C" ${orStoreAnew}`,
    );
  if (trees.length > 0)
    await transaction.$executeRaw(
      sql`insert into "ContentTree" (hash, pages) select hash, pages
        from jsonb_to_recordset(${JSON.stringify(trees)}::jsonb) t(hash text, pages text[]) order by hash collate "C" ${orStoreAnew}`,
    );
  if (pages.length > 0)
    await transaction.$executeRaw(
      sql`insert into "ContentPage" (hash, "pageId", type, title, slug, fields, "documentHash", "childrenHash", "createdAt", "updatedAt")
        select p.* from jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) p(hash text, "pageId" text, type "PageType", title text, slug text,
          fields jsonb, "documentHash" text, "childrenHash" text, "createdAt" timestamptz, "updatedAt" timestamptz)
        order by p.hash collate "C" ${orStoreAnew}`,
    );
}

/**
 * Makes the next revision of a locked content, and answers it with its event. No revision is older than those it stands on, whatever the clocks
 * of several processes say. `mergedIn` is what it stands on besides: a change request under the main content, or the other way round; the change
 * request is merged and updated from there from then on.
 */
export async function writeRevision(
  transaction: Transaction,
  { viewer, clock }: Context,
  place: ContentPlace,
  of: { head: Head; content: ContentState; type: RevisionType; message: string | null; mergedIn?: Head | undefined },
): Promise<{ result: { revisionId: string }; events: [DomainEvent] }> {
  const { organizationId, spaceId, changeRequestId } = place;
  const { head, content, type, message, mergedIn } = of;
  const { treeHash, filesHash, variables, reusableContents } = content;
  const now = clock.now();
  const revisionId = newId("Revision");
  const parents = mergedIn ? [head, mergedIn] : [head];
  await transaction.revision.create({
    data: {
      id: revisionId,
      spaceId,
      changeRequestId,
      type,
      treeHash,
      filesHash,
      variables: { ...variables },
      // Plain by its type; an interface is just no JSON to the compiler.
      reusableContents: reusableContents as unknown as Prisma.InputJsonObject,
      message,
      parents: parents.map((parent) => parent.revisionId),
      authorId: viewer.userId,
      createdAt: new Date(Math.max(now.getTime(), ...parents.map(({ createdAt }) => createdAt.getTime() + 1))),
    },
  });
  const data = { revisionId, updatedAt: now };
  const ids = { organizationId, spaceId, payload: { revisionId } };
  if (changeRequestId === null) {
    await transaction.space.update({ where: { id: spaceId }, data, select: { id: true } });
    return { result: { revisionId }, events: [{ type: "space.contentUpdated", subjectId: spaceId, ...ids }] };
  }
  const update = { ...data, ...(mergedIn && { revisionMergedAncestorId: mergedIn.revisionId }) };
  await transaction.changeRequest.update({ where: { id: changeRequestId }, data: update, select: { id: true } });
  const event = { type: "changeRequest.contentUpdated", subjectId: changeRequestId, ...ids } as const;
  return { result: { revisionId }, events: [event] };
}
