// A stream: one open subscription of one client. It knows up to where events have been sent, and sends none twice.
import type { GraphQLError } from "graphql";
import type { Viewer } from "#src/access/viewer.ts";
import type { OutboxPosition } from "#src/events/outbox-position.ts";
import type { Subscription } from "#src/graph/schema/subscriptions.ts";
import type { Batch } from "#src/server/live/batch.ts";
import type { Transport } from "#src/server/live/transport.ts";

/** Bytes that may wait on one connection when a message is added; a client that is further behind reads too slowly. */
const bufferLimit = 1024 * 1024;

/** The streams of one transport. */
export class StreamCounts {
  open = 0;
  /** Messages that were sent since the start of the process. */
  messages = 0;
}

interface Options {
  readonly subscription: Subscription;
  readonly viewer: Viewer;
  readonly transport: Transport;
  readonly counts: StreamCounts;
  readonly position: OutboxPosition;
  /** Called when nothing is to be sent any more, once. */
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

  /** Sends a message that is not about an event. */
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

  /** Ends the stream, with errors or without. */
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
