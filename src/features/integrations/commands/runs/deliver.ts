// Delivering events to installations: each gets its own one after the other, at least once, whichever process delivers
// them; what fails is tried again for a day, and holds up what comes after it.
import { DomainError, type ErrorCode } from "#src/base/errors.ts";
import { spanned } from "#src/runtime/spans.ts";
import { type Lease, type LongWork, workOn } from "#src/jobs/long-work.ts";
import {
  type Delivered,
  type DueEvent,
  finishEvent,
  nextDueEvents,
} from "#src/features/integrations/commands/due-events.ts";
import type { DeliveryHost, RunHost } from "#src/features/integrations/commands/runs/host.ts";
import { runFor } from "#src/features/integrations/commands/runs/run.ts";
import { type Runnable, runnableOf } from "#src/features/integrations/commands/runs/runnable.ts";
import { line, type Outcome, traceOf } from "#src/features/integrations/model/runs/outcome.ts";
import { nextTry } from "#src/features/integrations/model/runs/retry.ts";

/** How long, in milliseconds, installations wait for a process that has died; a run takes 10 seconds at most. */
const leaseMs = 15_000;

interface DueInstallation {
  readonly id: string;
  readonly events: readonly DueEvent[];
}

/**
 * Delivers the due events of one installation that no process serves. Returns how many events were tried; 0 when there
 * is nothing to do. `taken` is called once there is something.
 */
export async function deliverDueEvents(host: DeliveryHost, stopping: AbortSignal, taken = () => {}): Promise<number> {
  const { database, clock } = host;
  const work: LongWork<DueInstallation, number> = {
    table: "IntegrationInstallation",
    noun: "installation",
    leaseMs,
    async claim(lease) {
      const events = await nextDueEvents(database, { now: clock.now(), lease, most: 1 });
      const [first] = events;
      if (!first) return null;
      taken();
      return { id: first.installationId, events };
    },
    start: (due, lease) => ({
      run: () => deliverInOrder(host, due, lease),
    }),
  };
  return (await workOn(host, work, stopping)) ?? 0;
}

async function deliverInOrder(host: DeliveryHost, { id, events }: DueInstallation, lease: Lease): Promise<number> {
  const { signal, claimed } = lease;
  if (signal.aborted) return 0; // before what is begun, which else would fail unheard
  const runnable = runnableOf(host, id);
  let tried = 0;
  for (const event of events) {
    if (signal.aborted) break;
    const outcome = await spanned({ name: `deliver ${event.type}`, tracer: host.tracing }, () =>
      outcomeOf(host, runnable, event),
    ).catch((error: unknown) => unexpected(host, event, error));
    if (!outcome) break; // the installation was deleted
    tried += 1;
    const now = host.clock.now();
    const delivered = deliveredOf(outcome, event, now);
    const isKept = await finishEvent(host.database, event, { lease: claimed.lease, now, outcome: delivered });
    host.deliveries[countedAs[delivered.status]] += 1;
    if (!isKept || delivered.status === "pending") break; // those after it wait for it
  }
  return tried;
}

/** What has come of an event; null if its installation was deleted. */
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
