// All audiences of a process: which stream is in which, and which of them listen to a space or an organization.
import type { Viewer } from "#src/access/viewer.ts";
import type { Context } from "#src/domain/context.ts";
import type { StoredEvent } from "#src/events/event.ts";
import type { EventScope } from "#src/events/read-outbox.ts";
import type { EventSource } from "#src/graph/subscriptions.ts";
import { type Asked, Audience, audienceKey } from "#src/server/live/audience.ts";
import type { Stream } from "#src/server/live/stream.ts";

/** Where a stream is, and what it came with. */
export interface Place {
  readonly audience: Audience;
  readonly source: EventSource;
  readonly asked: Asked;
}

export class Audiences {
  readonly #contextOf: (viewer: Viewer) => Context;
  readonly #byKey = new Map<string, Audience>();
  readonly #byScope = new Map<string, Set<Audience>>();
  readonly #places = new Map<Stream, Place>();
  readonly #operationIds = new WeakMap<object, number>();
  #lastOperationId = 0;

  constructor(contextOf: (viewer: Viewer) => Context) {
    this.#contextOf = contextOf;
  }

  get all(): Iterable<Audience> {
    return this.#byKey.values();
  }

  /** How many streams there are. */
  get size(): number {
    return this.#places.size;
  }

  placeOf(stream: Stream): Place | undefined {
    return this.#places.get(stream);
  }

  /** Puts a stream into the audience of the rights that its viewer has at this moment. */
  join(stream: Stream, { asked, source }: Omit<Place, "audience">): void {
    const key = audienceKey(asked, stream.seat.viewer, (operation) => this.#idOf(operation));
    let audience = this.#byKey.get(key);
    if (!audience) {
      audience = new Audience(key, asked, source, this.#contextOf);
      this.#byKey.set(key, audience);
      const scope = scopeKey(source.scope);
      const others = this.#byScope.get(scope);
      if (others) others.add(audience);
      else this.#byScope.set(scope, new Set([audience]));
    }
    audience.streams.add(stream);
    this.#places.set(stream, { audience, source, asked });
  }

  /** Takes a stream out of its audience; an audience that nobody is in is gone. */
  leave(stream: Stream): void {
    const place = this.#places.get(stream);
    if (!place) return;
    const { audience, source } = place;
    this.#places.delete(stream);
    audience.streams.delete(stream);
    if (audience.streams.size > 0) return;
    this.#byKey.delete(audience.key);
    const scope = scopeKey(source.scope);
    const others = this.#byScope.get(scope);
    others?.delete(audience);
    if (others?.size === 0) this.#byScope.delete(scope);
  }

  /** Who is to be told of which of these events, each audience with its own, in their order. */
  hearing(events: readonly StoredEvent[]): Map<Audience, StoredEvent[]> {
    const heard = new Map<Audience, StoredEvent[]>();
    for (const event of events)
      for (const scope of [event.spaceId, event.organizationId])
        for (const audience of (scope !== null && this.#byScope.get(scope)) || []) {
          if (!audience.tells(event)) continue;
          const own = heard.get(audience);
          if (own) own.push(event);
          else heard.set(audience, [event]);
        }
    return heard;
  }

  /** The documents of audiences are told apart by identity: the executor keeps one operation for a text. */
  #idOf(operation: object): number {
    let id = this.#operationIds.get(operation);
    if (id === undefined) this.#operationIds.set(operation, (id = ++this.#lastOperationId));
    return id;
  }
}

/** The id of the space or organization that is listened to. */
export const scopeKey = ({ spaceId, organizationId }: EventScope): string => spaceId ?? organizationId ?? "";
