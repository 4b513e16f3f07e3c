// Runs translations in each process: on request, and some time after edits of their source, which share a run.
import { chargeTo } from "#src/domain/cost.ts";
import type { StoredEvent } from "#src/events/event.ts";
import type { Feed } from "#src/events/event-log.ts";
import { EventFollower, type Follower } from "#src/events/follower.ts";
import { contentEvents } from "#src/features/content/events.ts";
import { RepeatedWarning } from "#src/runtime/repeated-warning.ts";
import type { Gateway } from "#src/features/feature.ts";
import type { Translating } from "#src/features/translations/commands/translation-run.ts";
import { dueTranslations, markChanged, runTranslation } from "#src/features/translations/commands/run.ts";
import { translationEvents, translationProgressEvents } from "#src/features/translations/events.ts";

/** The default delay of a run after the first edit of its source, in milliseconds. */
const defaultQuietMs = 10_000;
/** The limit of concurrent runs per process. */
const runsAtOnce = 4;

/** A source that has changed, or a translation that may be due. */
type Place = { readonly spaceId: string } | { readonly translationId: string };

function placesOf({ type, subjectId, payload }: StoredEvent): Place[] {
  if (type === contentEvents.ofSpaceUpdated) return [{ spaceId: subjectId }];
  const isAsked = type === translationProgressEvents.progressed && payload["status"] === "pending";
  const mayBeDue = isAsked || type === translationEvents.created || type === translationEvents.updated;
  return mayBeDue ? [{ translationId: subjectId }] : [];
}

/** Does nothing if the gateway has no translator, or if `translationMs` is null. */
export function translationFollowers({ translator, intervals, costQuotas, ...at }: Gateway): Follower[] {
  const { translationMs: quietMs = defaultQuietMs } = intervals;
  if (!translator || quietMs === null) return [];
  return [new TranslationFollower({ ...at, translator, charge: chargeTo(costQuotas) }, quietMs)];
}

class TranslationFollower implements Follower {
  readonly #at: Translating;
  readonly #quietMs: number;
  readonly #failures: RepeatedWarning;
  readonly #failedRuns: RepeatedWarning;
  readonly #following: EventFollower<Place>;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(at: Translating, quietMs: number) {
    this.#at = at;
    this.#quietMs = quietMs;
    this.#failures = new RepeatedWarning(at.log, "Looking up due translations failed");
    this.#failedRuns = new RepeatedWarning(at.log, "A translation run failed");
    const failed = "Looking up due translations failed; the job translation.run retries it";
    this.#following = new EventFollower(at.log, { find: placesOf, run: (places) => this.#take(places), failed });
  }

  /** Runs due translations, including those of processes that have ended, and then those of events. */
  start(feed: Pick<Feed, "listen">): void {
    this.#following.start(feed);
    this.#look();
  }

  async #take(places: readonly Place[]): Promise<void> {
    const spaceIds = places.flatMap((place) => ("spaceId" in place ? place.spaceId : []));
    const dueAt = new Date(this.#at.clock.now().getTime() + this.#quietMs);
    if (spaceIds.length > 0 && (await markChanged(this.#at, { dueAt, spaceIds })) > 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#look(), this.#quietMs).unref();
    }
    if (places.length > spaceIds.length) await this.#runDue();
  }

  #look(): void {
    this.#runDue().catch((error: unknown) => this.#failures.log(error));
  }

  /** Starts due runs up to the limit of this process; the end of a run starts others. */
  async #runDue(): Promise<void> {
    for (const id of await dueTranslations(this.#at)) {
      if (this.#stopping.signal.aborted || this.#running.size >= runsAtOnce) return;
      if (this.#running.has(id)) continue;
      const running = runTranslation(this.#at, id, this.#stopping.signal)
        .catch((error: unknown) => this.#failedRuns.log(error, { translation: id }))
        .finally(() => {
          this.#running.delete(id);
          if (!this.#stopping.signal.aborted) this.#look();
        });
      this.#running.set(id, running);
    }
  }

  /** Ends the runs, which other processes continue. */
  async leave(): Promise<void> {
    this.#stopping.abort(new Error("The process is shutting down."));
    await Promise.all(this.#running.values());
  }

  async stop(): Promise<void> {
    const left = this.leave();
    clearTimeout(this.#timer);
    await this.#following.stop();
    await left;
  }
}
