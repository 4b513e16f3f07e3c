// A batch: the messages of events that go to many streams together, and the bytes that transports make of them once.
import { comparePositions, encodeEventCursor, type OutboxPosition } from "#src/events/outbox-position.ts";

/** An event, or another moment of a stream, and what is sent about it. */
export interface Entry {
  readonly position: OutboxPosition;
  /** A GraphQL result as JSON text in UTF-8; null where there is nothing to send. */
  readonly json: Buffer | null;
}

/** What is sent of an entry. */
export interface Sendable {
  readonly cursor: string;
  readonly json: Buffer;
}

/** How many forms are kept. Clients choose the ids of subscriptions: many choose the same few, others one each. */
const formLimit = 64;

export class Batch {
  readonly #entries: readonly Entry[];
  readonly #forms = new Map<string | symbol, Buffer>();
  readonly messages: readonly Sendable[];
  /** Bytes of all messages. */
  readonly length: number;
  /** The position of the last entry. */
  readonly end: OutboxPosition;

  /** `entries` are in the order of their positions, and at least one. */
  constructor(entries: readonly [Entry, ...Entry[]]) {
    this.#entries = entries;
    this.end = (entries.at(-1) ?? entries[0]).position;
    this.messages = entries.flatMap(({ position, json }) =>
      json ? [{ cursor: encodeEventCursor(position), json }] : [],
    );
    this.length = this.messages.reduce((sum, { json }) => sum + json.length, 0);
  }

  /** What comes after a position; null when nothing does. */
  after(position: OutboxPosition): Batch | null {
    const isFurther = (entry: Entry) => comparePositions(entry.position, position) > 0;
    const start = this.#entries.findIndex(isFurther);
    if (start === 0) return this;
    const [first, ...others] = start === -1 ? [] : this.#entries.slice(start);
    return first ? new Batch([first, ...others]) : null;
  }

  /** All messages in the form of a transport: made once for the same key, while there are not too many keys. */
  form(key: string | symbol, make: (messages: readonly Sendable[]) => Buffer): Buffer {
    let bytes = this.#forms.get(key);
    if (!bytes) {
      bytes = make(this.messages);
      if (this.#forms.size < formLimit) this.#forms.set(key, bytes);
    }
    return bytes;
  }
}
