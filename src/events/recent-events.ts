// The newest events, in memory, so that streams that come back soon cost no statement.
import type { StoredEvent } from "#src/events/event.ts";
import { type EventScope, isInScope } from "#src/events/read-outbox.ts";
import { comparePositions, isSamePosition, outboxStart, type OutboxPosition } from "#src/events/outbox-position.ts";

/** The most that are kept. */
const limit = 20_000;

/** Those of one feed, in their order. */
export class RecentEvents {
  #events: StoredEvent[] = [];
  /** All events after it, up to where was read, are here. */
  after: OutboxPosition = outboxStart;

  /** Begins anew, after a position. */
  clear(after: OutboxPosition): void {
    this.after = after;
    this.#events = [];
  }

  /** Takes the events that come next, in their order. */
  keep(events: readonly StoredEvent[]): void {
    this.#events.push(...events);
    const surplus = this.#events.length - limit;
    if (surplus <= 0) return;
    const last = this.#events[surplus - 1];
    if (last) this.after = last.position;
    this.#events = this.#events.slice(surplus);
  }

  /** Those after the one position, up to the other, of a scope where one is given. */
  between(after: OutboxPosition, until: OutboxPosition, scope?: EventScope): StoredEvent[] {
    const events = this.#events.slice(this.#indexAfter(after), this.#indexAfter(until));
    return scope ? events.filter((event) => isInScope(event, scope)) : events;
  }

  /** Whether a position not before these is that of one of them. */
  has(position: OutboxPosition): boolean {
    const event = this.#events[this.#indexAfter(position) - 1];
    return isSamePosition(event?.position ?? this.after, position);
  }

  /** Of all of them. */
  get positions(): OutboxPosition[] {
    return this.#events.map(({ position }) => position);
  }

  /** The index of the first event after a position. */
  #indexAfter(position: OutboxPosition): number {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = this.#events[middle];
      if (event && comparePositions(event.position, position) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
