// The refresh of computed pages whose source has changed. It stores the result only if the content has not changed
// meanwhile, and otherwise starts again from the new content.
import { DomainError } from "#src/base/errors.ts";
import { type Database, type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { appendEvents } from "#src/events/outbox.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { computedKinds, currentSource } from "#src/features/content/commands/computed-kinds.ts";
import { indexWritten } from "#src/features/content/commands/index-texts.ts";
import { type ContentPlace, type Head, lockChangeRequest, readHead } from "#src/features/content/commands/lock.ts";
import { storeInParts, writeRevision } from "#src/features/content/commands/write-content.ts";
import { contentEvents } from "#src/features/content/events.ts";
import { computedPagesIn } from "#src/features/content/model/computed.ts";
import { Draft, type NewContent } from "#src/features/content/model/draft.ts";
import type { PageComputed, PageTree } from "#src/features/content/model/page.ts";
import { type Query, readTrees } from "#src/features/content/reads/trees.ts";
import type { JobContext } from "#src/jobs/job.ts";

/** Has no viewer: the user who wrote a computed page had to see its source. */
export type RefreshContext = Pick<JobContext, "database" | "files" | "clock" | "log">;

/** Some spaces and change requests, those of an organization, or all. */
export interface RefreshScope {
  readonly spaceIds?: readonly string[];
  readonly changeRequestIds?: readonly string[];
  readonly organizationId?: string;
}

const isIn = ({ spaceIds, organizationId }: RefreshScope): Sql =>
  spaceIds
    ? sql`s.id = any(${spaceIds}::text[])`
    : organizationId
      ? sql`s."organizationId" = ${organizationId}`
      : sql`true`;

const staleSpaces = (of: RefreshScope): Sql =>
  sql`select distinct s.id as "spaceId", s."organizationId", null::text as "changeRequestId"
    from "PresentPage" p join "Space" s on s.id = p."spaceId"
    cross join lateral (select s."organizationId", p."fields"#>>'{computed,type}' as type, p."fields"#>>'{computed,spec}' as spec) c
    where p."type" = 'computed' and s."deletedAt" is null and ${isIn(of)}
      and not exists (select from "PresentPage" a where a."spaceId" = p."spaceId" and a."pageId" = p."parentId" and a."type" = 'computed')
      and p."fields"#>>'{computed,made}' is distinct from ${currentSource()}`;

/** Change requests that may have stale pages: those whose computed pages differ from the main content. */
const changeRequestsToSee = (of: RefreshScope): Sql =>
  sql`select cr."spaceId", s."organizationId", cr.id as "changeRequestId"
    from "ChangeRequest" cr join "Revision" r on r.id = cr."revisionId" and r."changeRequestId" = cr.id
    join "Space" s on s.id = cr."spaceId" join "Revision" m on m.id = s."revisionId"
    where cr.status in ('draft', 'open') and s."deletedAt" is null and r."treeHash" is distinct from m."treeHash"
      and ${of.changeRequestIds ? sql`cr.id = any(${of.changeRequestIds}::text[])` : isIn(of)}
      and exists (select from "pages_between"(m."treeHash", r."treeHash") b where b."type" = 'computed' and b."isThere")
    order by cr.id`;

/** Refreshes stale computed pages. Returns the count of changed contents. Failures are logged, and retried later. */
export async function refreshComputedPages(at: RefreshContext, of: RefreshScope = {}, signal?: AbortSignal) {
  let count = 0;
  const all = !of.spaceIds && !of.changeRequestIds;
  const statements = [
    ...(all || of.spaceIds?.length ? [staleSpaces(of)] : []),
    ...(all || of.changeRequestIds?.length ? [changeRequestsToSee(of)] : []),
  ];
  for (const statement of statements)
    for (const place of await at.database.query<ContentPlace>(statement)) {
      if (signal?.aborted) return count;
      if ((await refreshOrLog(at, place, signal)) !== null) count++;
    }
  return count;
}

async function refreshOrLog(at: RefreshContext, place: ContentPlace, signal?: AbortSignal): Promise<string | null> {
  try {
    return await refreshContent(at, place, signal);
  } catch (error) {
    at.log.error({ err: error, ...place }, "Computing pages failed");
    return null;
  }
}

/** Number of attempts if others change the content meanwhile. */
const attempts = 5;

/** By the id of a content: the current refresh of this process, and the one that follows it. */
const refreshes = new Map<string, { readonly now: Promise<unknown>; next: Promise<string | null> | null }>();

/** Returns the revision if it changed. Runs once at a time per content: concurrent callers share the next run. */
async function refreshContent(at: RefreshContext, place: ContentPlace, signal?: AbortSignal): Promise<string | null> {
  const key = place.changeRequestId ?? place.spaceId;
  const running = refreshes.get(key);
  const begin = () => {
    const now = computeNow(at, place, signal);
    const own = { now, next: null };
    refreshes.set(key, own);
    const end = () => void (refreshes.get(key) === own && refreshes.delete(key));
    now.then(end, end);
    return now;
  };
  if (!running) return begin();
  running.next ??= running.now.then(begin, begin);
  return running.next;
}

/** Safe to abort at any time: partial results are not referenced by any content. */
async function computeNow(at: RefreshContext, place: ContentPlace, signal?: AbortSignal): Promise<string | null> {
  const query: Query = (statement) => at.database.query(statement);
  for (let attempt = 0; attempt < attempts && !signal?.aborted; attempt++) {
    const head = await findHead(at.database, place);
    if (!head) return null;
    const [tree] = head.treeHash === null ? [] : await readTrees(query, [head.treeHash]);
    const stale = tree ? await findStale(at.database, place, tree) : [];
    if (!tree || stale.length === 0) return null;
    const content = await make(at, tree, stale);
    if (signal?.aborted) return null;
    await storeInParts(at.database, content);
    const revisionId = await put(at, place, { head, content, stale });
    if (revisionId !== null) return revisionId;
  }
  return null;
}

type FoundHead = Pick<Head, "revisionId" | "treeHash">;

/** The current revision of a content; of a change request only if it was created in it. */
async function findHead(database: Database, place: ContentPlace): Promise<FoundHead | undefined> {
  const { spaceId, changeRequestId } = place;
  const of =
    changeRequestId === null
      ? sql`"Space" h on h."revisionId" = r.id where h.id = ${spaceId} and h."deletedAt" is null`
      : sql`"ChangeRequest" h on h."revisionId" = r.id and r."changeRequestId" = h.id
          where h.id = ${changeRequestId} and h.status in ('draft', 'open')`;
  const found = sql`select r.id as "revisionId", r."treeHash" from "Revision" r join ${of}`;
  return (await database.query<FoundHead>(found))[0];
}

interface StalePage {
  readonly pageId: string;
  readonly computed: PageComputed;
  /** The current source; null if it does not exist. */
  readonly current: string | null;
}

async function findStale(database: Database, { organizationId }: ContentPlace, tree: PageTree): Promise<StalePage[]> {
  const pages = computedPagesIn(tree).flatMap(({ pageId, fields: { computed } }) =>
    computed ? [{ pageId, computed }] : [],
  );
  if (pages.length === 0) return [];
  const sources = pages.map(({ pageId, computed: { type, spec } }) => ({ pageId, organizationId, type, spec }));
  const rows = await database.query<{ pageId: string; current: string | null }>(
    sql`select c."pageId", ${currentSource()} as current
      from jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) c("pageId" text, "organizationId" text, type text, spec text)`,
  );
  const currents = new Map(rows.map(({ pageId, current }) => [pageId, current]));
  return pages
    .map((page) => ({ ...page, current: currents.get(page.pageId) ?? null }))
    .filter(({ computed, current }) => (computed.made ?? null) !== current);
}

async function make(at: RefreshContext, tree: PageTree, stale: readonly StalePage[]): Promise<NewContent> {
  const draft = new Draft(tree, at.clock.now());
  for (const { pageId, computed, current: made } of stale) {
    const kind = computedKinds.get(computed.type);
    const room = draft.roomBelow(pageId);
    const content = made === null ? undefined : await kind?.make(at, { pageId, computed, made, room });
    draft.compute(pageId, content ?? { made: null, text: "", pages: [] });
  }
  return draft.finish();
}

/** Returns null if the revision has changed since. Pages computed for the first time do not create a revision. */
async function put(
  { database, clock }: RefreshContext,
  place: ContentPlace,
  { head: found, content, stale }: { head: FoundHead; content: NewContent; stale: readonly StalePage[] },
): Promise<string | null> {
  return database.prisma.$transaction(async (transaction) => {
    const locked = await lock(transaction, place);
    const head = locked && (await readHead(transaction, locked.revisionId));
    if (!head || head.revisionId !== found.revisionId || head.treeHash !== found.treeHash) return null;
    const { treeHash, documents } = content;
    await indexWritten(transaction, place.spaceId, documents);
    const isNew = locked.isFrozen && stale.some(({ computed }) => computed.made !== undefined);
    if (!isNew) {
      await appendEvents(transaction, null, [await replaceTree(transaction, place, { head, treeHash })]);
      return head.revisionId;
    }
    const specs = new Set(stale.map(({ computed }) => computed.spec));
    const message = `Recomputed from ${[...specs].join(", ")}`.slice(0, 500);
    const revision = { head, content: { ...head, treeHash }, type: "update", message } as const;
    const written = await writeRevision(transaction, { viewer: { userId: null }, clock }, place, revision);
    await appendEvents(transaction, null, written.events);
    return written.result.revisionId;
  });
}

type Locked = { readonly revisionId: string; readonly isFrozen: boolean };

/** Locks a content like its writers, also in a locked space: this is not an edit. Null if deleted or closed. */
async function lock(transaction: Transaction, place: ContentPlace): Promise<Locked | null> {
  const { spaceId, changeRequestId } = place;
  if (changeRequestId !== null) {
    const locked = await lockChangeRequest(transaction, { ...place, changeRequestId }).catch((error: unknown) => {
      if (error instanceof DomainError) return null;
      throw error;
    });
    return locked && { revisionId: locked.revisionId, isFrozen: false };
  }
  const [space] = await transaction.$queryRaw<Locked[]>(
    sql`select "revisionId", "freezesComputed" as "isFrozen" from "Space" where id = ${spaceId} and "deletedAt" is null for no key update`,
  );
  return space ?? null;
}

/** Replaces the tree of the current revision of a locked content: the only case in which a revision changes. */
async function replaceTree(
  transaction: Transaction,
  { organizationId, spaceId, changeRequestId }: ContentPlace,
  { head, treeHash }: { head: Head; treeHash: string | null },
): Promise<DomainEvent> {
  const { revisionId } = head;
  await transaction.revision.update({ where: { id: revisionId }, data: { treeHash }, select: { id: true } });
  if (changeRequestId === null)
    await transaction.$executeRaw(sql`select "move_present_pages"(${spaceId}, ${head.treeHash}, ${treeHash})`);
  const payload = { revisionId, revisionBeforeId: revisionId, changeRequestId };
  const type = changeRequestId === null ? contentEvents.ofSpaceUpdated : contentEvents.ofChangeRequestUpdated;
  return { type, subjectId: changeRequestId ?? spaceId, organizationId, spaceId, payload };
}

/** The time that a response waits for its computed pages, in milliseconds. */
const waitLimitMs = 3_000;

/** Maximum number of contents that one process refreshes for responses; the follower of events refreshes the others. */
const concurrencyLimit = 4;

let activeCount = 0;

/** Returns the revision if it changed within {@link waitLimitMs}; longer work continues and sends an event. */
export async function refreshBeforeAnswer(context: Context, place: ContentPlace): Promise<string | null> {
  const { background, feed, reader } = context;
  if (activeCount >= concurrencyLimit) {
    feed.wake();
    return null;
  }
  activeCount++;
  const refreshed = background.run(async (stopping) => ({ revisionId: await refreshOrLog(context, place, stopping) }));
  void refreshed.finally(() => {
    activeCount--;
    feed.wake();
  });
  const soon = await background.waitFor(refreshed, waitLimitMs);
  reader.forget();
  return soon?.revisionId ?? null;
}
