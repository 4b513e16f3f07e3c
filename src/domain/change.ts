// The write gate: every command writes through `change`, which checks rights, opens the transaction and writes events.
import { changesRights } from "#src/access/audience.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import { oldestRead } from "#src/db/reading/row-source.ts";
import { inOwnTime, timeLeft } from "#src/db/connection/time-limit.ts";
import { keepEffect, markEffect } from "#src/domain/idempotency.ts";
import { type Context, renewViewer } from "#src/domain/context.ts";
import { writeAudit } from "#src/events/audit.ts";
import { auditedEvents } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { appendAllEvents } from "#src/events/outbox.ts";
import { Prisma } from "#src/generated/prisma/client.ts";

/** An action that a viewer may be allowed, such as `changeRequest.merge`. Features define theirs in `access.ts`. */
export interface Action<Subject> {
  readonly name: `${string}.${string}`;
  /** Whether the viewer may do it to the subject, which is visible to them: a refusal is FORBIDDEN. */
  readonly isAllowed: (context: Context, subject: Subject) => boolean | Promise<boolean>;
  readonly refusal: string;
}

/** Makes one action for each flag of a subject's permissions. */
export function actionsOn<Subject, Flag extends string>(
  permissions: (viewer: Viewer, subject: Subject) => Readonly<Record<Flag, boolean>>,
) {
  return (flag: Flag, name: Action<Subject>["name"], refusal: string): Action<Subject> => ({
    name,
    isAllowed: ({ viewer }, subject) => permissions(viewer, subject)[flag],
    refusal,
  });
}

export const actionsIn = (access: object): Action<never>[] =>
  Object.values(access).filter((value) => typeof value === "object" && "isAllowed" in value);

export type Transaction = Prisma.TransactionClient;

/** The outcome of a change: its result, and at least one event. */
export interface Changed<Result> {
  readonly result: Result;
  readonly events: readonly [DomainEvent, ...DomainEvent[]];
}

/** Throws FORBIDDEN unless the viewer may do `action`. For updates without a change; writes use `change`. */
export async function requireAllowed<Subject>(
  context: Context,
  action: Action<Subject>,
  subject: Subject,
): Promise<void> {
  if (!(await action.isAllowed(context, subject))) throw new DomainError("FORBIDDEN", action.refusal);
}

/**
 * Runs `body` in a transaction after checking `action`, and writes its events in it. A change that waited is checked
 * again before the commit ({@link requireStillAllowed}): `subject` has the rows that the right depends on. Throws
 * FORBIDDEN, CONFLICT for a unique key, and errors of `body`; then nothing is written.
 */
export async function change<Subject, Result>(
  context: Context,
  action: Action<Subject>,
  subject: Subject,
  body: (transaction: Transaction) => Promise<Changed<Result>>,
): Promise<Result> {
  const checkedAt = performance.now();
  await requireAllowed(context, action, subject);
  try {
    const { result, events } = await context.database.prisma.$transaction(async (transaction) => {
      const changed = await body(transaction);
      await recordChanges(transaction, [{ context, ...changed }]);
      await requireStillAllowed(context, action, subject, checkedAt);
      return changed;
    }, withinTime());
    context.feed.wake();
    await goOnAfter(context, events);
    return result;
  } catch (error) {
    const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
    throw isTaken
      ? new DomainError("CONFLICT", "An object with this name already exists: choose another name.")
      : error;
  }
}

/** The maximum age of rights when a change is committed, in milliseconds: it may have waited for locks. */
const defaultRightsAge = 1000;

/**
 * Checks a change again by the current rights and rows if they were read more than a second ago: it may have waited for
 * a lock, its turn or a body. Its own uncommitted writes are not seen. Throws FORBIDDEN, NOT_FOUND for a row no longer
 * visible, UNAUTHENTICATED without a token.
 */
export async function requireStillAllowed<Subject>(
  context: Context,
  action: Action<Subject>,
  subject: Subject,
  checkedAt: number,
): Promise<void> {
  const { viewerReadAt = checkedAt, rightsAge = defaultRightsAge } = context;
  if (performance.now() - Math.min(viewerReadAt, oldestRead(subject)) < rightsAge) return;
  if (!(await renewViewer(context))) throw new DomainError("UNAUTHENTICATED");
  await requireAllowed(context, action, await context.reader.again(subject));
}

/** Writes everything else that is stored with changes, in their transaction: above all their events. */
export async function recordChanges(
  transaction: Transaction,
  changes: readonly { readonly context: Context; readonly result: unknown; readonly events: readonly DomainEvent[] }[],
): Promise<void> {
  for (const { context, result } of changes)
    if (context.idempotency) await markEffect(transaction, context.idempotency, result);
  const made = changes.map(({ context, events }) => ({ actorId: context.viewer.userId, events }));
  await appendAllEvents(transaction, made);
  for (const { context, events } of changes) {
    const audited = events.filter(({ type }) => auditedEvents.has(type));
    const { viewer, origin } = context;
    if (audited.length > 0) await writeAudit(transaction, { actorId: viewer.userId, origin }, audited);
  }
}

/** Makes reads after a committed change see its rows and rights. */
export async function goOnAfter(context: Context, events: readonly DomainEvent[]): Promise<void> {
  if (context.idempotency) keepEffect(context.idempotency);
  context.reader.budget.takeChanges(events.length);
  if (events.some(changesRights)) {
    context.viewers.forget();
    // The time of the operation may have ended, and a committed change must not look like a failed one.
    await inOwnTime(() => renewViewer(context));
  } else context.reader.forget();
}

function withinTime(): { timeout?: number } {
  const left = timeLeft();
  return left === null ? {} : { timeout: Math.max(1, left) };
}

/** Ends a transaction that has nothing to write. */
class Unchanged extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super("Nothing has changed.");
    this.result = result;
  }
}

/** As {@link change}, for changes that may be empty: without an event only the result is returned. */
export async function changeIfAny<Subject, Result>(
  context: Context,
  action: Action<Subject>,
  subject: Subject,
  body: (transaction: Transaction) => Promise<{ result: Result; events: readonly DomainEvent[] }>,
): Promise<Result> {
  try {
    return await change(context, action, subject, async (transaction) => {
      const { result, events } = await body(transaction);
      const [first, ...others] = events;
      if (!first) throw new Unchanged(result);
      return { result, events: [first, ...others] };
    });
  } catch (error) {
    if (error instanceof Unchanged) return error.result as Result; // returned by the body above
    throw error;
  }
}

/** The result of a deletion; null if the row did not exist. */
export interface Deleted {
  readonly deletedId: string | null;
}

/** Deletes as {@link change} does. `body` returns the event, or null if the row was already deleted. */
export function deleteIfThere<Subject>(
  context: Context,
  action: Action<Subject>,
  subject: Subject,
  body: (transaction: Transaction) => Promise<DomainEvent | null>,
): Promise<Deleted> {
  return changeIfAny(context, action, subject, async (transaction) => {
    const event = await body(transaction);
    return { result: { deletedId: event?.subjectId ?? null }, events: event ? [event] : [] };
  });
}
