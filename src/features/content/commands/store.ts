// Storing content: the parts of a draft that are new, and the revision that holds it.
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { Moment } from "#src/domain/moments.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { deriveInside } from "#src/features/content/commands/derive.ts";
import type { ContentPlace, Head } from "#src/features/content/commands/lock.ts";
import { orStoreAnew } from "#src/features/content/commands/stored.ts";
import { contentEvents } from "#src/features/content/events.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import type { NewContent } from "#src/features/content/model/draft.ts";
import { gitBlob } from "#src/features/content/model/git.ts";
import { emptyTree, type PageTree } from "#src/features/content/model/page.ts";
import { readTrees } from "#src/features/content/reads/trees.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { RevisionType } from "#src/generated/prisma/enums.ts";

/** The pages of a revision, read inside a transaction. */
export async function readTree(transaction: Transaction, treeHash: string | null): Promise<PageTree> {
  if (treeHash === null) return emptyTree;
  const [tree] = await readTrees((statement) => transaction.$queryRaw(statement), [treeHash]);
  return tree ?? emptyTree;
}

/**
 * Writes what is not there yet, and marks what is there as stored now, so that it is not collected
 * (commands/collect.ts). Rows are written in the order of their hashes, so that writers of the same content wait for
 * each other in one order. What is derived from texts is made for the space with this id, if one is given.
 */
export async function storeContent(transaction: Transaction, content: NewContent, spaceId?: string): Promise<void> {
  const documents = [...content.documents].map(([hash, markdown]) => ({ hash, markdown, oid: gitBlob(markdown) }));
  const trees = [...content.trees].map(([hash, pages]) => ({ hash, pages }));
  const pages = [...content.pages].map(([hash, page]) => ({ hash, ...page }));
  if (documents.length > 0)
    await transaction.$executeRaw(
      sql`insert into "ContentDocument" (hash, markdown, size, oid) select hash, markdown, octet_length(markdown), oid
        from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb) d(hash text, markdown text, oid text)
        order by hash collate "C" ${orStoreAnew}, oid = excluded.oid`,
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
  if (spaceId !== undefined) await deriveInside(transaction, spaceId, content.documents);
}

/** What is known when the main content of a space is about to be that of a new revision, which is written. */
interface Moved {
  readonly space: { readonly id: string; readonly organizationId: string };
  readonly revisionId: string;
  readonly trees: { readonly from: string | null; readonly to: string | null };
  readonly by: { readonly userId: string | null; readonly now: Date };
  /** Adds an event, which comes after that of the new revision. */
  readonly tell: (event: DomainEvent) => void;
}

/** That moment: `PresentPage` is still as before. */
export const mainContentMoves = new Moment<Moved>("main content moves");

/**
 * Makes the next revision of a locked content, and returns it with its event and those of what it
 * brings about. No revision is older than its parents,
 * whatever the clocks of several processes say. `mergedIn` is a second parent: a change request merged into the main
 * content, or the other way round; the change request is merged and updated from there from then on. One in which
 * nothing was done has the revision of the main content still: then that is the one parent.
 */
export async function writeRevision(
  transaction: Transaction,
  { viewer, clock }: Pick<Context, "clock"> & { readonly viewer: { readonly userId: string | null } },
  place: ContentPlace,
  of: { head: Head; content: ContentState; type: RevisionType; message: string | null; mergedIn?: Head | undefined },
): Promise<{ result: { revisionId: string }; events: [DomainEvent, ...DomainEvent[]] }> {
  const { spaceId, changeRequestId } = place;
  const { head, content, type, message, mergedIn } = of;
  const { treeHash, filesHash, variables, reusableContents } = content;
  const now = clock.now();
  const revisionId = newId("Revision");
  const trees = { from: head.treeHash, to: treeHash };
  const parents = mergedIn && mergedIn.revisionId !== head.revisionId ? [head, mergedIn] : [head];
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
  const by = { userId: viewer.userId, now };
  return {
    result: { revisionId },
    events: await moveHead(transaction, place, { revisionId, head, trees, mergedIn, by }),
  };
}

/** Makes a revision the active one of a content. */
async function moveHead(
  transaction: Transaction,
  { organizationId, spaceId, changeRequestId }: ContentPlace,
  of: Pick<Moved, "revisionId" | "trees" | "by"> & { head: Head; mergedIn: Head | undefined },
): Promise<[DomainEvent, ...DomainEvent[]]> {
  const { revisionId, head, trees, mergedIn, by } = of;
  const data = { revisionId, updatedAt: by.now };
  const ids = { organizationId, spaceId, payload: { revisionId, revisionBeforeId: head.revisionId, changeRequestId } };
  if (changeRequestId === null) {
    const told: DomainEvent[] = [];
    const tell = (event: DomainEvent) => void told.push(event);
    await mainContentMoves.come(transaction, { space: { id: spaceId, organizationId }, revisionId, trees, by, tell });
    await transaction.space.update({ where: { id: spaceId }, data, select: { id: true } });
    return [{ type: contentEvents.ofSpaceUpdated, subjectId: spaceId, ...ids }, ...told];
  }
  const update = { ...data, ...(mergedIn && { revisionMergedAncestorId: mergedIn.revisionId }) };
  await transaction.changeRequest.update({ where: { id: changeRequestId }, data: update, select: { id: true } });
  return [{ type: contentEvents.ofChangeRequestUpdated, subjectId: changeRequestId, ...ids }];
}
