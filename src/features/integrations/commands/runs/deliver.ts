// Delivering events to installations: each gets its own one after the other, at least once, whichever process delivers
// them; what fails is tried again for a day, and holds up what comes after it.
import { DomainError, type ErrorCode } from "#src/base/errors.ts";
import { spanned } from "#src/runtime/spans.ts";
import { Lease } from "#src/jobs/lease.ts";
import {
  type Delivered,
  type DueEvent,
  finishEvent,
  nextDueEvents,
  releaseInstallations,
} from "#src/features/integrations/commands/due-events.ts";
import type { DeliveryHost, RunHost } from "#src/features/integrations/commands/runs/host.ts";
import { runFor } from "#src/features/integrations/commands/runs/run.ts";
import { type Runnable, runnableOf } from "#src/features/integrations/commands/runs/runnable.ts";
import { line, type Outcome, traceOf } from "#src/features/integrations/model/runs/outcome.ts";
import { nextTry } from "#src/features/integrations/model/runs/retry.ts";

/** How long, in milliseconds, installations wait for a process that is gone; a run takes 10 seconds at most. */
const leaseMs = 15_000;

/**
 * Delivers what is due now to one installation that nobody serves. Answers how many events were tried; 0 when there is
 * nothing to do. `taken` is called once there is something.
 */
export async function deliverDueEvents(host: DeliveryHost, stopping: AbortSignal, taken = () => {}): Promise<number> {
  const { database, clock } = host;
  using lease = new Lease(clock, leaseMs);
  const due = await nextDueEvents(database, { now: clock.now(), lease, most: 1 });
  if (due.length === 0) return 0;
  taken();
  void lease.keep(
    (columns) => renew(host, columns),
    () => new Error("The lease was lost."),
  );
  try {
    return await deliverInOrder(host, due, { lease, ended: AbortSignal.any([stopping, lease.lost]) });
  } finally {
    await releaseInstallations(database, lease);
  }
}

async function renew({ database }: RunHost, { lease, leaseUntil }: Lease["columns"]): Promise<boolean> {
  const held = await database.prisma.integrationInstallation.updateMany({ where: { lease }, data: { leaseUntil } });
  return held.count > 0;
}

interface Held {
  readonly lease: Lease;
  readonly ended: AbortSignal;
}

async function deliverInOrder(host: DeliveryHost, events: readonly DueEvent[], held: Held): Promise<number> {
  const [first] = events;
  if (!first || held.ended.aborted) return 0; // before what is begun, which else would fail unheard
  const runnable = runnableOf(host, first.installationId);
  let tried = 0;
  for (const event of events) {
    if (held.ended.aborted) break;
    const outcome = await spanned({ name: `deliver ${event.type}`, tracer: host.tracing }, () =>
      outcomeOf(host, runnable, event),
    ).catch((error: unknown) => unexpected(host, event, error));
    if (!outcome) break; // the installation is gone
    tried += 1;
    const now = host.clock.now();
    const delivered = deliveredOf(outcome, event, now);
    const isKept = await finishEvent(host.database, event, { lease: held.lease, now, outcome: delivered });
    host.deliveries[countedAs[delivered.status]] += 1;
    if (!isKept || delivered.status === "pending") break; // those after it wait for it
  }
  return tried;
}

/** What has come of an event; null where its installation is gone. */
async function outcomeOf(host: RunHost, of: Promise<Runnable | null>, event: DueEvent): Promise<Outcome | null> {
  const { id, installationId, type, payload, createdAt } = event;
  const runnable = await of;
  if (!runnable) return null;
  if (runnable.status === "paused") {
    const logs = [line("warn", "The installation is paused: nothing was run.", host.clock.now())];
    return { answer: null, fault: null, logs, durationMs: 0 };
  }
  const at = new Date(createdAt).toISOString();
  return runFor(host, runnable, { ...payload, eventId: id, type, installationId, createdAt: at });
}

/** Codes of refusals that are no fault: the installation has done much already, or the gateway is about to stop. */
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["RATE_LIMITED", "UNAVAILABLE"]);

/** A refusal or a fault of the gateway is tried again like one of the script, and holds up no other installation. */
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
  const nextTryAt = nextTry(tries + 1, { createdAt: new Date(createdAt), now });
  return nextTryAt ? { status: "pending", nextTryAt, durationMs, logs } : { status: "failure", durationMs, logs };
}
