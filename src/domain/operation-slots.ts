// The concurrency slots of operations: how many of one user and in all run at once, and who is next.
import { setTimeout as wait } from "node:timers/promises";
import { DomainError } from "#src/base/errors.ts";
import { inFigures, type TrafficLimits } from "#src/base/limits.ts";
import type { TimeLimit } from "#src/db/connection/time-limit.ts";
import { RecentShares } from "#src/domain/recent-shares.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { failAfter, FairSemaphore, type OnAbort, SingleTurns } from "#src/runtime/fair-semaphore.ts";
import { OpenItems } from "#src/runtime/open-items.ts";
import type { Slot } from "#src/runtime/tenant.ts";

/** Up to this estimate, in points, a read takes a sixteenth of a slot: it ends soon. */
const lightPoints = 5_000;
const lightPart = 1 / 16;

/** Per this many points an operation takes a slot: its whole response is in memory. */
const heavyPoints = 250_000;

/** The largest part of all slots that one operation takes. */
const mostOfAll = 1 / 4;

/** How many slots, or which part of one, the operation takes. */
export function slotsFor(
  { kind, estimated }: { readonly kind: string; readonly estimated: number },
  { atOncePerUser, atOnce }: Pick<TrafficLimits, "atOncePerUser" | "atOnce">,
): number {
  if (kind === "query" && estimated <= lightPoints) return lightPart;
  // One slot is left for other operations of the user.
  const most = Math.min(atOncePerUser - 1, Math.floor(atOnce * mostOfAll));
  return Math.max(1, Math.min(most, Math.ceil(estimated / heavyPoints)));
}

type Limits = Pick<TrafficLimits, "atOncePerUser" | "atOnce" | "waitingPerUser">;
const waitingPerSlot = 100;

/** How long, in milliseconds, an operation waits for its turn: by the second one if its user gets one at a time. */
const [longestWaitMs, longestWaitOfSingleMs] = [5_000, 15_000];

/** An operation that has waited so long, in milliseconds, for one statement waits for a slow database. */
const slowMs = 1_000;

/** For how long, in milliseconds, a user counts as sending operations after the last one. */
const presentMs = 1_000;

/**
 * How many milliseconds of slots a user may use beside others; they come back as time passes. Some operations at once,
 * or one after the other, never use them up.
 */
const mostSlotMs = 1_000;

/** After so many milliseconds at most a user has some again. */
const mostDebtMs = 3_000;

/** For so many milliseconds longer a user gets one at a time whose other operations run or wait when one ends. */
const staysMs = 1_000;

/** How many milliseconds a rest takes for each of work while others use a slot all the time, and at most. */
const [restPerMs, longestRestMs] = [4, 500];

/** The light read of a user who gets one operation at a time, in parts of a slot. */
const lightBeside = lightPart;

/** An operation that has its slot, and its user. */
interface RunningOperation {
  readonly user: string;
  readonly limit: TimeLimit;
}

/** For how many users the time is kept. */
const mostUsers = 10_000;

/**
 * Waiting users get slots round-robin. A user who has used up {@link mostSlotMs} gets one at a time while others send
 * operations, and a light read beside it: several operations of one user would keep all processors busy, also those of
 * the database, so that those of others wait, whatever their turn.
 */
export class OperationSlots extends FairSemaphore {
  readonly #limits: Limits;
  readonly now: () => number;
  /** Slots that are lent, by their owners. */
  readonly #lent = new Map<string, number>();
  /** By users: when the time of slots that they have used is back, by {@link now}. */
  readonly #usedUntil = new BoundedMap<string, number>(mostUsers);
  readonly #outside = new SingleTurns();
  readonly #shares = new RecentShares();
  /** Who sent the latest operation, and when; and when another user did. */
  readonly #latest = { user: "", at: -Infinity, othersAt: -Infinity };
  readonly running = new OpenItems<RunningOperation>();

  /** `now` returns the time in milliseconds; a clock that is set does not change it. */
  constructor(limits: Limits, now: () => number = () => performance.now()) {
    super({ most: limits.atOnce, perOwner: limits.atOncePerUser });
    this.#limits = limits;
    this.now = now;
  }

  protected override mayHaveMore(user: string, weight: number): boolean {
    const working = this.takenBy(user) - (this.#lent.get(user) ?? 0);
    const isTooMuch = weight >= 1 ? working >= 1 : (working % 1) + weight > lightBeside;
    return !isTooMuch || !this.isSingle(user);
  }

  /** Whether others send operations, and the user has used up {@link mostSlotMs}. */
  isSingle(user: string): boolean {
    return (this.#usedUntil.get(user) ?? 0) - this.now() > mostSlotMs && this.#hasOthers(user);
  }

  /** Whether others than this user send operations, or have some running. */
  #hasOthers(user: string): boolean {
    const { user: latest, at, othersAt } = this.#latest;
    if (this.now() - (latest === user ? othersAt : at) < presentMs) return true;
    for (const running of this.running) if (running.user !== user) return true;
    return false;
  }

  /** Returns a slot; a user who gets one at a time rests after it. */
  giveAfter(user: string, weight: number, workedMs: number): void {
    if (!this.isSingle(user)) return this.give(user, weight);
    if (this.takenBy(user) > weight || this.waitingOf(user) > 0) this.#stay(user);
    const rest = this.restFor(user, workedMs);
    if (rest === 0) this.give(user, weight);
    else setTimeout(() => this.give(user, weight), rest).unref();
  }

  /** How many milliseconds a user rests after so many of work: the more, the more time others use; 0 if not single. */
  restFor(user: string, workedMs: number): number {
    if (!this.isSingle(user)) return 0;
    const share = Math.min(1, this.#shares.ofOthers(user, this.now()));
    return Math.round(Math.min(restPerMs * share * workedMs, longestRestMs));
  }

  /** Work outside of operations that takes about so long, such as opening a socket: in the user's turn. */
  async work(user: string, ms: number): Promise<void> {
    this.use(user, ms);
    if (!this.isSingle(user)) return;
    if (this.#outside.waitingOf(user) > 0) this.#stay(user);
    await this.#outside.run(user, () => wait(ms), { restFor: (workedMs) => this.restFor(user, workedMs) });
  }

  /** Counts milliseconds in which a user has used a slot, or a part of one. */
  use(user: string, ms: number, weight = 1): void {
    const now = this.now();
    this.#shares.add(user, ms, now);
    const until = Math.max(now, this.#usedUntil.get(user) ?? 0) + ms * Math.min(1, weight);
    this.#usedUntil.keep(user, Math.min(until, now + mostDebtMs));
  }

  /** Lets a user get one at a time for {@link staysMs} at least. */
  #stay(user: string): void {
    const until = this.now() + mostSlotMs + staysMs;
    if (until > (this.#usedUntil.get(user) ?? 0)) this.#usedUntil.keep(user, until);
  }

  /** Takes a slot in the user's turn. Throws RATE_LIMITED if too many wait or after 5 s (15 s), and as `limit` ends. */
  async takeInTime(user: string, limit: TimeLimit, weight = 1): Promise<void> {
    this.#refuseCrowd(user);
    const onAbort: OnAbort = (fail) => limit.onEnd(fail);
    const waitMs = this.isSingle(user) ? longestWaitOfSingleMs : longestWaitMs;
    await this.take(
      user,
      weight,
      failAfter(waitMs, () => this.#waitedTooLong(user, waitMs), onAbort),
    );
  }

  #refuseCrowd(user: string): void {
    const { atOnce, waitingPerUser } = this.#limits;
    const own = this.waitingOf(user);
    if (own >= waitingPerUser) {
      const slow = this.#slowDatabase(user, `${own} wait for them to end`, slowMs);
      if (slow) throw slow;
      throw new DomainError(
        "RATE_LIMITED",
        `${this.#ruleFor(user)} and ${inFigures(waitingPerUser)} wait: ${Math.ceil(this.takenBy(user))} of yours run and ${own} wait. Send fewer concurrently.`,
      );
    }
    if (this.waiting >= atOnce * waitingPerSlot)
      throw new DomainError(
        "RATE_LIMITED",
        `At most ${inFigures(atOnce)} operations run concurrently and ${inFigures(this.waiting)} wait, ${own} of them yours: try again soon.`,
      );
  }

  #waitedTooLong(user: string, waitMs: number): DomainError {
    const { atOnce } = this.#limits;
    const waited = `this one has waited for ${waitMs / 1000} seconds`;
    return (
      this.#slowDatabase(user, waited) ??
      new DomainError(
        "RATE_LIMITED",
        `${this.#ruleFor(user)}, and ${inFigures(atOnce)} in all: ${Math.ceil(this.takenBy(user))} of yours run, and ${waited}.`,
      )
    );
  }

  /** Not the fault of the user if all that their operations do, for `leastMs`, is wait for the database. */
  #slowDatabase(user: string, others: string, leastMs = 0): DomainError | null {
    const own = [...this.running].filter((one) => one.user === user);
    if (own.length === 0 || !own.every(({ limit }) => limit.isWaiting && limit.waitedMs >= leastMs)) return null;
    return new DomainError(
      "UNAVAILABLE",
      `The database is slow: ${own.length} of your operations run and wait for it, and ${others}. Try again soon.`,
    );
  }

  #ruleFor(user: string): string {
    return this.isSingle(user)
      ? "Operations of a user who has used much time run one at a time beside those of others"
      : `At most ${inFigures(this.#limits.atOncePerUser)} operations of one user run concurrently`;
  }

  /** The slot that an operation has taken. */
  slotOf(user: string, weight: number): OperationSlot {
    const slot = new OperationSlot(this, user, weight);
    const latest = this.#latest;
    if (latest.user !== user) {
      latest.othersAt = latest.at;
      latest.user = user;
    }
    latest.at = slot.since;
    return slot;
  }

  /** Notes that slots of a user are lent, or with a negative number no longer. */
  noteLent(user: string, weight: number): void {
    const lent = (this.#lent.get(user) ?? 0) + weight;
    if (lent > 0) this.#lent.set(user, lent);
    else this.#lent.delete(user);
    if (weight > 0) this.lend(weight);
    else this.reclaim(-weight);
  }
}

/** A taken slot, lent while the operation only waits: from the first of its waits to the end of the last. */
export class OperationSlot implements Slot {
  readonly #slots: OperationSlots;
  readonly #user: string;
  readonly weight: number;
  #waits = 0;
  #isOver = false;
  #workedMs = 0;
  /** Since when it is used, by the clock of the slots. */
  since: number;

  constructor(slots: OperationSlots, user: string, weight: number) {
    this.#slots = slots;
    this.#user = user;
    this.weight = weight;
    this.since = slots.now();
  }

  lend(): void {
    if (this.#waits++ !== 0 || this.#isOver) return;
    this.#use();
    this.#slots.noteLent(this.#user, this.weight);
  }

  reclaim(): void {
    if (--this.#waits !== 0 || this.#isOver) return;
    this.#slots.noteLent(this.#user, -this.weight);
    this.since = this.#slots.now();
  }

  /**
   * Gives it back: work that continues after its operation lends nothing. A light read that has cost more points counts
   * as a whole slot.
   */
  end(points = 0): void {
    this.#isOver = true;
    if (this.#waits > 0) this.#slots.noteLent(this.#user, -this.weight);
    else this.#use(points > lightPoints ? 1 : this.weight);
    this.#slots.giveAfter(this.#user, this.weight, this.#workedMs);
  }

  #use(weight = this.weight): void {
    const ms = this.#slots.now() - this.since;
    this.#workedMs += ms;
    if (ms > 0) this.#slots.use(this.#user, ms, weight);
  }
}
