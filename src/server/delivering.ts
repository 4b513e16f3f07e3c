// Telling installations of what has happened and delivering that, in each process: soon after it has happened, and
// again and again. Several installations are served beside each other, so that one whose script is slow does not hold
// up the others.
import type { Logger } from "pino";
import type { Feed } from "#src/events/event-log.ts";
import { deliverDueEvents } from "#src/features/integrations/commands/runs/deliver.ts";
import type { DeliveryHost } from "#src/features/integrations/commands/runs/host.ts";
import { enqueueEvents } from "#src/features/integrations/commands/enqueue-events.ts";
import { isDelivered } from "#src/features/integrations/commands/event-mapping.ts";

/** How long, in milliseconds, it waits after something has happened: what happens meanwhile is told together. */
const soonMs = 50;
/** How long it waits by default when nothing happens. */
const defaultIdleMs = 5_000;
/** How often a failure is logged at most: while it lasts, every look fails. */
const failureLoggedEveryMs = 60_000;
/** How many installations a process serves at once. */
const installationsAtOnce = 8;

/** See the head of this file. */
export class Delivering {
  readonly #host: DeliveryHost;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  readonly #idleMs: number | null;
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  /** Whether something has happened of which installations may hear; at first, something may have before the start. */
  #isAsked = true;
  #isLooking = false;
  /** When a failure was logged last, by `performance.now()`, and how many came since. */
  readonly #failures = { loggedAt: -Infinity, since: 0 };

  /** With null for `idleMs` it never delivers anything. */
  constructor(host: DeliveryHost, log: Logger, idleMs: number | null = defaultIdleMs) {
    this.#host = host;
    this.#log = log;
    this.#idleMs = idleMs;
  }

  /** Begins, and listens to what happens. The feed does not wait for it. */
  start(feed: Pick<Feed, "listen">): void {
    const idleMs = this.#idleMs;
    if (idleMs === null) return;
    feed.listen((events) => {
      if (this.#isAsked || !events.some(isDelivered)) return;
      this.#isAsked = true;
      if (!this.#isLooking) this.#wait(idleMs);
    });
    this.#wait(idleMs);
  }

  /** Looks again after a while: soon when it is asked. */
  #wait(idleMs: number): void {
    clearTimeout(this.#timer);
    if (this.#stopping.signal.aborted) return;
    const wait = this.#isAsked ? Math.min(soonMs, idleMs) : idleMs;
    this.#timer = setTimeout(() => void this.#look().then(() => this.#wait(idleMs)), wait).unref();
  }

  async #look(): Promise<void> {
    this.#isAsked = false;
    this.#isLooking = true;
    await this.#run(this.#tell());
    this.#serveOne();
    this.#isLooking = false;
  }

  async #tell(): Promise<void> {
    const { database, clock } = this.#host;
    await enqueueEvents(database, clock);
  }

  /** Serves an installation if one waits, and then looks for the next; once it has one, another look begins beside. */
  #serveOne(): void {
    if (this.#stopping.signal.aborted || this.#running.size >= installationsAtOnce) return;
    void this.#run(this.#serve());
  }

  async #serve(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted && (await deliverDueEvents(this.#host, signal, () => this.#serveOne())) > 0);
  }

  /** Waits for work, which the end waits for, too. What fails is tried again by the next look. */
  async #run(work: Promise<void>): Promise<void> {
    const running = work.catch((error: unknown) => this.#logFailure(error));
    this.#running.add(running);
    await running;
    this.#running.delete(running);
  }

  #logFailure(error: unknown): void {
    const failures = this.#failures;
    const now = performance.now();
    if (now - failures.loggedAt < failureLoggedEveryMs) {
      failures.since += 1;
      return;
    }
    const before = failures.since > 0 && { failuresBefore: failures.since };
    Object.assign(failures, { loggedAt: now, since: 0 });
    this.#log.warn({ err: error, ...before }, "Delivering events to integrations failed: it is tried again");
  }

  /** Ends after the events that are under way, and ends the threads of scripts. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await Promise.all(this.#running);
    await this.#host.sandbox.close();
  }
}
