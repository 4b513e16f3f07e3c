// Delivers events to several installations at once in each process: soon after each event, and by polling.
import type { Logger } from "pino";
import { metricsRead } from "#src/db/connection/time-limit.ts";
import type { Feed } from "#src/events/event-log.ts";
import type { Follower } from "#src/events/follower.ts";
import type { Gateway } from "#src/features/feature.ts";
import {
  deliverDueEvents,
  DeliveryCounts,
  type DeliveryHost,
} from "#src/features/integrations/commands/runs/deliver.ts";
import {
  enqueueEvents,
  readUndelivered,
  type Undelivered,
} from "#src/features/integrations/commands/enqueue-events.ts";
import { ConcernedOrganizations } from "#src/features/integrations/commands/runs/concerned.ts";
import { Turns } from "#src/features/integrations/commands/runs/turns.ts";
import { RepeatedWarning } from "#src/runtime/repeated-warning.ts";
import { type Sample, sampleOf, samplesBy, type Series } from "#src/runtime/series.ts";

/** The delay after an event in milliseconds, which batches events that follow. */
const soonMs = 50;
/** The default interval between polls without events. */
const defaultIdleMs = 5_000;
const installationsAtOnce = 8;

/** The follower of a gateway, which delivers nothing if `deliveryMs` is null. */
export function deliveryFollower(gateway: Gateway): Follower {
  const deliveries = new DeliveryCounts();
  const { intervals, log, database, scripts } = gateway;
  const turns = new Turns({ scriptsAtOnce: scripts.sandbox.perOwner });
  const delivery = new Delivery({ ...gateway, ...scripts, deliveries, turns }, log, intervals.deliveryMs);
  return {
    start: (feed) => delivery.start(feed),
    stop: () => delivery.stop(),
    metrics: seriesOf(
      deliveries,
      metricsRead(() => readUndelivered(database.vital)),
    ),
  };
}

function seriesOf(deliveries: DeliveryCounts, read: () => Promise<Undelivered | null>): Series[] {
  return [
    {
      name: "docgraph_consumer_lag_seconds",
      help: "The age of the oldest event that a consumer has not processed; for deliveries, the oldest undelivered event.",
      ofWorkers: "max",
      labels: ["consumer"],
      async read(): Promise<readonly Sample[]> {
        const found = await read();
        return found
          ? samplesBy("consumer", { integrations: found.unsentSeconds, deliveries: found.waitingSeconds })
          : [];
      },
    },
    {
      name: "docgraph_integration_events_waiting",
      help: "Events pending delivery to installations, counted up to 10,000.",
      ofWorkers: "max",
      read: async () => sampleOf((await read())?.waiting),
    },
    {
      name: "docgraph_integration_deliveries_total",
      help: "Attempts to deliver an event to an installation by result: ok, retried (failed, will be retried) or given_up.",
      labels: ["outcome"],
      read: () =>
        samplesBy("outcome", { ok: deliveries.ok, retried: deliveries.retried, given_up: deliveries.givenUp }),
    },
  ];
}

class Delivery {
  readonly #host: DeliveryHost;
  readonly #stopping = new AbortController();
  readonly #idleMs: number | null;
  readonly #running = new Set<Promise<void>>();
  readonly #concerned = new ConcernedOrganizations();
  /** The organizations of events since the last look. */
  #organizations = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** Whether events may be due; true at first, for events from before the start. */
  #isAsked = true;
  #isLooking = false;
  /** Every poll fails while one lasts. */
  readonly #failures: RepeatedWarning;

  /** Never delivers if `idleMs` is null. */
  constructor(host: DeliveryHost, log: Logger, idleMs: number | null = defaultIdleMs) {
    this.#host = host;
    this.#failures = new RepeatedWarning(log, "Delivering events to integrations failed and will be retried");
    this.#idleMs = idleMs;
  }

  /** The event log reader does not wait for the deliveries. */
  start(feed: Pick<Feed, "listen">): void {
    const idleMs = this.#idleMs;
    if (idleMs === null) return;
    feed.listen((events) => {
      const concerned = events.filter((event) => this.#concerned.has(event));
      for (const { organizationId } of concerned) if (organizationId !== null) this.#organizations.add(organizationId);
      if (this.#isAsked || concerned.length === 0) return;
      this.#isAsked = true;
      if (!this.#isLooking) this.#wait(idleMs);
    });
    this.#wait(idleMs);
  }

  /** Schedules the next poll: soon if one was requested. */
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
    const organizations = this.#organizations;
    this.#organizations = new Set();
    await enqueueEvents(database, clock);
    await this.#concerned.learn(database, organizations);
  }

  /** Delivers to one waiting installation after another; starts another worker as soon as it has claimed one. */
  #serveOne(): void {
    if (this.#stopping.signal.aborted || this.#running.size >= installationsAtOnce) return;
    void this.#run(this.#serve());
  }

  async #serve(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted && (await deliverDueEvents(this.#host, signal, () => this.#serveOne())) > 0);
  }

  /** Runs work that `stop` waits for. The next poll retries failures. */
  async #run(work: Promise<void>): Promise<void> {
    const running = work.catch((error: unknown) => this.#failures.log(error));
    this.#running.add(running);
    await running;
    this.#running.delete(running);
  }

  /** Resolves after the running deliveries, and ends the threads of scripts. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await Promise.all(this.#running);
    await this.#host.sandbox.close();
  }
}
