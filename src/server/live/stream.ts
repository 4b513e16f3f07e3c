// A stream: one open subscription of one client. It knows up to where events have been sent, and sends none twice.
import type { GraphQLError } from "graphql";
import type { Viewer } from "#src/access/viewer.ts";
import { comparePositions, encodeEventCursor, type OutboxPosition } from "#src/events/outbox-position.ts";
import type { Subscription } from "#src/graph/schema/subscriptions.ts";
import { setTimeout as wait } from "node:timers/promises";

/** Bytes that may wait on one connection when a message is added; a client that is further behind reads too slowly. */
const bufferLimit = 1024 * 1024;

export class StreamCounts {
  open = 0;
  messages = 0;
}

interface Options {
  readonly subscription: Subscription;
  readonly viewer: Viewer;
  readonly transport: Transport;
  readonly counts: StreamCounts;
  readonly position: OutboxPosition;
  readonly onEnd: (stream: Stream) => void;
}

export class Stream {
  /** What it listens to; the streams of a group share one. */
  subscription: Subscription;
  /** Who listens, with the rights that they have now. */
  viewer: Viewer;
  /** Everything up to here has been sent. */
  position: OutboxPosition;
  /** Whether `Ready` has been sent, which comes before everything else. */
  hasBegun = false;
  /** Whether events are sent as they happen; otherwise the stream is catching up. */
  isLive = false;
  #isOver = false;
  readonly #transport: Transport;
  readonly #counts: StreamCounts;
  readonly #onEnd: (stream: Stream) => void;

  constructor({ subscription, viewer, transport, counts, position, onEnd }: Options) {
    this.subscription = subscription;
    this.viewer = viewer;
    this.position = position;
    this.#transport = transport;
    this.#counts = counts;
    this.#onEnd = onEnd;
    counts.open += 1;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether there is no room for a further message now. */
  get isFull(): boolean {
    return this.#transport.bufferedBytes > bufferLimit;
  }

  send(batch: Batch): void {
    if (!this.#isOver) this.#send(batch);
  }

  /** Moves on past events and sends their messages, but for those that the stream has passed already. */
  advance(batch: Batch): void {
    // A batch of an epoch that ended meanwhile is not for it.
    const fresh = this.#isOver || batch.end.epoch !== this.position.epoch ? null : batch.after(this.position);
    if (!fresh) return;
    this.position = fresh.end;
    if (fresh.messages.length > 0) this.#send(fresh);
  }

  #send(batch: Batch): void {
    this.#counts.messages += batch.messages.length;
    this.#transport.send(batch);
  }

  end(errors?: readonly GraphQLError[]): void {
    if (this.#isOver) return;
    this.close();
    if (errors) this.#transport.fail(errors);
    else this.#transport.complete();
  }

  /** Ends the stream and sends nothing: the client is gone, or has ended it. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#counts.open -= 1;
    this.#onEnd(this);
  }
}

/** An event, or another moment of a stream, and what is sent about it. */
export interface Entry {
  readonly position: OutboxPosition;
  /** A GraphQL result as JSON text in UTF-8; null where there is nothing to send. */
  readonly json: Buffer | null;
}

export interface Sendable {
  readonly cursor: string;
  readonly json: Buffer;
}

/** How many forms are kept. Clients choose the ids of subscriptions: many choose the same few, others one each. */
const formLimit = 64;

/** Messages of events that go to many streams together, and the bytes that transports make of them once. */
export class Batch {
  readonly #entries: readonly Entry[];
  readonly #forms = new Map<string | symbol, Buffer>();
  readonly messages: readonly Sendable[];
  readonly length: number;
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

export type TransportKind = "websocket" | "sse" | "multipart";

/** Where the messages of one stream go. None of these wait; after the connection is closed they do nothing. */
export interface Transport {
  readonly kind: TransportKind;
  send(batch: Batch): void;
  complete(): void;
  fail(errors: readonly GraphQLError[]): void;
  /** Bytes that are still to be sent, of all streams on the same connection. */
  readonly bufferedBytes: number;
}

export interface Leaving {
  /** How long, in milliseconds, connections have until they are cut; they are asked to end within the first half. */
  readonly graceMs: number;
  /** Ends when every event that was committed before has been sent. */
  readonly flush: () => Promise<void>;
}

/** Ends connections one by one over half of the grace, each after all events: clients must not all move at once. */
export async function leave<Connection>(
  { graceMs, flush }: Leaving,
  connections: readonly Connection[],
  end: (connection: Connection) => void,
): Promise<void> {
  const stepMs = graceMs / 2 / connections.length;
  await Promise.all(
    connections.map(async (connection, index) => {
      await wait(stepMs * index);
      await flush();
      end(connection);
    }),
  );
}
