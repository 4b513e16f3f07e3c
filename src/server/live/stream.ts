// One subscriber's stream: how far it has been told, and whether it hears of events as they happen.
import type { Viewer } from "#src/access/viewer.ts";
import { comparePositions, encodePosition, type Position } from "#src/events/position.ts";
import type { Sink } from "#src/server/live/sink.ts";

/** Bytes that may wait to be sent on one connection when a further message is added; a reader that is further behind is too slow. */
const bufferLimit = 1024 * 1024;

/** Everybody who came with one token, and the rights that they have now. */
export interface Seat {
  viewer: Viewer;
  readonly streams: Set<Stream>;
}

export class Stream {
  readonly sink: Sink;
  readonly seat: Seat;
  /** Up to where it has been told everything. */
  position: Position;
  /** Whether it hears of events as they happen; otherwise it catches up. */
  isLive = false;
  isOver = false;

  constructor(sink: Sink, seat: Seat, position: Position) {
    this.sink = sink;
    this.seat = seat;
    this.position = position;
  }

  /** Whether there is no room for a further message now. */
  get isFull(): boolean {
    return this.sink.bufferedBytes > bufferLimit;
  }

  /** Moves on to a place; tells `text`, when there is something to tell there. What it was told already is passed over. */
  tell(at: Position, text: string | null): void {
    if (this.isOver || comparePositions(at, this.position) <= 0) return;
    this.position = at;
    if (text !== null) this.sink.send(text, encodePosition(at));
  }

  /** Gives events that happened together. */
  tellAll(events: readonly { readonly position: Position }[], texts: readonly (string | null)[]): void {
    this.sink.together(() => {
      for (const [index, { position }] of events.entries()) this.tell(position, texts[index] ?? null);
    });
  }
}
