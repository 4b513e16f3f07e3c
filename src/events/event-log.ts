// The event log reader of a process: reads the outbox once for all listeners, in its one order.
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

/** Receives new events; the reader waits for it, so that a slow process reads slower instead of filling its memory. */
export type FeedListener = (events: readonly StoredEvent[]) => Promise<void> | void;

export interface FeedOptions {
  /** New events are read on its vital connections, missed events of streams on those of requests. */
  readonly database: Pick<Database, "query" | "vital">;
  readonly wakeups: Wakeups;
  readonly log: Logger;
  /** How often, in milliseconds, new events are looked for without a wake-up. */
  readonly pollMs?: number | undefined;
  /** How long events may wait for a transaction before its session is logged, in milliseconds; by default 5 seconds. */
  readonly heldMs?: number | undefined;
}

interface Flush {
  readonly done: () => void;
  /** Whether this lasts as long as events wait for a transaction, except for one that is open for long. */
  readonly waits: boolean;
}

const batchSize = 1000;

/** How often in one read the history may turn out to be another one: more often than servers respond in turn. */
const mostHistories = 3;

/** The first and the longest wait, in ms, for an older transaction: one without events wakes nobody when it ends. */
const waitMs = { first: 4, longest: 50 } as const;

/** The wait, in milliseconds, after a failed read. */
const failureWaitMs = 250;

/** How long, in milliseconds, a read may take until its connection counts as dead; doubled after each failure. */
const lookLimit: Backoff = { firstMs: 1500, mostMs: 30_000 };

/** One per process. Listeners get all events after `position` in order, each once; `replay` has those before. */
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
  /** Unread events are in this segment, or in later ones. */
  #segment: Segment = noSegment;
  /** The start time of the server whose history was checked. */
  #server = "";
  #reset: Reset | null = null;
  /** Since when it has not read everything that was committed, by `performance.now()`; null if it has. */
  #behindSince: number | null = null;
  /** The transaction that events wait for. */
  #waitsFor: number | null = null;
  /** The session that has kept events from being read for longer than usual; null without one. */
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

  /** Starts after all existing events. */
  async start(): Promise<void> {
    try {
      await this.#follow([]);
    } catch (error) {
      // A replica cannot be written to; it is checked again.
      this.#options.log.warn({ err: error }, "could not check the history of the database");
      this.#begin(await findEnd(this.#options.database.vital));
    }
    this.#options.wakeups.listen(() => this.#wake());
    this.#loop = this.#run();
  }

  /** Up to where it has read: later commits come after it. */
  get position(): OutboxPosition {
    return this.#position;
  }

  /** For how many seconds reads have failed, or events have waited for the current blocking transaction. */
  get lagSeconds(): number {
    return this.#behindSince === null ? 0 : (performance.now() - this.#behindSince) / 1000;
  }

  /** How the epoch of its positions began; null if the database never went back. */
  get reset(): Reset | null {
    return this.#reset;
  }

  /** The position that all listeners have processed. */
  get delivered(): OutboxPosition {
    return this.#delivered;
  }

  wake(): void {
    this.#wake();
    this.#options.wakeups.send();
  }

  /** Passes on the events after the current `position`. The returned function ends it. */
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
      throw new Error("Another server responds than the one that was read before"); // the read is repeated
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

  /** Resolves when the database responds; at once if it does. For callers that met an error and want to try again. */
  answered(): Promise<void> {
    this.#answering ??= this.#probe().finally(() => (this.#answering = undefined));
    return this.#answering;
  }

  /** Resolves at the end of the current read; listeners get no more events. */
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
      const flushing = this.#flushing.splice(0); // the current read may miss the awaited events
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
          this.#options.log.warn({ err: error }, "could not read events from the outbox; the read is repeated");
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
        if (++histories > mostHistories)
          throw new Error("The database responds as several servers with different histories");
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

  /** Checks that the database continues the delivered history. If it does not, all streams restart at its end. */
  async #follow(delivered: readonly OutboxPosition[]): Promise<void> {
    const { vital } = this.#options.database;
    const { epoch, server, reset } = await followHistory(vital, delivered);
    const former = delivered[0]?.epoch;
    if (epoch !== former) {
      this.#begin(await findEnd(vital));
      this.#reset = reset;
    }
    this.#server = server;
    if (former === undefined || epoch === former) return;
    this.#options.log.error(
      { epoch, reset },
      `${reset ? resetMessages[reset.reason] : "the database went back"}; every subscriber gets Resync and reads its data again`,
    );
    for (const listener of this.#resetListeners) listener();
  }

  /** Forgets the events read, and continues after a position. */
  #begin(position: OutboxPosition): void {
    this.#waitsFor = this.heldBy = null; // transaction ids may restart
    this.#position = this.#delivered = position;
    this.#recent.clear(position);
  }

  /** Records the transaction that events wait for, and logs its session once if that lasts. */
  async #waitFor(oldest: number | null): Promise<void> {
    // An older one that only appears now is not a writer, and counts for this read alone: the former is still open.
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
    else this.#waitsFor = oldest; // the transaction has ended
  }

  async #handOn(events: readonly StoredEvent[]): Promise<void> {
    if (events.length === 0) return;
    const outcomes = await Promise.allSettled([...this.#listeners].map(async (listener) => listener(events)));
    for (const outcome of outcomes)
      if (outcome.status === "rejected")
        this.#options.log.error({ err: outcome.reason }, "a listener of the event log reader failed");
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
