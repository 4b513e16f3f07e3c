// The events that installations wait for: who delivers takes installations, one after the other each, and says what has
// come of each event.
import { type Database, sql } from "#src/db/database.ts";
import type { Lease } from "#src/jobs/lease.ts";
import type { IntegrationEventStatus, IntegrationEventType } from "#src/generated/prisma/enums.ts";

/** An event that is to be delivered now, of an installation that the lease holds. */
export interface DueEvent {
  readonly id: string;
  readonly installationId: string;
  readonly type: IntegrationEventType;
  readonly payload: Readonly<Record<string, unknown>>;
  /** How often it was tried. */
  readonly tries: number;
  readonly createdAt: string;
}

/** How many events of one installation are handed out at once. */
const perInstallation = 50;

/**
 * Takes installations whose next event is due, for the lease, and answers their events that are due now: those of one
 * installation next to each other, in their order. Another process takes none of them until the lease is over or
 * {@link releaseInstallations} was called. An event that waits for its next try holds up those after it.
 */
export async function nextDueEvents(
  database: Pick<Database, "query">,
  { now, lease, most }: { now: Date; lease: Pick<Lease, "columns">; most: number },
): Promise<DueEvent[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { lease: key, leaseUntil } = lease.columns;
  return database.query<DueEvent>(sql`
    with due as (
      select i.id from "IntegrationInstallation" i
      where (i."leaseUntil" is null or i."leaseUntil" < ${at}) and i.id in (
        select e."installationId" from "IntegrationEvent" e
        where e.status = 'pending' and e."nextTryAt" <= ${at} and not exists (
          select from "IntegrationEvent" b where b."installationId" = e."installationId" and b.status = 'pending'
            and b.sequence < e.sequence and b."nextTryAt" > ${at}))
      order by (select min(e.sequence) from "IntegrationEvent" e
        where e."installationId" = i.id and e.status = 'pending'), i.id limit ${most} for update skip locked),
    taken as (
      update "IntegrationInstallation" i set lease = ${key}, "leaseUntil" = ${leaseUntil.toISOString()}::timestamptz
      from due where i.id = due.id returning i.id)
    select e.id, e."installationId", e.type::text as type, e.payload, e.tries, e."createdAt"
    from taken cross join lateral (
      select w.* from "IntegrationEvent" w
      where w."installationId" = taken.id and w.status = 'pending'
        and not exists (select from "IntegrationEvent" b where b."installationId" = taken.id and b.status = 'pending'
          and b.sequence <= w.sequence and b."nextTryAt" > ${at})
      order by w.sequence limit ${perInstallation}) e
    order by e."installationId", e.sequence`);
}

/** What has come of a try: `pending` is tried again at `nextTryAt`. */
export interface Delivered {
  readonly status: IntegrationEventStatus;
  readonly nextTryAt?: Date;
  readonly durationMs: number;
  readonly logs: readonly { readonly message: string; readonly timestamp: string; readonly level: string }[];
}

/** Writes what has come of an event; false where another process has its installation by now. */
export async function finishEvent(
  database: Pick<Database, "query">,
  { id, installationId }: Pick<DueEvent, "id" | "installationId">,
  { lease, now, outcome }: { lease: Pick<Lease, "key">; now: Date; outcome: Delivered },
): Promise<boolean> {
  const { status, nextTryAt = now, durationMs, logs } = outcome;
  const finishedAt = status === "pending" ? null : now.toISOString();
  const written = await database.query<{ id: string }>(sql`
    update "IntegrationEvent" e set status = ${status}::"IntegrationEventStatus", tries = e.tries + 1,
      "nextTryAt" = ${nextTryAt.toISOString()}::timestamptz, "durationMs" = ${Math.round(durationMs)}::int,
      logs = ${JSON.stringify(logs)}::json, "finishedAt" = ${finishedAt}::timestamptz
    from "IntegrationInstallation" i
    where e.id = ${id} and i.id = ${installationId} and e."installationId" = i.id and i.lease = ${lease.key}
    returning e.id`);
  return written.length > 0;
}

/** Gives back the installations that the lease holds: others may take them at once. */
export async function releaseInstallations(database: Pick<Database, "query">, { key }: Pick<Lease, "key">) {
  await database.query(
    sql`update "IntegrationInstallation" set lease = null, "leaseUntil" = null where lease = ${key}`,
  );
}
