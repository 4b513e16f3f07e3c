// Delivers due events to installations: each gets its own in order, at least once, whichever process delivers them.
// Failed events are retried for a day, and block later events of the installation.
import { type Database, sql } from "#src/db/connection/database.ts";
import { type LeaseColumns, type Lease, type LongWork, workOn } from "#src/jobs/long-work.ts";
import type { IntegrationEventStatus } from "#src/generated/prisma/enums.ts";
import type { IntegrationEventModel } from "#src/generated/prisma/models.ts";
import { type Backoff, backoffMs } from "#src/runtime/backoff.ts";
import { DomainError, type ErrorCode } from "#src/base/errors.ts";
import { spanned, type Tracer } from "#src/runtime/spans.ts";
import { type RunHost, type Runnable, runnableOf } from "#src/features/integrations/commands/runs/runnable.ts";
import { runFor } from "#src/features/integrations/commands/runs/run.ts";
import { pendingHeads } from "#src/features/integrations/reads/pending-events.ts";
import type { Turns } from "#src/features/integrations/commands/runs/turns.ts";
import { line, type Outcome, traceOf } from "#src/features/integrations/model/runs/outcome.ts";

/** Counts of delivery attempts by result since the start of the process. */
export class DeliveryCounts {
  ok = 0;
  /** Failed attempts that will be retried. */
  retried = 0;
  /** Events given up after a day of failures. */
  givenUp = 0;
}

export interface DeliveryHost extends RunHost {
  readonly deliveries: DeliveryCounts;
  readonly turns: Turns;
  readonly tracing?: Tracer | undefined;
}

interface DueEvent extends Pick<IntegrationEventModel, "id" | "installationId" | "type" | "tries"> {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly organizationId: string;
}

/** The limit of events that are claimed at once for one installation. */
const perInstallation = 50;

interface Claiming {
  readonly now: Date;
  readonly lease: LeaseColumns;
  readonly most: number;
  /** Organizations whose installations are not claimed. */
  readonly except?: readonly string[];
}

/**
 * Claims installations whose first pending event is due, and returns their due events, each installation's in order.
 * An event that waits for its next attempt blocks later ones. Those whose deliveries took the least time come first.
 */
export async function nextDueEvents(
  database: Pick<Database, "query">,
  { now, lease: columns, most, except = [] }: Claiming,
): Promise<DueEvent[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { lease, leaseUntil } = columns;
  return database.query<DueEvent>(sql`
    with recursive ${pendingHeads},
    due as (
      select i.id from heads h join "IntegrationInstallation" i on i.id = h.id
      where h."nextTryAt" <= ${at} and (i."leaseUntil" is null or i."leaseUntil" < ${at})
        and i."organizationId" <> all(${[...except]}::text[])
      order by greatest(i."turnAt", ${at}), h.sequence, i.id limit ${most} for update of i skip locked),
    taken as (
      update "IntegrationInstallation" i set lease = ${lease}, "leaseUntil" = ${leaseUntil.toISOString()}::timestamptz
      from due where i.id = due.id returning i.id, i."organizationId"),
    first as (
      select e.*, taken."organizationId", bool_and(e."nextTryAt" <= ${at}) over (partition by e."installationId" order by e.sequence) as "isDue"
      from taken cross join lateral (
        select w.* from "IntegrationEvent" w where w."installationId" = taken.id and w.status = 'pending'
        order by w.sequence limit ${perInstallation}) e)
    select e.id, e."installationId", e."organizationId", e.type::text as type, e.payload, e.tries, e."createdAt"
    from first e where e."isDue" order by e."installationId", e.sequence`);
}

/** The result of an attempt: `pending` events are retried at `nextTryAt`. */
interface Delivered {
  readonly status: IntegrationEventStatus;
  readonly nextTryAt?: Date;
  readonly durationMs: number;
  readonly logs: readonly { readonly message: string; readonly timestamp: string; readonly level: string }[];
}

/**
 * Writes the result of an attempt, and moves the turn of the installation by its duration; false if another process has
 * claimed the installation meanwhile.
 */
export async function finishEvent(
  database: Pick<Database, "query">,
  { id, installationId }: Pick<DueEvent, "id" | "installationId">,
  { lease, now, outcome }: { lease: string; now: Date; outcome: Delivered },
): Promise<boolean> {
  const { status, nextTryAt = now, durationMs, logs } = outcome;
  const finishedAt = status === "pending" ? null : now.toISOString();
  const duration = Math.round(durationMs);
  const written = await database.query<{ id: string }>(sql`
    with turn as (
      update "IntegrationInstallation" i set "turnAt" =
        greatest(i."turnAt", ${now.toISOString()}::timestamptz) + ${duration}::int * interval '1 millisecond'
      where i.id = ${installationId} and i.lease = ${lease} returning i.id)
    update "IntegrationEvent" e set status = ${status}::"IntegrationEventStatus", tries = e.tries + 1,
      "nextTryAt" = ${nextTryAt.toISOString()}::timestamptz, "durationMs" = ${duration}::int,
      logs = ${JSON.stringify(logs)}::json, "finishedAt" = ${finishedAt}::timestamptz
    from turn where e.id = ${id} and e."installationId" = turn.id
    returning e.id`);
  return written.length > 0;
}

/** How long an event is retried, in milliseconds, from its creation. */
const givenUpAfterMs = 24 * 3_600_000;
const backoff: Backoff = { firstMs: 5_000, mostMs: 3_600_000 };

/** How much longer than an attempt the wait after it is at least: a minute after the time limit of a script. */
const waitPerDuration = 6;

/**
 * Null when it is given up. Delays double from 5 seconds to an hour, and are longer after long attempts; the last
 * attempt is after 24 hours.
 */
export function nextTry(
  tries: number,
  { createdAt, now, durationMs = 0 }: { createdAt: Date; now: Date; durationMs?: number },
): Date | null {
  const end = createdAt.getTime() + givenUpAfterMs;
  if (now.getTime() >= end) return null;
  const waitMs = Math.max(backoffMs(backoff, tries), waitPerDuration * durationMs);
  return new Date(Math.min(now.getTime() + waitMs, end));
}

/** How long leases of a dead process delay installations, in milliseconds; a run takes at most 10 seconds. */
const leaseMs = 15_000;

/** How long one claim of an installation starts further attempts, in milliseconds; then it is the turn of others. */
const turnMs = 10_000;

type DueInstallation = { readonly id: string; readonly organizationId: string; readonly events: readonly DueEvent[] };

/** Delivers the due events of one installation, and returns the number of attempts. `taken` is called first. */
export async function deliverDueEvents(host: DeliveryHost, stopping: AbortSignal, taken = () => {}): Promise<number> {
  const { database, clock, turns } = host;
  const work: LongWork<DueInstallation, number> = {
    table: "IntegrationInstallation",
    noun: "installation",
    isFrequent: true,
    leaseMs,
    async claim(lease) {
      const events = await nextDueEvents(database, { now: clock.now(), lease, most: 1, except: turns.full });
      const [first] = events;
      if (!first) return null;
      const { installationId: id, organizationId } = first;
      turns.add(organizationId, 1);
      taken();
      return { id, organizationId, events };
    },
    start: (due, lease) => ({
      run: () => deliverInOrder(host, due, lease).finally(() => turns.add(due.organizationId, -1)),
    }),
  };
  return (await workOn(host, work, stopping)) ?? 0;
}

async function deliverInOrder(host: DeliveryHost, { id, events }: DueInstallation, lease: Lease): Promise<number> {
  const { signal, claimed } = lease;
  if (signal.aborted) return 0; // before starting a run whose failure would get lost
  const runnable = runnableOf(host, id);
  let [tried, usedMs] = [0, 0];
  for (const event of events) {
    if (signal.aborted || usedMs > turnMs) break;
    const outcome = await spanned({ name: `deliver ${event.type}`, tracer: host.tracing }, () =>
      outcomeOf(host, runnable, event),
    ).catch((error: unknown) => unexpected(host, event, error));
    if (!outcome) break; // the installation was deleted
    tried += 1;
    usedMs += outcome.durationMs;
    const now = host.clock.now();
    const delivered = deliveredOf(outcome, event, now);
    const isKept = await finishEvent(host.database, event, { lease: claimed.lease, now, outcome: delivered });
    host.deliveries[countedAs[delivered.status]] += 1;
    if (!isKept || delivered.status === "pending") break; // later events wait for it
  }
  return tried;
}

/** The outcome of an event; null if its installation was deleted. */
async function outcomeOf(host: RunHost, of: Promise<Runnable | null>, event: DueEvent): Promise<Outcome | null> {
  const { id, installationId, type, payload, createdAt } = event;
  const runnable = await of;
  if (!runnable) return null;
  if (runnable.status === "paused") {
    const logs = [line("warn", "The installation is paused: the event was skipped.", host.clock.now())];
    return { answer: null, fault: null, logs, durationMs: 0 };
  }
  const at = new Date(createdAt).toISOString();
  return runFor(host, runnable, { ...payload, eventId: id, type, installationId, createdAt: at });
}

/** Codes of errors that are not faults: the installation has used its quota, or the gateway is shutting down. */
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["RATE_LIMITED", "UNAVAILABLE"]);

/** Errors of the gateway are retried like those of the script, and do not block other installations. */
function unexpected({ log }: RunHost, { id }: DueEvent, error: unknown): Outcome {
  if (error instanceof DomainError && passing.has(error.code))
    return { answer: null, fault: error.message, logs: [], durationMs: 0 };
  log.error({ err: error, event: id }, "An event could not be delivered to an integration");
  return { answer: null, fault: "The gateway could not run this event.", logs: [], durationMs: 0 };
}

const countedAs = { success: "ok", pending: "retried", failure: "givenUp" } as const;

function deliveredOf(outcome: Outcome, { tries, createdAt }: DueEvent, now: Date): Delivered {
  const { durationMs } = outcome;
  const logs = traceOf(outcome, now);
  if (outcome.fault === null) return { status: "success", durationMs, logs };
  const nextTryAt = nextTry(tries + 1, { createdAt: new Date(createdAt), now, durationMs });
  return nextTryAt ? { status: "pending", nextTryAt, durationMs, logs } : { status: "failure", durationMs, logs };
}
