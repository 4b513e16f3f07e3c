// Computing pages, by the kinds of computed.ts: what is made from another thing than there is now is made anew. The
// content gets it at once where nobody has changed it meanwhile; otherwise what is new there is looked at again.
import { DomainError } from "#src/base/errors.ts";
import { type Database, emptySql, type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { appendEvents } from "#src/events/outbox.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { computedKinds } from "#src/features/content/commands/computed.ts";
import { deriveInside } from "#src/features/content/commands/derive.ts";
import { type ContentPlace, type Head, lockChangeRequest, readHead } from "#src/features/content/commands/lock.ts";
import { storeContent, writeRevision } from "#src/features/content/commands/store.ts";
import { contentEvents } from "#src/features/content/events.ts";
import { computedPagesIn } from "#src/features/content/model/computed.ts";
import { Draft, type NewContent } from "#src/features/content/model/draft.ts";
import type { PageComputed, PageTree } from "#src/features/content/model/page.ts";
import { readTrees } from "#src/features/content/reads/trees.ts";
import type { JobContext } from "#src/jobs/job.ts";

/** What computing needs: it is done for nobody. Who wrote a page that is computed had to see what it is made from. */
export type Computing = Pick<JobContext, "database" | "files" | "clock" | "log">;

/** Which contents are looked at: some spaces and change requests, those of an organization, or all. */
export interface ComputedPlaces {
  readonly spaceIds?: readonly string[];
  readonly changeRequestIds?: readonly string[];
  readonly organizationId?: string;
}

/** What the pages of a row `c (type, "organizationId", spec)` are made from now; null where there is nothing. */
function currentOf(): Sql {
  const cases = [...computedKinds.values()].map(({ type, current }) => sql`when c.type = ${type} then ${current}`);
  return sql`case ${cases.reduce((all, one) => sql`${all} ${one}`, emptySql)} end`;
}

const isIn = ({ spaceIds, organizationId }: ComputedPlaces): Sql =>
  spaceIds
    ? sql`s.id = any(${spaceIds}::text[])`
    : organizationId
      ? sql`s."organizationId" = ${organizationId}`
      : sql`true`;

/** The spaces whose main content has computed pages that are to be made anew. */
const staleSpaces = (of: ComputedPlaces): Sql =>
  sql`select distinct s.id as "spaceId", s."organizationId", null::text as "changeRequestId"
    from "PresentPage" p join "Space" s on s.id = p."spaceId"
    cross join lateral (select s."organizationId", p."fields"#>>'{computed,type}' as type, p."fields"#>>'{computed,spec}' as spec) c
    where p."type" = 'computed' and s."deletedAt" is null and ${isIn(of)}
      and not exists (select from "PresentPage" a where a."spaceId" = p."spaceId" and a."pageId" = p."parentId" and a."type" = 'computed')
      and p."fields"#>>'{computed,made}' is distinct from ${currentOf()}`;

/** The change requests that may have some: those whose computed pages are not the same as in the main content. */
const changeRequestsToSee = (of: ComputedPlaces): Sql =>
  sql`select cr."spaceId", s."organizationId", cr.id as "changeRequestId"
    from "ChangeRequest" cr join "Revision" r on r.id = cr."revisionId" and r."changeRequestId" = cr.id
    join "Space" s on s.id = cr."spaceId" join "Revision" m on m.id = s."revisionId"
    where cr.status in ('draft', 'open') and s."deletedAt" is null
      and ${of.changeRequestIds ? sql`cr.id = any(${of.changeRequestIds}::text[])` : isIn(of)}
      and exists (select from "pages_between"(m."treeHash", r."treeHash") b where b."type" = 'computed' and b."isThere")
    order by cr.id`;

/**
 * Makes the computed pages anew that are not made from what there is now. Answers how many contents have changed. What
 * cannot be made is logged, and tried again the next time. Stops early when `signal` says so.
 */
export async function computePages(at: Computing, of: ComputedPlaces = {}, signal?: AbortSignal): Promise<number> {
  let count = 0;
  const all = !of.spaceIds && !of.changeRequestIds;
  const statements = [
    ...(all || of.spaceIds?.length ? [staleSpaces(of)] : []),
    ...(all || of.changeRequestIds?.length ? [changeRequestsToSee(of)] : []),
  ];
  for (const statement of statements)
    for (const place of await at.database.query<ContentPlace>(statement)) {
      if (signal?.aborted) return count;
      try {
        if ((await computeContent(at, place, signal)) !== null) count++;
      } catch (error) {
        at.log.error({ err: error, ...place }, "Computed pages could not be made");
      }
    }
  return count;
}

/** How often a content is looked at again that others change meanwhile. */
const attempts = 5;

/** By the id of a content: what this process computes of it, and what it will compute then. */
const turns = new Map<string, { readonly now: Promise<unknown>; next: Promise<string | null> | null }>();

/**
 * The same for one content. Answers its revision when it has changed. Throws what a kind fails of. One process does it
 * once at a time: who comes meanwhile waits, and has what is new then computed together with others who wait.
 */
export async function computeContent(at: Computing, place: ContentPlace, signal?: AbortSignal): Promise<string | null> {
  const key = place.changeRequestId ?? place.spaceId;
  const turn = turns.get(key);
  const begin = () => {
    const now = computeNow(at, place, signal);
    const own = { now, next: null };
    turns.set(key, own);
    const end = () => void (turns.get(key) === own && turns.delete(key));
    now.then(end, end);
    return now;
  };
  if (!turn) return begin();
  turn.next ??= turn.now.then(begin, begin);
  return turn.next;
}

/** Nothing is half done when the signal ends it: what it has stored until then is in no content. */
async function computeNow(at: Computing, place: ContentPlace, signal: AbortSignal | undefined): Promise<string | null> {
  for (let attempt = 0; attempt < attempts && !signal?.aborted; attempt++) {
    const head = await findHead(at.database, place);
    if (!head) return null;
    const [tree] =
      head.treeHash === null ? [] : await readTrees((statement) => at.database.query(statement), [head.treeHash]);
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

interface FoundHead {
  readonly revisionId: string;
  readonly treeHash: string | null;
}

/** The revision in which a content is: of a change request only one of its own. */
async function findHead(
  database: Database,
  { spaceId, changeRequestId }: ContentPlace,
): Promise<FoundHead | undefined> {
  const of =
    changeRequestId === null
      ? sql`"Space" h on h."revisionId" = r.id where h.id = ${spaceId} and h."deletedAt" is null`
      : sql`"ChangeRequest" h on h."revisionId" = r.id and r."changeRequestId" = h.id
          where h.id = ${changeRequestId} and h.status in ('draft', 'open')`;
  const [head] = await database.query<FoundHead>(
    sql`select r.id as "revisionId", r."treeHash" from "Revision" r join ${of}`,
  );
  return head;
}

/** A computed page that is not made from what there is now. */
interface StalePage {
  readonly pageId: string;
  readonly computed: PageComputed;
  /** What it is to be made from; null for nothing. */
  readonly current: string | null;
}

async function findStale(database: Database, { organizationId }: ContentPlace, tree: PageTree): Promise<StalePage[]> {
  const pages = computedPagesIn(tree).flatMap(({ pageId, fields: { computed } }) =>
    computed ? [{ pageId, computed }] : [],
  );
  if (pages.length === 0) return [];
  const asked = pages.map(({ pageId, computed: { type, spec } }) => ({ pageId, organizationId, type, spec }));
  const rows = await database.query<{ pageId: string; current: string | null }>(
    sql`select c."pageId", ${currentOf()} as current
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) c("pageId" text, "organizationId" text, type text, spec text)`,
  );
  const currents = new Map(rows.map(({ pageId, current }) => [pageId, current]));
  return pages
    .map((page) => ({ ...page, current: currents.get(page.pageId) ?? null }))
    .filter(({ computed, current }) => (computed.made ?? null) !== current);
}

async function make(at: Computing, tree: PageTree, stale: readonly StalePage[]): Promise<NewContent> {
  const draft = new Draft(tree, at.clock.now());
  for (const { pageId, computed, current: made } of stale) {
    const kind = computedKinds.get(computed.type);
    const room = draft.roomBelow(pageId);
    const content = made === null ? undefined : await kind?.make(at, { pageId, computed, made, room });
    draft.compute(pageId, content ?? { made: null, text: "", pages: [] });
  }
  return draft.finish();
}

/** Characters of texts that one transaction stores: nobody waits for it, but it is not to take long. */
const partSize = 2_000_000;

/** Stores a content that no revision has yet: what is stored is not collected for a day. */
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

/**
 * Gives a content another tree, and answers its revision; null where it is no longer the one that the tree was made
 * for. What was never made before becomes no revision of its own.
 */
async function put(
  { database, clock }: Computing,
  place: ContentPlace,
  { head: found, content, stale }: { head: FoundHead; content: NewContent; stale: readonly StalePage[] },
): Promise<string | null> {
  return database.prisma.$transaction(async (transaction) => {
    const locked = await lock(transaction, place);
    const head = locked && (await readHead(transaction, locked.revisionId));
    if (!head || head.revisionId !== found.revisionId || head.treeHash !== found.treeHash) return null;
    const { treeHash, documents } = content;
    await deriveInside(transaction, place.spaceId, documents);
    const isNew = locked.isFrozen && stale.some(({ computed }) => computed.made !== undefined);
    if (!isNew) {
      await appendEvents(transaction, null, [await replaceTree(transaction, place, { head, treeHash })]);
      return head.revisionId;
    }
    const specs = new Set(stale.map(({ computed }) => computed.spec));
    const message = `Computed anew from ${[...specs].join(", ")}`.slice(0, 500);
    const revision = { head, content: { ...head, treeHash }, type: "update", message } as const;
    const written = await writeRevision(transaction, { viewer: { userId: null }, clock }, place, revision);
    await appendEvents(transaction, null, written.events);
    return written.result.revisionId;
  });
}

/** Locks a content as its writers do, also that of a locked space: this is no edit. Null when it is gone or ended. */
async function lock(
  transaction: Transaction,
  place: ContentPlace,
): Promise<{ revisionId: string; isFrozen: boolean } | null> {
  const { spaceId, changeRequestId } = place;
  if (changeRequestId !== null) {
    const locked = await lockChangeRequest(transaction, { ...place, changeRequestId }).catch((error: unknown) => {
      if (error instanceof DomainError) return null;
      throw error;
    });
    return locked && { revisionId: locked.revisionId, isFrozen: false };
  }
  const [space] = await transaction.$queryRaw<{ revisionId: string; isFrozen: boolean }[]>(
    sql`select "revisionId", "freezesComputed" as "isFrozen" from "Space" where id = ${spaceId} and "deletedAt" is null for no key update`,
  );
  return space ?? null;
}

/** Gives the active revision of a locked content another tree: the one case in which a revision changes. */
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
  const of =
    changeRequestId === null
      ? ([contentEvents.ofSpaceUpdated, spaceId] as const)
      : ([contentEvents.ofChangeRequestUpdated, changeRequestId] as const);
  return { type: of[0], subjectId: of[1], organizationId, spaceId, payload };
}
