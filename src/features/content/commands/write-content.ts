// Storage of content: the new parts of a draft, and the revision that references them.
import { newId } from "#src/base/ids.ts";
import { type Database, joinSql, type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { Hook } from "#src/domain/hooks.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { partsOfIndexes, writeParts } from "#src/features/content/commands/index-texts.ts";
import type { ContentPlace, Head } from "#src/features/content/commands/lock.ts";
import { orMarkStored } from "#src/features/content/commands/blobs.ts";
import { contentEvents } from "#src/features/content/events.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import type { NewContent } from "#src/features/content/model/draft.ts";
import type { LevelStep } from "#src/features/content/model/draft-pages.ts";
import { gitBlob } from "#src/features/content/model/git.ts";
import { emptyTree, type PageTree } from "#src/features/content/model/page.ts";
import { readTrees } from "#src/features/content/reads/trees.ts";
import type { RevisionType } from "#src/generated/prisma/enums.ts";

export async function readTree(transaction: Transaction, treeHash: string | null): Promise<PageTree> {
  if (treeHash === null) return emptyTree;
  const [tree] = await readTrees((statement) => transaction.$queryRaw(statement), [treeHash]);
  return tree ?? emptyTree;
}

/**
 * One statement in the order of hashes, so that writers of the same content lock in the same order. Existing rows get
 * the current `storedAt`, so that they are not collected. Returns whether all texts were indexed for the space.
 */
export async function storeContent(transaction: Transaction, content: NewContent, spaceId?: string): Promise<boolean> {
  const derived = spaceId === undefined ? null : await partsOfIndexes(spaceId, content.documents);
  await writeParts(transaction, [...contentParts(content), ...(derived?.parts ?? [])]);
  return derived?.isAll ?? false;
}

/** Characters of texts per transaction. It blocks no other writer, but must stay short. */
const partSize = 2_000_000;

/** Stores a content that no revision references yet: stored rows are not collected for a day. */
export async function storeInParts({ prisma }: Database, content: NewContent): Promise<void> {
  const none = new Map<string, never>();
  let part = new Map<string, string>();
  let size = 0;
  const store = (of: Partial<NewContent>) =>
    prisma.$transaction((transaction) =>
      storeContent(transaction, { treeHash: null, documents: none, pages: none, trees: none, ...of }),
    );
  for (const [hash, text] of content.documents) {
    part.set(hash, text);
    size += text.length;
    if (size < partSize) continue;
    await store({ documents: part });
    [part, size] = [new Map(), 0];
  }
  await store({ ...content, documents: part });
}

function contentParts(content: NewContent): Sql[] {
  const documents = [...content.documents].map(([hash, markdown]) => ({ hash, markdown, oid: gitBlob(markdown) }));
  const pages = [...content.pages].map(([hash, page]) => ({ hash, ...page }));
  const parts: Sql[] = [];
  if (documents.length > 0)
    parts.push(
      sql`documents as (insert into "ContentDocument" (hash, markdown, size, oid) select hash, markdown, octet_length(markdown), oid
        from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb) d(hash text, markdown text, oid text)
        order by hash collate "C" ${orMarkStored}, oid = excluded.oid)`,
    );
  parts.push(...levelParts(content));
  if (pages.length > 0)
    parts.push(
      sql`pages as (insert into "ContentPage" (hash, "pageId", type, title, slug, fields, "documentHash", "childrenHash", "createdAt", "updatedAt")
        select p.* from jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) p(hash text, "pageId" text, type "PageType", title text, slug text,
          fields jsonb, "documentHash" text, "childrenHash" text, "createdAt" timestamptz, "updatedAt" timestamptz)
        order by p.hash collate "C" ${orMarkStored})`,
    );
  return parts;
}

/** PostgreSQL derives levels with at least this many pages from the previous one, if at most an eighth changes. */
const largeLevel = { pages: 128, most: 1 / 8 } as const;

/** The part that writes the levels: small ones as a whole, large ones as a difference. */
function levelParts({ trees, steps }: NewContent): Sql[] {
  if (trees.size === 0) return [];
  const whole: { hash: string; pages: readonly string[] }[] = [];
  const stepped: (LevelStep & { hash: string })[] = [];
  for (const [hash, pages] of trees) {
    const step = steps?.get(hash);
    const isLarge = pages.length >= largeLevel.pages;
    if (step && isLarge && step.was.length + step.is.length <= pages.length * largeLevel.most)
      stepped.push({ hash, ...step });
    else whole.push({ hash, pages });
  }
  const made = sql`select s.hash, t.pages[:s.kept] || s."is" || t.pages[s.kept + cardinality(s.was) + 1:], s."from", s.was, s."is"
    from jsonb_to_recordset(${JSON.stringify(stepped)}::jsonb) s(hash text, "from" text, kept int, was text[], "is" text[])
    join "ContentTree" t on t.hash = s."from"`;
  const sent = sql`select hash, pages, null::text, null::text[], null::text[] from jsonb_to_recordset(${JSON.stringify(whole)}::jsonb) t(hash text, pages text[])`;
  const levels = [...(whole.length > 0 ? [sent] : []), ...(stepped.length > 0 ? [made] : [])];
  return [
    sql`trees as (insert into "ContentTree" (hash, pages, "stepFrom", "stepWas", "stepIs")
      select * from (${joinSql(levels, " union all ")}) l order by hash collate "C" ${orMarkStored})`,
  ];
}

/** The main content of a space is about to get a new revision, written in the same transaction. */
interface Moved {
  readonly space: { readonly id: string; readonly organizationId: string };
  readonly revisionId: string;
  readonly trees: { readonly from: string | null; readonly to: string | null };
  readonly by: { readonly userId: string | null; readonly now: Date };
  /** Adds an event after that of the new revision. */
  readonly emit: (event: DomainEvent) => void;
}

/** Runs before the change: `PresentPage` is not updated yet, and the new revision is not inserted. */
export const beforeMainContentChange = new Hook<Moved>("main content moves");

type NextRevision = Pick<Head, "revisionId" | "createdAt">;

/** A revision is always newer than its parents, even if the clocks of processes differ. */
export function nextRevision({ clock }: Pick<Context, "clock">, head: Head, mergedIn?: Head): NextRevision {
  const times = parentsOf(head, mergedIn).map((parent) => parent.createdAt.getTime() + 1);
  return { revisionId: newId("Revision"), createdAt: new Date(Math.max(clock.now().getTime(), ...times)) };
}

const parentsOf = (head: Head, mergedIn: Head | undefined): Head[] =>
  mergedIn && mergedIn.revisionId !== head.revisionId ? [head, mergedIn] : [head];

interface NewRevision {
  readonly head: Head;
  /** `isIndexed`: whether all texts were indexed: then no background work follows. */
  readonly content: ContentState & { readonly isIndexed?: boolean };
  readonly type: RevisionType;
  readonly message: string | null;
  /** A second parent. If a change request without changes still has the main revision, that is the only parent. */
  readonly mergedIn?: Head | undefined;
  readonly next?: NextRevision;
}

/** Writes the next revision of a locked content, and returns it with its event and those of hooks. */
export async function writeRevision(
  transaction: Transaction,
  { viewer, clock }: Pick<Context, "clock"> & { readonly viewer: { readonly userId: string | null } },
  place: ContentPlace,
  of: NewRevision,
): Promise<{ result: { revisionId: string }; events: [DomainEvent, ...DomainEvent[]] }> {
  const { organizationId, spaceId, changeRequestId } = place;
  const { head, content, mergedIn } = of;
  const by = { userId: viewer.userId, now: clock.now() };
  const { revisionId, createdAt } = of.next ?? nextRevision({ clock }, head, mergedIn);
  const parents = parentsOf(head, mergedIn);
  const revision = insertRevision(place, { ...of, revisionId, parents, by, createdAt });
  const updatedAt = sql`${by.now.toISOString()}::timestamptz`;
  const revisions = { revisionId, revisionBeforeId: head.revisionId };
  const payload = { ...revisions, changeRequestId, ...(content.isIndexed && { isIndexed: true }) };
  const ids = { organizationId, spaceId, payload };
  const result = { revisionId };
  if (changeRequestId !== null) {
    const base = mergedIn ? sql`${mergedIn.revisionId}` : sql`"revisionMergedAncestorId"`;
    await transaction.$executeRaw(
      sql`with revision as (${revision}) update "ChangeRequest"
        set "revisionId" = ${revisionId}, "revisionMergedAncestorId" = ${base}, "updatedAt" = ${updatedAt} where id = ${changeRequestId}`,
    );
    const event = { type: contentEvents.ofChangeRequestUpdated, subjectId: changeRequestId, ...ids };
    return { result, events: [event] };
  }
  const hookEvents: DomainEvent[] = [];
  const emit = (event: DomainEvent) => void hookEvents.push(event);
  const trees = { from: head.treeHash, to: content.treeHash };
  const moved = { space: { id: spaceId, organizationId }, revisionId, trees, by, emit };
  await beforeMainContentChange.run(transaction, moved);
  await transaction.$executeRaw(
    sql`with revision as (${revision}) update "Space" set "revisionId" = ${revisionId}, "updatedAt" = ${updatedAt} where id = ${spaceId}`,
  );
  const event = { type: contentEvents.ofSpaceUpdated, subjectId: spaceId, ...ids };
  return { result, events: [event, ...hookEvents] };
}

function insertRevision(
  { spaceId, changeRequestId }: ContentPlace,
  of: NewRevision & NextRevision & Pick<Moved, "by"> & { readonly parents: readonly Head[] },
): Sql {
  const { revisionId: id, content, type, message, parents, by, createdAt } = of;
  const { treeHash, filesHash, variables, reusableContents } = content;
  const parentIds = parents.map(({ revisionId }) => revisionId);
  return sql`insert into "Revision" (id, "spaceId", "changeRequestId", type, "treeHash", "filesHash", variables, "reusableContents",
      message, parents, "authorId", "createdAt")
    values (${id}, ${spaceId}, ${changeRequestId}, ${type}::"RevisionType", ${treeHash}, ${filesHash}, ${JSON.stringify(variables)}::jsonb,
      ${JSON.stringify(reusableContents)}::jsonb, ${message}, ${parentIds}::text[], ${by.userId}, ${createdAt.toISOString()}::timestamptz)`;
}
