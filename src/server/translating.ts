// Running translations in each process: as soon as they are asked for, and a while after their source has changed, so
// that several edits are one run.
import type { Logger } from "pino";
import type { Translator } from "#src/base/translator.ts";
import type { StoredEvent } from "#src/events/event.ts";
import type { Feed } from "#src/events/event-log.ts";
import { contentEvents } from "#src/features/content/events.ts";
import type { Translating as At } from "#src/features/translations/commands/translation-run.ts";
import { dueTranslations, markChanged, runTranslation } from "#src/features/translations/commands/run.ts";
import { translationEvents, translationProgressEvents } from "#src/features/translations/events.ts";
import { Following } from "#src/server/following.ts";

/** How long, in milliseconds, a translation waits after the first edit of its source, by default. */
const defaultQuietMs = 10_000;
/** How many translations a process runs at once. */
const runsAtOnce = 4;

/** A source that has changed, or a translation that may be due. */
type Place = { readonly spaceId: string } | { readonly translationId: string };

function placesOf({ type, subjectId, payload }: StoredEvent): Place[] {
  if (type === contentEvents.ofSpaceUpdated) return [{ spaceId: subjectId }];
  const isAsked = type === translationProgressEvents.progressed && payload["status"] === "pending";
  const mayBeDue = isAsked || type === translationEvents.created || type === translationEvents.updated;
  return mayBeDue ? [{ translationId: subjectId }] : [];
}

/** What there is to start and to stop: nothing where the gateway has no engine, or with null for `quietMs`. */
export function translating(
  { translator, ...at }: Omit<At, "translator"> & { readonly translator?: Translator | undefined },
  quietMs: number | null = defaultQuietMs,
): Pick<Translating, "start" | "stop"> {
  if (translator && quietMs !== null) return new Translating({ ...at, translator }, quietMs);
  return { start: () => {}, stop: () => Promise.resolve() };
}

/** See the head of this file. */
class Translating {
  readonly #at: At;
  readonly #quietMs: number;
  readonly #log: Logger;
  readonly #following: Following<Place>;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(at: At, quietMs: number) {
    this.#at = at;
    this.#quietMs = quietMs;
    this.#log = at.log;
    const failed = "Translations could not be looked for: the job translation.run tries it again";
    this.#following = new Following(at.log, { find: placesOf, run: (places) => this.#heed(places), failed });
  }

  /** Runs what waits, also what a process that is gone has begun, and then what events tell of. */
  start(feed: Pick<Feed, "listen">): void {
    this.#following.start(feed);
    this.#look();
  }

  async #heed(places: readonly Place[]): Promise<void> {
    const spaceIds = places.flatMap((place) => ("spaceId" in place ? place.spaceId : []));
    const dueAt = new Date(this.#at.clock.now().getTime() + this.#quietMs);
    if (spaceIds.length > 0 && (await markChanged(this.#at, { dueAt, spaceIds })) > 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#look(), this.#quietMs).unref();
    }
    if (places.length > spaceIds.length) await this.#runDue();
  }

  #look(): void {
    this.#runDue().catch((error: unknown) => this.#log.warn({ err: error }, "Translations could not be looked for"));
  }

  /** Begins as many of the runs that are due as this process may have; when one ends, it looks for others. */
  async #runDue(): Promise<void> {
    for (const id of await dueTranslations(this.#at)) {
      if (this.#stopping.signal.aborted || this.#running.size >= runsAtOnce) return;
      if (this.#running.has(id)) continue;
      const running = runTranslation(this.#at, id, this.#stopping.signal)
        .catch((error: unknown) => this.#log.warn({ err: error, translation: id }, "A translation could not be run"))
        .finally(() => {
          this.#running.delete(id);
          if (!this.#stopping.signal.aborted) this.#look();
        });
      this.#running.set(id, running);
    }
  }

  /** Ends what goes on: others take it up. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("The process stops."));
    clearTimeout(this.#timer);
    await this.#following.stop();
    await Promise.all(this.#running.values());
  }
}
