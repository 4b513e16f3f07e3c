// The queue of events of installations: each event of the outbox becomes an event of each subscribed installation,
// exactly once, no matter which processes do this and when they end.
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import { commentEvents, replyEvents } from "#src/features/comments/events.ts";
import { contentEvents } from "#src/features/content/events.ts";
import {
  developmentEvents,
  installationEvents,
  integrationEventEvents,
  integrationEvents as publishing,
  setupEvents,
} from "#src/features/integrations/events.ts";
import type { IntegrationEventType } from "#src/generated/prisma/enums.ts";
import type { Clock } from "#src/base/time.ts";
import { idOf, newId } from "#src/base/ids.ts";
import { type Database, type Queries, sql } from "#src/db/connection/database.ts";
import { removeOlder } from "#src/db/maintenance/remove-rows.ts";
import { safePosition } from "#src/events/safe-position.ts";
import { segmentIdFor } from "#src/events/segments.ts";
import { readingScopes } from "#src/features/integrations/model/terms.ts";
import { DomainError } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import { change } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { mayRetryIntegrationEvent } from "#src/features/integrations/access.ts";
import { integrationEvents } from "#src/features/integrations/reads.ts";
import { pendingHeads } from "#src/features/integrations/reads/pending-events.ts";

interface Mapping {
  readonly type: IntegrationEventType;
  /** The name of the id of the subject in the payload. */
  readonly subject?: "spaceId" | "changeRequestId" | "commentId" | "commentReplyId";
}

const changeRequest = (type: IntegrationEventType): Mapping => ({ type, subject: "changeRequestId" });
const comment = (type: IntegrationEventType): Mapping => ({ type, subject: "commentId" });
const reply = (type: IntegrationEventType): Mapping => ({ type, subject: "commentReplyId" });

/** Each change leads to one event: a change that writes content to that of the content, not to that of its cause. */
const eventMapping: Readonly<Record<string, Mapping>> = {
  [setupEvents.installation]: { type: "installation_setup" },
  [setupEvents.space]: { type: "space_installation_setup" },
  [setupEvents.site]: { type: "site_installation_setup" },
  [contentEvents.ofSpaceUpdated]: { type: "space_content_updated", subject: "spaceId" },
  [changeRequestEvents.opened]: changeRequest("change_request_opened"),
  [changeRequestEvents.updated]: changeRequest("change_request_updated"),
  [changeRequestEvents.statusChanged]: changeRequest("change_request_updated"),
  [contentEvents.ofChangeRequestUpdated]: changeRequest("change_request_updated"),
  [changeRequestEvents.merged]: changeRequest("change_request_merged"),
  [commentEvents.created]: comment("comment_created"),
  [commentEvents.updated]: comment("comment_updated"),
  [commentEvents.resolved]: comment("comment_updated"),
  [commentEvents.reopened]: comment("comment_updated"),
  [replyEvents.created]: reply("comment_updated"),
  [replyEvents.updated]: reply("comment_updated"),
};

/** Events after which waiting events are due. */
const retrying: ReadonlySet<string> = new Set([
  integrationEventEvents.retried,
  publishing.published,
  developmentEvents.devModeSet,
  developmentEvents.devModeEnded,
  installationEvents.updated,
]);

/** Whether the event may lead to deliveries. */
export const isDelivered = ({ type }: { readonly type: string }): boolean =>
  Object.hasOwn(eventMapping, type) || retrying.has(type);

/** Whether the event is of content, not of an installation: it leads to deliveries where something is installed. */
export const isOfContent = ({ type }: { readonly type: string }): boolean => eventMapping[type]?.subject !== undefined;

/** The payload properties to send: ids, never content. */
const ids = "changeRequestId commentId revisionId revisionBeforeId mergedRevisionId".split(" ");
const setup = "integrationId installationId siteId status previous".split(" ");

type OutboxEvent = Pick<Row, "type" | "subjectId" | "organizationId" | "spaceId" | "payload">;

/** The payload for installations, without nulls. */
function eventPayload({ type, subjectId, organizationId, spaceId, payload }: OutboxEvent): Record<string, unknown> {
  const subject = eventMapping[type]?.subject;
  const facts = (subject ? ids : setup).map((name) => [name, payload[name] ?? null] as const);
  const all = [
    ["organizationId", organizationId],
    ["spaceId", spaceId ?? payload["spaceId"] ?? null],
    ...facts,
  ] as const;
  return Object.fromEntries([...all, ...(subject ? [[subject, subjectId]] : [])].filter(([, value]) => value !== null));
}

const batchSize = 200;

/** The old and new position in the outbox, with an event and an installation that gets it; null if none does. */
interface Row {
  from: number;
  fromTransaction: number;
  to: number;
  toTransaction: number;
  count: number;
  installationId: string | null;
  type: string;
  subjectId: string;
  organizationId: string | null;
  spaceId: string | null;
  actorId: string | null;
  payload: Record<string, unknown>;
}

/**
 * Enqueues committed events, up to the oldest open transaction, and returns their number. An installation
 * gets its own setup events, and events of spaces where it is active and may read; never events of its own actions,
 * which could loop, and no events from while it was paused.
 */
export async function enqueueEvents(database: Pick<Database, "query">, clock: Clock): Promise<number> {
  let total = 0;
  for (;;) {
    const rows = await readBatch(database);
    const [first] = rows;
    if (!first) return total; // no events
    total += await writeEvents(database, { rows, feed: first, now: clock.now() });
    if (first.count < batchSize) return total;
  }
}

/** The next events of the outbox, each with the installations that get it; one row without an event at its end. */
function readBatch(database: Pick<Database, "query">): Promise<Row[]> {
  return database.query<Row>(sql`
    with ${safePosition}, batch as materialized (
      select o.*, f."transactionId" as "fromTransaction", f."eventId" as "from"
      from "IntegrationFeed" f cross join lateral (select ${segmentIdFor(sql`f."transactionId"`)} as id) s
      cross join lateral (select e.* from "OutboxEvent" e
        where e.segment >= s.id and (e."transactionId", e.id) > (f."transactionId", f."eventId")
          and e."transactionId" < (select h.id from horizon h)
        order by e."transactionId", e.id limit ${batchSize}) o),
    last as (select b."transactionId" as "toTransaction", b.id as "to", (select count(*)::int from batch) as count,
        b."fromTransaction", b."from"
      from batch b order by b."transactionId" desc, b.id desc limit 1)
    select l.*, h.* from last l left join (
      select b."transactionId", b.id, i.id as "installationId", b.type, b."subjectId", b."organizationId", b."spaceId",
        b."actorId", b.payload
      from batch b
      join "IntegrationInstallation" i on i."organizationId" = b."organizationId"
      where b.type = any(${Object.keys(eventMapping)}::text[])
        and case when b.type = any(${Object.values(setupEvents)}::text[]) then i.id = b.payload->>'installationId'
          else i.status = 'active' and i.scopes && ${readingScopes}::text[] and exists (select from "IntegrationSpace" s
            where s."installationId" = i.id and s."spaceId" = b."spaceId" and s.status = 'active') end
      ) h on true
    order by h."transactionId", h.id, h."installationId"`);
}

/** Writes the events and moves the position, in one statement; nothing if another process has done so. */
async function writeEvents(
  database: Pick<Database, "query">,
  { rows, feed, now }: { rows: readonly Row[]; feed: Row; now: Date },
): Promise<number> {
  const events = rows.flatMap(({ installationId, actorId, ...event }) => {
    const isSkipped = installationId === null || actorId === idOf("User", installationId);
    const type = eventMapping[event.type]?.type;
    return isSkipped ? [] : [{ id: newId("IntegrationEvent"), installationId, type, payload: eventPayload(event) }];
  });
  const at = sql`${now.toISOString()}::timestamptz`;
  const written = await database.query<{ id: string }>(sql`
    with moved as (
      update "IntegrationFeed" set "transactionId" = ${feed.toTransaction}::bigint, "eventId" = ${feed.to}::bigint,
        sequence = sequence + ${events.length}::int
      where "transactionId" = ${feed.fromTransaction}::bigint and "eventId" = ${feed.from}::bigint
      returning sequence - ${events.length}::int as sequence)
    insert into "IntegrationEvent" (id, "installationId", type, payload, sequence, "createdAt", "nextTryAt")
    select e.event->>'id', i.id, (e.event->>'type')::"IntegrationEventType", (e.event->'payload')::json,
      m.sequence + e.place, ${at}, ${at}
    from moved m cross join json_array_elements(${JSON.stringify(events)}::json) with ordinality e (event, place)
    join "IntegrationInstallation" i on i.id = e.event->>'installationId'
    returning id`);
  return written.length;
}

const keptMs = 30 * 24 * 3_600_000;

/** Removes events of installations after 30 days, and returns their number. */
export async function trimIntegrationEvents(database: Pick<Database, "query">, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keptMs);
  return removeOlder(database, { table: "IntegrationEvent", column: "createdAt", before });
}

/** The age of the oldest event that is not enqueued, and of the oldest that is pending; 0 if missing. */
export interface Undelivered {
  readonly unsentSeconds: number;
  readonly waitingSeconds: number;
  /** At most {@link mostCounted}. */
  readonly waiting: number;
}

/** How many pending events are counted: each scrape reads them. */
const mostCounted = 10_000;

/** Each part reads one row, or at most `most`, however many wait: it is sent while the queue is longest. */
export async function readUndelivered(database: Queries, most = mostCounted): Promise<Undelivered> {
  const [row] = await database.query<Undelivered>(sql`
    with recursive ${pendingHeads}
    select coalesce(extract(epoch from now() - unsent.at), 0)::float as "unsentSeconds",
      coalesce(extract(epoch from now() - (select min(h."createdAt") from heads h)), 0)::float as "waitingSeconds",
      (select count(*)::int from (select from "IntegrationEvent" where status = 'pending' limit ${most}) e) as waiting
    from (values (0)) one left join lateral (
      select o."createdAt" as at
      from "IntegrationFeed" f cross join lateral (select ${segmentIdFor(sql`f."transactionId"`)} as id) s
      cross join lateral (select e."createdAt" from "OutboxEvent" e
        where e.segment >= s.id and (e."transactionId", e.id) > (f."transactionId", f."eventId")
        order by e."transactionId", e.id limit 1) o
      limit 1) unsent on true`);
  return row ?? { unsentSeconds: 0, waitingSeconds: 0, waiting: 0 };
}

/** Retries an event now. NOT_FOUND; CONFLICT for a handled event, and unless the installation is active. */
export async function retryIntegrationEvent(context: Context, id: string): Promise<{ id: string }> {
  const projection = project(["installationId", "organizationId", "integrationId"]);
  const event = await context.reader.found(integrationEvents, id, projection);
  return change(context, mayRetryIntegrationEvent, event, async (transaction) => {
    const { installationId, integrationId, organizationId } = event;
    const [row] = await transaction.$queryRaw<{ isTried: boolean }[]>(sql`
      with tried as (
        update "IntegrationEvent" e set status = 'pending', "finishedAt" = null,
          "nextTryAt" = ${context.clock.now().toISOString()}::timestamptz
        from "IntegrationInstallation" i
        where e.id = ${id} and e.status <> 'success' and i.id = e."installationId" and i.status = 'active'
        returning e.id)
      select exists(select from tried) as "isTried"`);
    if (!row?.isTried)
      throw new DomainError(
        "CONFLICT",
        "The event was handled, or its installation is not active: only unhandled events of active installations can be retried.",
      );
    const payload = { installationId, integrationId };
    const retried = { type: integrationEventEvents.retried, subjectId: id, organizationId, payload };
    return { result: { id }, events: [retried] };
  });
}
