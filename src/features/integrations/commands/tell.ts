// Telling installations what has happened: each event of the outbox becomes an event of those that hear of it, once,
// however many processes do this, and whenever they end.
import type { Clock } from "#src/base/time.ts";
import { idOf, newId } from "#src/base/ids.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { removeInBatches } from "#src/db/maintenance/remove-in-batches.ts";
import { safePosition } from "#src/events/safe-position.ts";
import { segmentIdFor } from "#src/events/segments.ts";
import { setupEvents } from "#src/features/integrations/events.ts";
import { readingScopes } from "#src/features/integrations/model/scopes.ts";
import { told, toldPayload } from "#src/features/integrations/commands/told.ts";

/** How many events of the outbox are told of at once. */
const batchSize = 200;

/** Where the feed was and where it goes, and an event with an installation that hears of it; null for none. */
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
 * Tells installations of what was committed, up to the oldest of ours that is still open. Answers how many events
 * they were told.
 *
 * An installation always hears of its own setup. It hears of a space while it and its place on the space are active
 * and its scopes let it read spaces; never of what it did itself, so that none answers itself for ever. What happens
 * while it is paused it never hears.
 */
export async function tellInstallations(database: Pick<Database, "query">, clock: Clock): Promise<number> {
  let total = 0;
  for (;;) {
    const rows = await heard(database);
    const [first] = rows;
    if (!first) return total; // nothing has happened
    total += await record(database, { rows, feed: first, now: clock.now() });
    if (first.count < batchSize) return total;
  }
}

/** The next events of the outbox, each with the installations that hear of it; one row where nobody does. */
function heard(database: Pick<Database, "query">): Promise<Row[]> {
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
      where b.type = any(${Object.keys(told)}::text[])
        and case when b.type = any(${Object.values(setupEvents)}::text[]) then i.id = b.payload->>'installationId'
          else i.status = 'active' and i.scopes && ${readingScopes}::text[] and exists (select from "IntegrationSpace" s
            where s."installationId" = i.id and s."spaceId" = b."spaceId" and s.status = 'active') end
      ) h on true
    order by h."transactionId", h.id, h."installationId"`);
}

/** Writes the events and moves the feed, in one statement; nothing where another process has done so. */
async function record(
  database: Pick<Database, "query">,
  { rows, feed, now }: { rows: readonly Row[]; feed: Row; now: Date },
): Promise<number> {
  const events = rows.flatMap(({ installationId, actorId, ...happened }) => {
    const isNobody = installationId === null || actorId === idOf("User", installationId);
    const type = told[happened.type]?.type;
    return isNobody ? [] : [{ id: newId("IntegrationEvent"), installationId, type, payload: toldPayload(happened) }];
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

/** How long events of installations are kept, in milliseconds. */
const keptMs = 30 * 24 * 3_600_000;

/** Removes the events of installations of more than 30 days. Answers how many there were. */
export async function trimIntegrationEvents(database: Pick<Database, "query">, now: Date): Promise<number> {
  const end = new Date(now.getTime() - keptMs).toISOString();
  return removeInBatches(
    database,
    (most) => sql`delete from "IntegrationEvent" where id in (
      select e.id from "IntegrationEvent" e where e."createdAt" < ${end}::timestamptz limit ${most})`,
  );
}
