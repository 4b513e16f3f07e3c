// Events as they happen: each message is made once for a group, and sent to all streams of it that are up to date.
import { setImmediate as turn } from "node:timers/promises";
import type { Logger } from "pino";
import type { StoredEvent } from "#src/events/event.ts";
import { type CatchUp, sliceLength } from "#src/server/live/catch-up.ts";
import { batchSize, type Group } from "#src/server/live/group/group.ts";
import type { Groups } from "#src/server/live/group/groups.ts";
import type { Stream } from "#src/server/live/stream.ts";

/** How many streams are sent to at a time, before the process turns to other work. */
const streamsAtOnce = 250;

interface Options {
  readonly groups: Groups;
  readonly catchUp: CatchUp;
  readonly log: Logger;
}

export class Delivery {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Sends events to all groups that want them. A stream whose client reads too slowly is given up. */
  async deliver(events: readonly StoredEvent[]): Promise<void> {
    const wanted = this.#options.groups.wanting(events);
    await Promise.all([...wanted].map(([group, own]) => this.#deliverTo(group, own)));
  }

  async #deliverTo(group: Group, events: readonly StoredEvent[]): Promise<void> {
    const streams = [...group.streams].filter(({ isLive }) => isLive);
    const viewers = streams.map(({ viewer }) => viewer);
    for (let start = 0; start < events.length && streams.some(({ isLive }) => isLive); start += batchSize) {
      const batch = events.slice(start, start + batchSize);
      try {
        const messages = await group.messagesFor(viewers, batch);
        await this.#send(group, streams, { events: batch, messages });
      } catch (error) {
        this.#options.log.warn({ err: error }, "messages of events could not be made; they are tried again");
        for (const stream of streams) this.#fallBack(stream);
      }
    }
  }

  /** Sends messages, a slice at a time, so that connections can write what they have between two slices. */
  async #send(group: Group, streams: readonly Stream[], { events, messages }: Messages): Promise<void> {
    for (let start = 0; start < events.length;) {
      let [end, length] = [start, 0];
      for (; end < events.length && length < sliceLength; end++)
        length += Math.max(...[...messages.values()].map((own) => own[end]?.length ?? 0));
      const slice = events.slice(start, end);
      const sliced = new Map([...messages].map(([userId, own]) => [userId, own.slice(start, end)]));
      for (const [index, stream] of streams.entries()) {
        if (index % streamsAtOnce === streamsAtOnce - 1) await turn();
        if (!stream.isLive) continue;
        if (this.#options.groups.of(stream) !== group) this.#fallBack(stream);
        else if (stream.isFull) this.#options.catchUp.giveUp(stream, "slow");
        else stream.advanceAll(slice, sliced.get(stream.viewer.userId) ?? []);
      }
      start = end;
      if (length >= sliceLength) await turn();
    }
  }

  /** Lets a stream catch up that has missed something: the messages could not be made, or its rights have changed. */
  #fallBack(stream: Stream): void {
    if (stream.isLive) this.#options.catchUp.begin(stream);
  }
}

interface Messages {
  readonly events: readonly StoredEvent[];
  /** By the ids of viewers, one for each event; null where there is nothing to send. */
  readonly messages: ReadonlyMap<string, readonly (string | null)[]>;
}
