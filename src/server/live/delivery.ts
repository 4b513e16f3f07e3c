// The delivery of events: to all who hear of them as they happen, and to each who catches up, at the pace of its reader.
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import type { GraphQLError } from "graphql";
import type { Logger } from "pino";
import type { StoredEvent } from "#src/events/event.ts";
import type { Feed } from "#src/events/feed.ts";
import { comparePositions } from "#src/events/position.ts";
import { publicError } from "#src/graph/errors.ts";
import { type ResyncCause, resyncMessage } from "#src/graph/events.ts";
import { type Audience, batchSize } from "#src/server/live/audience.ts";
import type { Audiences } from "#src/server/live/audiences.ts";
import { insist } from "#src/server/live/insist.ts";
import type { Stream } from "#src/server/live/stream.ts";

/** Characters that are sent to a stream at once; then its connection gets time to hand them on. */
const sliceLength = 256 * 1024;

/** Streams that are told in one go; then whatever else this process has to do gets its turn. */
const streamsAtOnce = 250;

/** How long, in milliseconds, a stream that catches up waits for its reader, and how often it looks. */
const patience = { whole: 30_000, step: 50 } as const;

interface Options {
  readonly feed: Feed;
  readonly audiences: Audiences;
  readonly log: Logger;
  /** Ends a stream, with errors or without. */
  readonly end: (stream: Stream, errors?: readonly GraphQLError[]) => void;
}

export class Delivery {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Tells events to everybody who hears of them as they happen. One who reads too slowly is told to start anew. */
  async tell(events: readonly StoredEvent[]): Promise<void> {
    const heard = this.#options.audiences.hearing(events);
    await Promise.all([...heard].map(([audience, own]) => this.#tellAudience(audience, own)));
  }

  /** Tells a stream what stands behind its place, until it has come to the present; from then on it hears of events as they happen. */
  catchUp(stream: Stream): void {
    stream.isLive = false;
    this.#catchUp(stream).catch((error: unknown) => this.#fail(stream, error));
  }

  async #tellAudience(audience: Audience, events: readonly StoredEvent[]): Promise<void> {
    const streams = [...audience.streams].filter(({ isLive }) => isLive);
    const viewers = streams.map(({ seat }) => seat.viewer);
    for (let start = 0; start < events.length && streams.some(({ isLive }) => isLive); start += batchSize) {
      const batch = events.slice(start, start + batchSize);
      try {
        const texts = await audience.tell(batch, viewers);
        await this.#send(audience, streams, batch, texts);
      } catch (error) {
        this.#options.log.warn({ err: error }, "events could not be told, and are told again");
        for (const stream of streams) this.#fallBack(stream);
      }
    }
  }

  /** Sends texts, by the ids of the viewers, a slice at a time: what a connection cannot hand on until the next is its backlog. */
  async #send(
    audience: Audience,
    streams: readonly Stream[],
    events: readonly StoredEvent[],
    texts: ReadonlyMap<string, readonly (string | null)[]>,
  ): Promise<void> {
    for (let start = 0; start < events.length;) {
      let [end, length] = [start, 0];
      for (; end < events.length && length < sliceLength; end++)
        length += Math.max(...[...texts.values()].map((own) => own[end]?.length ?? 0));
      const slice = events.slice(start, end);
      const sliced = new Map([...texts].map(([userId, own]) => [userId, own.slice(start, end)]));
      for (const [index, stream] of streams.entries()) {
        if (index % streamsAtOnce === streamsAtOnce - 1) await turn();
        if (!stream.isLive) continue;
        if (this.#options.audiences.placeOf(stream)?.audience !== audience) this.#fallBack(stream);
        else if (stream.isFull) this.#resync(stream, "slow");
        else stream.tellAll(slice, sliced.get(stream.seat.viewer.userId) ?? []);
      }
      start = end;
      if (length >= sliceLength) await turn();
    }
  }

  /** Lets a stream catch up that could not be told, or has come to other rights, while events were being told. */
  #fallBack(stream: Stream): void {
    if (stream.isLive) this.catchUp(stream);
  }

  async #catchUp(stream: Stream): Promise<void> {
    const { audiences, feed } = this.#options;
    for (let size = batchSize; ;) {
      const until = feed.position;
      const place = audiences.placeOf(stream);
      if (!place) return;
      if (comparePositions(stream.position, until) >= 0) break;
      const part = await insist(feed, () => feed.replay(stream.position, until, place.source.scope));
      if (!part) {
        this.#resync(stream, "expired");
        return;
      }
      const events = part.events.filter((event) => place.audience.tells(event));
      while (events.length > 0 && !stream.isOver) {
        const length = await this.#tellLate(stream, events.splice(0, size));
        if (length === null) {
          this.#resync(stream, "slow");
          return;
        }
        // Texts that are long are made a few at a time: they wait in memory for the reader.
        size = length > sliceLength ? Math.ceil(size / 2) : Math.min(size * 2, batchSize);
      }
      stream.position = part.position;
    }
    stream.isLive = true;
  }

  /** Tells some events to a stream that catches up; answers how long their texts were, or null when its reader does not read. */
  async #tellLate(stream: Stream, events: readonly StoredEvent[]): Promise<number | null> {
    const { audiences, feed } = this.#options;
    const texts = await insist(feed, async (isLast) => {
      const audience = audiences.placeOf(stream)?.audience;
      return (await audience?.tellInTurn(events, stream.seat.viewer, { withErrors: isLast })) ?? [];
    });
    for (const [index, { position }] of events.entries()) {
      if (!(await this.#hasRoom(stream))) return null;
      stream.tell(position, texts[index] ?? null);
    }
    return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  }

  async #hasRoom(stream: Stream): Promise<boolean> {
    for (let waited = 0; stream.isFull && !stream.isOver; waited += patience.step) {
      if (waited >= patience.whole) return false;
      await sleep(patience.step);
    }
    return true;
  }

  #resync(stream: Stream, reason: ResyncCause): void {
    const { audiences, feed, end } = this.#options;
    const place = audiences.placeOf(stream);
    if (!place) return;
    stream.isLive = false;
    audiences.leave(stream); // nothing more may come behind the last message
    const message = resyncMessage(reason, stream.position, feed.position);
    place.audience.textOf(message, stream.seat.viewer).then(
      (text) => {
        if (!stream.isOver) stream.sink.send(text, message.cursor);
        end(stream);
      },
      (error: unknown) => this.#fail(stream, error),
    );
  }

  #fail(stream: Stream, error: unknown): void {
    this.#options.log.error({ err: error }, "a stream could not be told events, and is ended");
    this.#options.end(stream, [publicError(error, undefined)]);
  }
}
