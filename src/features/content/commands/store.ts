// Storing content: the parts of a draft that are new, and the revision that holds it.
import { newId } from "#src/base/ids.ts";
import { type Sql, sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { Moment } from "#src/domain/moments.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { partsInside, writeParts } from "#src/features/content/commands/derive.ts";
import type { ContentPlace, Head } from "#src/features/content/commands/lock.ts";
import { orStoreAnew } from "#src/features/content/commands/stored.ts";
import { contentEvents } from "#src/features/content/events.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import type { NewContent } from "#src/features/content/model/draft.ts";
import { gitBlob } from "#src/features/content/model/git.ts";
import { emptyTree, type PageTree } from "#src/features/content/model/page.ts";
import { readTrees } from "#src/features/content/reads/trees.ts";
import type { RevisionType } from "#src/generated/prisma/enums.ts";

/** The pages of a revision, read inside a transaction. */
export async function readTree(transaction: Transaction, treeHash: string | null): Promise<PageTree> {
  if (treeHash === null) return emptyTree;
  const [tree] = await readTrees((statement) => transaction.$queryRaw(statement), [treeHash]);
  return tree ?? emptyTree;
}

/**
 * Writes what is not there yet, and marks what is there as stored now, so that it is not collected
 * (commands/collect.ts). All of it is one statement, and rows are written in the order of their hashes, so that writers
 * of the same content wait for each other in one order. What is derived from texts is made for the space with this id,
 * if one is given. Answers whether all of it was: else there is more to do after the revision.
 */
export async function storeContent(transaction: Transaction, content: NewContent, spaceId?: string): Promise<boolean> {
  const derived = spaceId === undefined ? null : await partsInside(spaceId, content.documents);
  await writeParts(transaction, [...contentParts(content), ...(derived?.parts ?? [])]);
  return derived?.isAll ?? false;
}

/** The parts of a WITH that write what there is of it. */
function contentParts(content: NewContent): Sql[] {
  const documents = [...content.documents].map(([hash, markdown]) => ({ hash, markdown, oid: gitBlob(markdown) }));
  const trees = [...content.trees].map(([hash, pages]) => ({ hash, pages }));
  const pages = [...content.pages].map(([hash, page]) => ({ hash, ...page }));
  const parts: Sql[] = [];
  if (documents.length > 0)
    parts.push(
      sql`documents as (insert into "ContentDocument" (hash, markdown, size, oid) select hash, markdown, octet_length(markdown), oid
        from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb) d(hash text, markdown text, oid text)
        order by hash collate "C" ${orStoreAnew}, oid = excluded.oid)`,
    );
  if (trees.length > 0)
    parts.push(
      sql`trees as (insert into "ContentTree" (hash, pages) select hash, pages
        from jsonb_to_recordset(${JSON.stringify(trees)}::jsonb) t(hash text, pages text[]) order by hash collate "C" ${orStoreAnew})`,
    );
  if (pages.length > 0)
    parts.push(
      sql`pages as (insert into "ContentPage" (hash, "pageId", type, title, slug, fields, "documentHash", "childrenHash", "createdAt", "updatedAt")
        select p.* from jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) p(hash text, "pageId" text, type "PageType", title text, slug text,
          fields jsonb, "documentHash" text, "childrenHash" text, "createdAt" timestamptz, "updatedAt" timestamptz)
        order by p.hash collate "C" ${orStoreAnew})`,
    );
  return parts;
}

/** The content of a new revision. */
export interface NewState extends ContentState {
  /** Whether all was derived from its texts: then there is nothing to do after it. */
  readonly isDerived?: boolean;
}

/** What is known when the main content of a space is about to be that of a new revision, which is written with that. */
interface Moved {
  readonly space: { readonly id: string; readonly organizationId: string };
  readonly revisionId: string;
  readonly trees: { readonly from: string | null; readonly to: string | null };
  readonly by: { readonly userId: string | null; readonly now: Date };
  /** Adds an event, which comes after that of the new revision. */
  readonly tell: (event: DomainEvent) => void;
}

/** That moment: `PresentPage` is still as before, and the revision not there yet. */
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
  of: { head: Head; content: NewState; type: RevisionType; message: string | null; mergedIn?: Head | undefined },
): Promise<{ result: { revisionId: string }; events: [DomainEvent, ...DomainEvent[]] }> {
  const { organizationId, spaceId, changeRequestId } = place;
  const { head, content, mergedIn } = of;
  const by = { userId: viewer.userId, now: clock.now() };
  const revisionId = newId("Revision");
  const parents = mergedIn && mergedIn.revisionId !== head.revisionId ? [head, mergedIn] : [head];
  const revision = insertRevision(place, { ...of, id: revisionId, parents, by });
  const updatedAt = sql`${by.now.toISOString()}::timestamptz`;
  const revisions = { revisionId, revisionBeforeId: head.revisionId };
  const payload = { ...revisions, changeRequestId, ...(content.isDerived && { isDerived: true }) };
  const ids = { organizationId, spaceId, payload };
  const result = { revisionId };
  if (changeRequestId !== null) {
    const base = mergedIn ? sql`${mergedIn.revisionId}` : sql`"revisionMergedAncestorId"`;
    await transaction.$executeRaw(
      sql`with revision as (${revision}) update "ChangeRequest"
        set "revisionId" = ${revisionId}, "revisionMergedAncestorId" = ${base}, "updatedAt" = ${updatedAt} where id = ${changeRequestId}`,
    );
    return { result, events: [{ type: contentEvents.ofChangeRequestUpdated, subjectId: changeRequestId, ...ids }] };
  }
  const told: DomainEvent[] = [];
  const tell = (event: DomainEvent) => void told.push(event);
  const [space, trees] = [
    { id: spaceId, organizationId },
    { from: head.treeHash, to: content.treeHash },
  ];
  await mainContentMoves.come(transaction, { space, revisionId, trees, by, tell });
  await transaction.$executeRaw(
    sql`with revision as (${revision}) update "Space" set "revisionId" = ${revisionId}, "updatedAt" = ${updatedAt} where id = ${spaceId}`,
  );
  return { result, events: [{ type: contentEvents.ofSpaceUpdated, subjectId: spaceId, ...ids }, ...told] };
}

/** The statement that writes a revision: a part of the one that moves the head to it. */
function insertRevision(
  { spaceId, changeRequestId }: ContentPlace,
  of: Pick<Moved, "by"> & {
    id: string;
    content: ContentState;
    type: RevisionType;
    message: string | null;
    parents: readonly Head[];
  },
): Sql {
  const { id, content, type, message, parents, by } = of;
  const { treeHash, filesHash, variables, reusableContents } = content;
  const parentIds = parents.map(({ revisionId }) => revisionId);
  const createdAt = new Date(Math.max(by.now.getTime(), ...parents.map((parent) => parent.createdAt.getTime() + 1)));
  return sql`insert into "Revision" (id, "spaceId", "changeRequestId", type, "treeHash", "filesHash", variables, "reusableContents",
      message, parents, "authorId", "createdAt")
    values (${id}, ${spaceId}, ${changeRequestId}, ${type}::"RevisionType", ${treeHash}, ${filesHash}, ${JSON.stringify(variables)}::jsonb,
      ${JSON.stringify(reusableContents)}::jsonb, ${message}, ${parentIds}::text[], ${by.userId}, ${createdAt.toISOString()}::timestamptz)`;
}
