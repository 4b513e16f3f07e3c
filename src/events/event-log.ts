// The feed of a process: reads the outbox once for everybody, in its one order, and hands on what is new.
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "#src/db/connection/database.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { followHistory, type Reset, resetMessages } from "#src/events/history.ts";
import { type BlockingSession, findBlockingSession } from "#src/events/safe-position.ts";
import { comparePositions, type OutboxPosition, outboxStart } from "#src/events/outbox-position.ts";
import {
  type EventScope,
  findEnd,
  isThere,
  type OutboxReading,
  readOutbox,
  RecentEvents,
} from "#src/events/read-outbox.ts";
import { noSegment, type Segment } from "#src/events/segments.ts";
import type { Wakeups } from "#src/events/wakeups.ts";
import { type Backoff, backoffMs } from "#src/runtime/backoff.ts";

/** Receives new events; the feed waits for it, so that a slow process reads slower instead of filling its memory. */
export type FeedListener = (events: readonly StoredEvent[]) => Promise<void> | void;

export interface FeedOptions {
  /** New events are read on its vital connections, what streams missed on those of requests. */
  readonly database: Pick<Database, "query" | "vital">;
  readonly wakeups: Wakeups;
  readonly log: Logger;
  /** How often, in milliseconds, the feed looks for events without being woken. */
  readonly pollMs?: number | undefined;
  /** How long events wait for a transaction until it is told who holds them, in milliseconds; 5 seconds by default. */
  readonly heldMs?: number | undefined;
}

interface Flush {
  readonly done: () => void;
  /** Whether this lasts as long as events wait for a transaction, but for one that is held for long. */
  readonly waits: boolean;
}

const batchSize = 1000;

/** How often in a look the history may turn out to be another one: more often than that servers answer in turn. */
const mostHistories = 3;

/** The first and the longest wait, in ms, for an older transaction: one without events wakes nobody when it ends. */
const waitMs = { first: 4, longest: 50 } as const;

/** The wait, in milliseconds, after a look that failed. */
const failureWaitMs = 250;

/** How long, in milliseconds, a look may take until its connection counts as dead; twice as long after each failure. */
const lookLimit: Backoff = { firstMs: 1500, mostMs: 30_000 };

/** One for each process. Listeners get all events after `position` in order, each once; `replay` has those before. */
export class Feed {
  reads = 0;
  readonly #options: FeedOptions;
  readonly #pollMs: number;
  readonly #heldMs: number;
  readonly #listeners = new Set<FeedListener>();
  readonly #resetListeners = new Set<() => void>();
  readonly #recent = new RecentEvents();
  #position: OutboxPosition = outboxStart;
  #delivered: OutboxPosition = outboxStart;
  /** What is still to be read is in this segment, or in later ones. */
  #segment: Segment = noSegment;
  /** When the server was started whose history was looked at. */
  #server = "";
  #reset: Reset | null = null;
  /** Since when it has not read everything that was committed, by `performance.now()`; null while it has. */
  #behindSince: number | null = null;
  /** The transaction that events wait for. */
  #waitsFor: number | null = null;
  /** Who has kept events from being read for longer than usual; null for nobody. */
  heldBy: BlockingSession | null = null;
  #isStopped = false;
  #wakeUp = () => {};
  #isWoken = false;
  #loop: Promise<void> | undefined;
  #answering: Promise<void> | undefined;
  #flushing: Flush[] = [];

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#pollMs = options.pollMs ?? 1000;
    this.#heldMs = options.heldMs ?? 5000;
  }

  /** Starts after everything that has happened. */
  async start(): Promise<void> {
    try {
      await this.#follow([]);
    } catch (error) {
      // A replica cannot be told anything; it is looked at again.
      this.#options.log.warn({ err: error }, "the history of the database could not be looked at");
      this.#begin(await findEnd(this.#options.database.vital));
    }
    this.#options.wakeups.listen(() => this.#wake());
    this.#loop = this.#run();
  }

  /** Up to where it has read: what is committed from now on comes after it. */
  get position(): OutboxPosition {
    return this.#position;
  }

  /** For how many seconds it could not read, or events have waited for the transaction that they wait for now. */
  get lagSeconds(): number {
    return this.#behindSince === null ? 0 : (performance.now() - this.#behindSince) / 1000;
  }

  /** How the epoch of its positions began; null where the database never went back. */
  get reset(): Reset | null {
    return this.#reset;
  }

  /** Up to where all listeners are done. */
  get delivered(): OutboxPosition {
    return this.#delivered;
  }

  wake(): void {
    this.#wake();
    this.#options.wakeups.send();
  }

  /** Hands on the events after `position` of this moment. The answer ends it. */
  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls a listener when positions are of another epoch, before any event of that. */
  onReset(listener: () => void): void {
    this.#resetListeners.add(listener);
  }

  /** Whether a position is of this history of the database; `replay` decides for those before the events in memory. */
  async mayContinue(after: OutboxPosition): Promise<boolean> {
    if (after.epoch !== this.#position.epoch) await this.flush(); // another gateway may have noticed first
    if (after.epoch !== this.#position.epoch) return false;
    if (comparePositions(after, this.#recent.after) < 0) return true;
    if (comparePositions(after, this.#position) <= 0) return this.#recent.has(after);
    return isThere(this.#options.database, after); // another gateway has read further
  }

  /** At most 1,000 events after `after`, and where to go on. "expired": some were removed; "reset": another history. */
  async replay(
    after: OutboxPosition,
    until: OutboxPosition,
    scope?: EventScope,
  ): Promise<{ events: readonly StoredEvent[]; position: OutboxPosition } | "expired" | "reset"> {
    if (after.epoch !== this.#position.epoch) return "reset";
    if (comparePositions(after, this.#recent.after) >= 0) {
      return { events: this.#recent.between(after, until, scope), position: until };
    }
    const asked = { after, until, limit: batchSize, scope, segment: this.#segment };
    const reading = await readOutbox(this.#options.database, asked);
    if (reading.server !== this.#server) {
      await this.flush();
      throw new Error("Another server answers than the one that the feed has read"); // it is tried again
    }
    if (reading.trimmed.epoch === after.epoch && comparePositions(after, reading.trimmed) < 0) return "expired";
    if (!reading.isThere) return "reset";
    return { events: reading.events, position: reading.hasMore ? reading.position : until };
  }

  /** Resolves when all committed events are delivered, or cannot be; `waits` allows 5 s for a blocking transaction. */
  async flush({ waits = false } = {}): Promise<void> {
    if (!this.#loop || this.#isStopped) return;
    await new Promise<void>((done) => {
      this.#flushing.push({ done, waits });
      this.#wake();
    });
  }

  /** Ends when the database answers; at once when it does. For those who met an error and want to try again. */
  answered(): Promise<void> {
    this.#answering ??= this.#probe().finally(() => (this.#answering = undefined));
    return this.#answering;
  }

  /** Ends when the look in progress is done; listeners get no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wakeUp();
    await this.#options.wakeups.close();
    await this.#loop;
  }

  #wake(): void {
    this.#isWoken = true;
    this.#wakeUp();
  }

  async #run(): Promise<void> {
    let wait = 0;
    let failures = 0;
    while (!this.#isStopped) {
      this.#isWoken = false;
      const flushing = this.#flushing.splice(0); // a look that has begun already may have missed what they ask for
      let isHeldBriefly = false;
      try {
        const { isWaiting, horizon } = await this.#look(backoffMs(lookLimit, failures + 1));
        failures = 0;
        await this.#waitFor(isWaiting ? horizon : null);
        wait = isWaiting ? Math.min(wait * 2 || waitMs.first, waitMs.longest) : 0;
        isHeldBriefly = isWaiting && this.lagSeconds * 1000 < this.#heldMs;
      } catch (error) {
        this.#behindSince ??= performance.now();
        if (failures++ === 0)
          this.#options.log.warn({ err: error }, "events cannot be read from the outbox; the feed tries again");
        wait = failureWaitMs;
      }
      for (const flush of flushing) {
        if (isHeldBriefly && flush.waits) this.#flushing.push(flush);
        else flush.done();
      }
      await this.#sleep(wait || this.#pollMs);
    }
    for (const { done } of this.#flushing) done();
  }

  async #look(limitMs: number): Promise<OutboxReading> {
    for (let histories = 0; ;) {
      const after = this.#position;
      this.reads += 1;
      const asked = { after, limit: batchSize, limitMs, segment: this.#segment };
      const reading = await readOutbox(this.#options.database.vital, asked);
      if (!reading.isThere || reading.server !== this.#server) {
        if (++histories > mostHistories) throw new Error("The database answers as several servers with own histories");
        this.#segment = noSegment;
        await this.#follow([...this.#recent.positions, after]);
        continue;
      }
      this.#segment = reading.segment;
      this.#recent.keep(reading.events);
      this.#position = reading.position;
      await this.#handOn(reading.events);
      this.#delivered = reading.position;
      if (!reading.hasMore || this.#isStopped) return reading;
    }
  }

  /** Looks whether the database goes on with what was told. Where it does not, everybody begins anew at its end. */
  async #follow(told: readonly OutboxPosition[]): Promise<void> {
    const { vital } = this.#options.database;
    const { epoch, server, reset } = await followHistory(vital, told);
    const former = told[0]?.epoch;
    if (epoch !== former) {
      this.#begin(await findEnd(vital));
      this.#reset = reset;
    }
    this.#server = server;
    if (former === undefined || epoch === former) return;
    this.#options.log.error(
      { epoch, reset },
      `${reset ? resetMessages[reset.reason] : "the database went back"}; every subscriber gets Resync and reads anew`,
    );
    for (const listener of this.#resetListeners) listener();
  }

  /** Forgets what was read, and goes on after a position. */
  #begin(position: OutboxPosition): void {
    this.#waitsFor = this.heldBy = null; // ids of transactions may start again
    this.#position = this.#delivered = position;
    this.#recent.clear(position);
  }

  /** Notes what events wait for, and tells once who holds them where that lasts. */
  async #waitFor(oldest: number | null): Promise<void> {
    // An older one that shows only now is no writer, and counts for this look alone: the former is still open.
    const transaction = oldest === null ? null : Math.max(oldest, this.#waitsFor ?? oldest);
    if (transaction === null) this.#behindSince = null;
    else if (transaction !== this.#waitsFor) this.#behindSince = performance.now();
    if (transaction !== this.#waitsFor) this.heldBy = null;
    this.#waitsFor = transaction;
    const { database, log } = this.#options;
    if (transaction === null || this.heldBy || this.lagSeconds * 1000 < this.#heldMs) return;
    this.heldBy = await findBlockingSession(database.vital, transaction);
    if (this.heldBy)
      log.warn({ lagSeconds: Math.round(this.lagSeconds), heldBy: this.heldBy }, "events wait for an open transaction");
    else this.#waitsFor = oldest; // it has ended
  }

  async #handOn(events: readonly StoredEvent[]): Promise<void> {
    if (events.length === 0) return;
    const outcomes = await Promise.allSettled([...this.#listeners].map(async (listener) => listener(events)));
    for (const outcome of outcomes)
      if (outcome.status === "rejected")
        this.#options.log.error({ err: outcome.reason }, "a listener of the feed failed");
  }

  async #probe(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await findEnd(this.#options.database.vital);
        return;
      } catch {
        await sleep(failureWaitMs);
      }
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#isWoken || this.#isStopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wakeUp = () => {};
  }
}
