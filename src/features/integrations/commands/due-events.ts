// The due events of installations: a process claims installations, delivers their events in order, and writes what
// came of each.
import { type Database, sql } from "#src/db/connection/database.ts";
import type { LeaseColumns } from "#src/jobs/long-work.ts";
import type { IntegrationEventStatus, IntegrationEventType } from "#src/generated/prisma/enums.ts";

/** An event that is due, of a claimed installation. */
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
 * The first pending event of each installation, if any: a loose index scan on `("installationId", sequence)`, one
 * probe for each such installation, however many events wait behind the first.
 */
const heads = sql`
    heads as (
      (select e."installationId" as id, e.sequence, e."nextTryAt" from "IntegrationEvent" e
        where e.status = 'pending' order by e."installationId", e.sequence limit 1)
      union all
      select n.* from heads h cross join lateral (
        select e."installationId", e.sequence, e."nextTryAt" from "IntegrationEvent" e
        where e.status = 'pending' and e."installationId" > h.id order by e."installationId", e.sequence limit 1) n)`;

/**
 * Claims installations whose first pending event is due, for the lease, and returns their events that are due now:
 * those of one installation next to each other, in their order. An event that waits for its next try holds up those
 * after it.
 */
export async function nextDueEvents(
  database: Pick<Database, "query">,
  { now, lease: columns, most }: { now: Date; lease: LeaseColumns; most: number },
): Promise<DueEvent[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { lease, leaseUntil } = columns;
  return database.query<DueEvent>(sql`
    with recursive ${heads},
    due as (
      select i.id from heads h join "IntegrationInstallation" i on i.id = h.id
      where h."nextTryAt" <= ${at} and (i."leaseUntil" is null or i."leaseUntil" < ${at})
      order by h.sequence, i.id limit ${most} for update of i skip locked),
    taken as (
      update "IntegrationInstallation" i set lease = ${lease}, "leaseUntil" = ${leaseUntil.toISOString()}::timestamptz
      from due where i.id = due.id returning i.id),
    first as (
      select e.*, bool_and(e."nextTryAt" <= ${at}) over (partition by e."installationId" order by e.sequence) as "isDue"
      from taken cross join lateral (
        select w.* from "IntegrationEvent" w where w."installationId" = taken.id and w.status = 'pending'
        order by w.sequence limit ${perInstallation}) e)
    select e.id, e."installationId", e.type::text as type, e.payload, e.tries, e."createdAt"
    from first e where e."isDue" order by e."installationId", e.sequence`);
}

/** What has come of a try: `pending` is tried again at `nextTryAt`. */
export interface Delivered {
  readonly status: IntegrationEventStatus;
  readonly nextTryAt?: Date;
  readonly durationMs: number;
  readonly logs: readonly { readonly message: string; readonly timestamp: string; readonly level: string }[];
}

/** Writes what has come of an event; false if another process has claimed its installation by now. */
export async function finishEvent(
  database: Pick<Database, "query">,
  { id, installationId }: Pick<DueEvent, "id" | "installationId">,
  { lease, now, outcome }: { lease: string; now: Date; outcome: Delivered },
): Promise<boolean> {
  const { status, nextTryAt = now, durationMs, logs } = outcome;
  const finishedAt = status === "pending" ? null : now.toISOString();
  const written = await database.query<{ id: string }>(sql`
    update "IntegrationEvent" e set status = ${status}::"IntegrationEventStatus", tries = e.tries + 1,
      "nextTryAt" = ${nextTryAt.toISOString()}::timestamptz, "durationMs" = ${Math.round(durationMs)}::int,
      logs = ${JSON.stringify(logs)}::json, "finishedAt" = ${finishedAt}::timestamptz
    from "IntegrationInstallation" i
    where e.id = ${id} and i.id = ${installationId} and e."installationId" = i.id and i.lease = ${lease}
    returning e.id`);
  return written.length > 0;
}
