// Changes that wait for the same lock share one transaction: concurrent writers pay once for the lock and commit.
import { AsyncLocalStorage } from "node:async_hooks";
import { DomainError } from "#src/base/errors.ts";
import { TimeLimit, timeLeft } from "#src/db/connection/time-limit.ts";
import { OutOfTimeError } from "#src/db/connection/database-errors.ts";
import {
  type Action,
  changeIfAny,
  goOnAfter,
  recordChanges,
  requireAllowed,
  requireStillAllowed,
  type Transaction,
} from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { queued } from "#src/domain/lock-queue.ts";
import { lendSlot } from "#src/runtime/tenant.ts";
import type { DomainEvent } from "#src/events/event.ts";

/** How many changes share a transaction, and how many ms after the end of the first one the last of them may start. */
const most = { changes: 16, ms: 200 } as const;

/** With less time left, in milliseconds, an operation runs alone: its timeout could end the transaction of others. */
const leastLeftMs = 2_000;

interface Changed<Result> {
  readonly result: Result;
  readonly events: readonly DomainEvent[];
}

/** Checks (and may reject), then writes; both may run again after a rollback. The next checks once writing began. */
export type Look<Result> = (transaction: Transaction) => Promise<() => Promise<Changed<Result>>>;

interface Member {
  readonly context: Context;
  readonly look: Look<unknown>;
  /** When its time ends, by `performance.now()`. */
  readonly until: number;
  readonly within: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly alone: () => Promise<unknown>;
  readonly answer: PromiseWithResolvers<unknown>;
}

/** The waiting changes, by the names of their queues, in the order of their arrival. */
const waiting = new Map<string, Member[]>();

/**
 * As `changeIfAny`, when it is its turn in a queue ({@link queued}), in one transaction with other changes that wait in
 * it. Each has its own result and events, and sees the changes before it. A rejection before writing does not affect
 * others; if anything else fails, all of it is rolled back, and each change runs alone.
 */
export async function changeTogether<Subject, Result>(
  context: Context,
  action: Action<Subject>,
  subject: Subject,
  { queue, look }: { readonly queue: string; readonly look: Look<Result> },
): Promise<Result> {
  const checkedAt = performance.now();
  await requireAllowed(context, action, subject);
  const alone = () => changeIfAny(context, action, subject, async (transaction) => (await look(transaction))());
  const until = performance.now() + (timeLeft() ?? Infinity);
  const [within, answer] = [AsyncLocalStorage.snapshot(), Promise.withResolvers<unknown>()];
  const checkedLook = async (transaction: Transaction) => {
    const write = await look(transaction); // waits for the lock
    await requireStillAllowed(context, action, subject, checkedAt);
    return write;
  };
  const member: Member = { context, look: checkedLook, until, within, alone, answer };
  waiting.set(queue, [...(waiting.get(queue) ?? []), member]);
  queued(queue, async () => {
    while (isWaiting(queue, member)) await doAll(takeFrom(queue));
  }).catch((error: unknown) => {
    if (!isWaiting(queue, member)) return; // it is running: its result settles it
    leave(queue, [member]);
    answer.reject(error);
  });
  return lendSlot(() => answer.promise as Promise<Result>); // the result of its own `look`
}

export const waitingIn = (queue: string): number => waiting.get(queue)?.length ?? 0;

const isWaiting = (queue: string, member: Member): boolean => waiting.get(queue)?.includes(member) ?? false;

function takeFrom(queue: string): Member[] {
  const taken = (waiting.get(queue) ?? []).slice(0, most.changes);
  leave(queue, taken);
  return taken;
}

function leave(queue: string, members: readonly Member[]): void {
  const others = (waiting.get(queue) ?? []).filter((one) => !members.includes(one));
  if (others.length > 0) waiting.set(queue, others);
  else waiting.delete(queue);
}

async function doAll(members: readonly Member[]): Promise<void> {
  const { late = [], others = [] } = Object.groupBy(members, ({ until }) =>
    until - performance.now() < leastLeftMs ? "late" : "others",
  );
  for (const member of late) await doAlone(member);
  for (let left: readonly Member[] = others; left.length > 0;) {
    const [first, second] = left;
    const done = first && second ? await doTogether(first, left) : 0;
    if (done === 0) for (const member of left) await doAlone(member);
    left = left.slice(done || left.length);
  }
}

async function doAlone({ within, alone, answer }: Member): Promise<void> {
  await within(alone).then(answer.resolve, answer.reject);
}

interface Outcome extends Changed<unknown> {
  readonly member: Member;
  readonly refusal?: DomainError;
}

/** Runs the first of them in one transaction. Returns how many are settled; 0 if that failed. */
async function doTogether(first: Member, members: readonly Member[]): Promise<number> {
  let state: "not begun" | "begun" | "done" = "not begun";
  const until = Math.min(...members.map((member) => member.until));
  const leftMs = Math.max(1, until - performance.now());
  const limit = leftMs === Infinity ? {} : { timeout: leftMs };
  // Not the limit of the first, whose caller may disconnect. Statements beside the transaction are needed to end it.
  const shared = new TimeLimit(leftMs, first.context.limit.caller);
  const limits = members.map(({ context }) => context.limit);
  for (const each of limits) each.transactions += 1;
  const all = async (transaction: Transaction) => {
    state = "begun";
    const outcomes = await outcomesOf(members, transaction);
    await recordChanges(
      transaction,
      outcomes
        .filter(({ events }) => events.length > 0)
        .map(({ member: { context }, result, events }) => ({ context, result, events })),
    );
    state = "done";
    return outcomes;
  };
  try {
    const { prisma } = first.context.database;
    const outcomes = await first.within(() => shared.run(() => prisma.$transaction(all, limit)));
    if (outcomes.some(({ events }) => events.length > 0)) first.context.feed.wake();
    await Promise.all(outcomes.map(answerTo));
    return outcomes.length;
  } catch (error) {
    if ((state as string) === "begun" || error instanceof OutOfTimeError) return 0; // it was rolled back
    for (const { answer } of members) answer.reject(error); // the transaction did not start, or its outcome is unknown
    return members.length;
  } finally {
    for (const each of limits) each.transactions -= 1;
  }
}

/** Each checks while the previous one writes: PostgreSQL and this process work at the same time. */
async function outcomesOf(members: readonly Member[], transaction: Transaction): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let until = Infinity;
  let before: Promise<Outcome> | undefined;
  try {
    for (const member of members) {
      if (performance.now() > until) break;
      const write = await member.within(() => lookFor(member, transaction));
      if (before) outcomes.push(await before);
      else until = performance.now() + most.ms; // the first has waited for the lock
      before = member.within(write);
      before.catch(() => {}); // its error is handled after the next check
    }
    if (before) outcomes.push(await before);
    return outcomes;
  } finally {
    await before?.catch(() => {}); // the transaction ends after all its statements
  }
}

/** Rejects an abandoned or late change: a statement of it would be cancelled, and roll back the others. */
async function lookFor(member: Member, transaction: Transaction): Promise<() => Promise<Outcome>> {
  const { limit } = member.context;
  const refused = (refusal: DomainError): Outcome => ({ member, result: undefined, events: [], refusal });
  if (limit.isOver) return async () => refused(new DomainError("TIMEOUT"));
  try {
    const write = await member.look(transaction);
    return async () => (limit.isOver ? refused(new DomainError("TIMEOUT")) : { member, ...(await write()) });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return async () => refused(error);
  }
}

async function answerTo({ member, result, events, refusal }: Outcome): Promise<void> {
  const { context, within, answer } = member;
  if (refusal) return answer.reject(refusal);
  await within(async () => {
    if (events.length > 0) await goOnAfter(context, events);
    return result;
  }).then(answer.resolve, answer.reject);
}
