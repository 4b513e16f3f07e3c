// Slots for operations: how many of one user and of all run at a time. The others wait in a short queue of each user.
import { DomainError } from "#src/base/errors.ts";
import type { Slot } from "#src/db/connection/budget.ts";
import type { TimeLimit } from "#src/db/connection/time-limit.ts";
import { inFigures, type TrafficLimits } from "#src/base/limits.ts";
import { FairSemaphore } from "#src/runtime/fair-semaphore.ts";

type Limits = Pick<TrafficLimits, "atOncePerUser" | "atOnce" | "waitingPerUser">;

/** How many may wait in all, for each slot. */
const waitingPerSlot = 100;

/** How long, in milliseconds, an operation waits for its turn. */
const longestWaitMs = 5_000;

/** See the head of this file. */
export class OperationSlots extends FairSemaphore {
  readonly #limits: Limits;

  constructor(limits: Limits) {
    super({ most: limits.atOnce, perOwner: limits.atOncePerUser });
    this.#limits = limits;
  }

  /**
   * Takes a slot when it is the user's turn. Throws RATE_LIMITED at once if too many wait already, and after 5 seconds;
   * when `limit` ends first, as it does when the caller disconnects, it throws the error of that.
   */
  async takeInTime(user: string, limit: TimeLimit, weight = 1): Promise<void> {
    this.#refuseCrowd(user);
    await this.take(user, weight, (fail) => {
      const timer = setTimeout(() => fail(this.#waitedTooLong(user)), longestWaitMs).unref();
      const forget = limit.onEnd(fail);
      return () => {
        clearTimeout(timer);
        forget();
      };
    });
  }

  #refuseCrowd(user: string): void {
    const { atOnce, atOncePerUser, waitingPerUser } = this.#limits;
    const own = this.waitingOf(user);
    if (own >= waitingPerUser)
      throw new DomainError(
        "RATE_LIMITED",
        `${inFigures(atOncePerUser)} operations of one user run at a time and ${inFigures(waitingPerUser)} wait: ${Math.ceil(this.takenBy(user))} of yours run and ${own} wait. Send fewer at a time.`,
      );
    if (this.waiting >= atOnce * waitingPerSlot)
      throw new DomainError(
        "RATE_LIMITED",
        `${inFigures(atOnce)} operations run at a time and ${inFigures(this.waiting)} wait, ${own} of them yours: try again soon.`,
      );
  }

  #waitedTooLong(user: string): DomainError {
    const { atOnce, atOncePerUser } = this.#limits;
    return new DomainError(
      "RATE_LIMITED",
      `${inFigures(atOncePerUser)} operations of one user run at a time, and ${inFigures(atOnce)} in all: ${Math.ceil(this.takenBy(user))} of yours run, and this one has waited for ${longestWaitMs / 1000} seconds.`,
    );
  }

  /**
   * A slot that is taken, which its operation lends while it only waits: from the first of several waits at a time
   * until the last of them is over.
   */
  slotOf(weight: number): Slot {
    let waits = 0;
    return {
      reclaim: () => {
        if (--waits === 0) this.reclaim(weight);
      },
      lend: () => {
        if (waits++ === 0) this.lend(weight);
      },
    };
  }
}
