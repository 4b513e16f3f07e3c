// Places for operations: how many of one user and of all run at a time. The others wait in a short queue of each user,
// and users take turns, so that one who asks for much is in nobody's way.
import { DomainError } from "#src/base/errors.ts";
import type { Place } from "#src/db/connection/budget.ts";
import type { TimeLimit } from "#src/db/connection/time-limit.ts";
import { inFigures, type TrafficLimits } from "#src/base/limits.ts";

type Limits = Pick<TrafficLimits, "atOncePerUser" | "atOnce" | "waitingPerUser">;

/** How many may wait in all, for each place that there is. */
const waitingPerPlace = 100;

/** How long, in milliseconds, an operation waits for its turn. */
const longestWaitMs = 5_000;

/** How often, in milliseconds, it is looked for those who have waited for so long. */
const lookMs = 250;

/** An operation that waits. */
interface Waiter {
  /** The part of a place that it takes. */
  readonly part: number;
  readonly since: number;
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/** What one user has. */
interface Places {
  /** Places that are taken. */
  running: number;
  readonly waiting: Waiter[];
}

/** See the head of this file. */
export class OperationPlaces {
  readonly #limits: Limits;
  /** Users who run or wait. Those who were served last are the last ones. */
  readonly #users = new Map<string, Places>();
  running = 0;
  waiting = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Takes a place for a user at once, or a part of one; false where they are to wait. */
  tryTake(user: string, part = 1): boolean {
    const places = this.#users.get(user);
    if (this.running + part > this.#limits.atOnce) return false;
    if (!places) this.#users.set(user, { running: part, waiting: [] });
    else if (places.running + part > this.#limits.atOncePerUser) return false;
    else if (places.waiting.some((waiter) => waiter.part <= part)) return false; // smaller ones pass larger ones
    else places.running += part;
    this.running += part;
    return true;
  }

  /**
   * Takes a place when it is the user's turn. Throws RATE_LIMITED at once where too many wait already, and after 5
   * seconds; what ends `limit` first, such as a caller who is gone, leaves the queue with its error.
   */
  async take(user: string, limit: TimeLimit, part = 1): Promise<void> {
    const places = this.#users.get(user) ?? { running: 0, waiting: [] };
    this.#refuseCrowd(places);
    this.#users.set(user, places);
    this.waiting += 1;
    const { promise, resolve: enter, reject } = Promise.withResolvers<void>();
    const refuse = (error: Error): void => {
      const place = places.waiting.indexOf(waiter);
      if (place < 0) return;
      places.waiting.splice(place, 1);
      this.#leave(user, places);
      reject(error);
      if (this.waiting > 0) this.#next(); // it may have been in the way of others
    };
    const waiter = { part, since: performance.now(), enter, refuse };
    places.waiting.push(waiter);
    this.#looking ??= setInterval(() => this.#look(), lookMs).unref();
    const forget = limit.onEnd(refuse);
    try {
      await promise;
    } finally {
      forget();
    }
  }

  #refuseCrowd({ running, waiting: { length: own } }: Places): void {
    const { atOnce, atOncePerUser, waitingPerUser } = this.#limits;
    if (own >= waitingPerUser)
      throw new DomainError(
        "RATE_LIMITED",
        `${inFigures(atOncePerUser)} operations of one user run at a time and ${inFigures(waitingPerUser)} wait: ${Math.ceil(running)} of yours run and ${own} wait. Send fewer at a time.`,
      );
    if (this.waiting >= atOnce * waitingPerPlace)
      throw new DomainError(
        "RATE_LIMITED",
        `${inFigures(atOnce)} operations run at a time and ${inFigures(this.waiting)} wait, ${own} of them yours: try again soon.`,
      );
  }

  /** Somebody waits no longer without having had a place. */
  #leave(user: string, { running, waiting }: Places): void {
    this.waiting -= 1;
    if (running === 0 && waiting.length === 0) this.#users.delete(user);
    this.#lookNoMore();
  }

  #look(): void {
    const { atOnce, atOncePerUser } = this.#limits;
    const since = performance.now() - longestWaitMs;
    for (const { running, waiting } of this.#users.values())
      for (const waiter of waiting.filter((one) => one.since < since))
        waiter.refuse(
          new DomainError(
            "RATE_LIMITED",
            `${inFigures(atOncePerUser)} operations of one user run at a time, and ${inFigures(atOnce)} in all: ${Math.ceil(running)} of yours run, and this one has waited for ${longestWaitMs / 1000} seconds.`,
          ),
        );
  }

  #lookNoMore(): void {
    if (this.waiting > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  /** Gives a place back: the next user who waits, and may run one more, has it. */
  give(user: string, part = 1): void {
    this.running -= part;
    const places = this.#users.get(user);
    if (places) places.running -= part;
    if (places?.running === 0 && places.waiting.length === 0) this.#users.delete(user);
    if (this.waiting > 0) this.#next();
  }

  /**
   * A place, or a part of one, that is taken and can be left to others for a while: from the first of several waits
   * at a time until the last of them is over. It still counts among the user's own, and is taken again whether or not
   * there is room.
   */
  placeOf(part = 1): Place {
    let waits = 0;
    return {
      enter: () => {
        if (--waits === 0) this.running += part;
      },
      leave: () => {
        if (waits++ > 0) return;
        this.running -= part;
        if (this.waiting > 0) this.#next();
      },
    };
  }

  /** Lets in those who wait, one of each user after the other, as long as there is room. */
  #next(): void {
    // Whoever has let one in comes last, and so again: the loop ends when nobody enters any more.
    for (const [user, places] of this.#users) this.#letIn(user, places);
    this.#lookNoMore();
  }

  /** Lets the first one in that waits of a user and for which there is room; the user is the last one then. */
  #letIn(user: string, places: Places): void {
    const { atOnce, atOncePerUser } = this.#limits;
    const room = Math.min(atOncePerUser - places.running, atOnce - this.running);
    const place = places.waiting.findIndex(({ part }) => part <= room);
    const [next] = place < 0 ? [] : places.waiting.splice(place, 1);
    if (!next) return;
    places.running += next.part;
    this.running += next.part;
    this.waiting -= 1;
    this.#users.delete(user);
    this.#users.set(user, places);
    next.enter();
  }
}
