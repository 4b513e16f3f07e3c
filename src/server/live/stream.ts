// A stream: one open subscription of one client. It records up to where events have been sent, and sends none twice.
import type { GraphQLError } from "graphql";
import type { Viewer } from "#src/access/viewer.ts";
import { comparePositions, encodeEventCursor, type OutboxPosition } from "#src/events/outbox-position.ts";
import type { Subscription } from "#src/graph/schema/subscriptions.ts";
import { setTimeout as wait } from "node:timers/promises";

/** Unsent bytes of a connection up to which a message is added; a client that is further behind reads too slowly. */
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
  /** Its scope; the streams of a group share one. */
  subscription: Subscription;
  /** The viewer, with their current rights. */
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

  /** Whether the connection has too many unsent bytes for a further message. */
  get isFull(): boolean {
    return this.#transport.bufferedBytes > bufferLimit;
  }

  send(batch: Batch): void {
    if (!this.#isOver) this.#send(batch);
  }

  /** Advances past events and sends their messages, except those that the stream has already passed. */
  advance(batch: Batch): void {
    // A batch of an epoch that ended meanwhile does not concern it.
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

  /** Ends the stream and sends nothing: the client has disconnected, or has ended it. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#counts.open -= 1;
    this.#onEnd(this);
  }
}

/** An event, or another position of a stream, and the message about it. */
export interface Entry {
  readonly position: OutboxPosition;
  /** A GraphQL result as JSON text in UTF-8; null if nothing is sent. */
  readonly json: Buffer | null;
}

export interface Sendable {
  readonly cursor: string;
  readonly json: Buffer;
}

/** How many forms are cached. Clients choose the ids of subscriptions: many choose the same few, others unique ones. */
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

  /** The part after a position; null if empty. */
  after(position: OutboxPosition): Batch | null {
    const isFurther = (entry: Entry) => comparePositions(entry.position, position) > 0;
    const start = this.#entries.findIndex(isFurther);
    if (start === 0) return this;
    const [first, ...others] = start === -1 ? [] : this.#entries.slice(start);
    return first ? new Batch([first, ...others]) : null;
  }

  /** All messages in the form of a transport: made once per key, up to a number of keys. */
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

/** Where the messages of one stream go. No method waits; after the connection is closed they have no effect. */
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
  /** Resolves when every event that was committed before has been sent. */
  readonly flush: () => Promise<void>;
}

/** Ends connections one by one over half of the grace, each after all events, so that clients reconnect gradually. */
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
