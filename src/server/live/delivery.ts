// Delivers events as they happen: each message is made once for a group, and sent to all its streams that are current.
import { setImmediate as turn } from "node:timers/promises";
import type { Logger } from "pino";
import type { StoredEvent } from "#src/events/event.ts";
import { RepeatedWarning } from "#src/runtime/repeated-warning.ts";
import { Batch, type Entry, type Stream } from "#src/server/live/stream.ts";
import { type CatchUp, sliceLength } from "#src/server/live/catch-up.ts";
import { batchSize, type Group } from "#src/server/live/group/group.ts";
import type { Groups } from "#src/server/live/group/groups.ts";

/** How many streams are sent to at a time, before the process does other work. */
const streamsAtOnce = 250;

interface Options {
  readonly groups: Groups;
  readonly catchUp: CatchUp;
  readonly log: Logger;
}

export class Delivery {
  readonly #options: Options;
  readonly #failures: RepeatedWarning;
  readonly #lastFailures: RepeatedWarning;

  constructor(options: Options) {
    this.#options = options;
    this.#failures = new RepeatedWarning(options.log, "could not make the messages of events; they are retried");
    this.#lastFailures = new RepeatedWarning(options.log, "a stream was closed without its last messages");
  }

  /** Sends events to all groups that want them. A stream whose client reads too slowly is closed. */
  async deliver(events: readonly StoredEvent[]): Promise<void> {
    const wanted = this.#options.groups.wanting(events);
    await Promise.all([...wanted].map(([group, own]) => this.#deliverTo(group, own)));
  }

  /** Sends a stream that catches up and ends now these events as far as visible; nothing if that fails. */
  async sendLast(stream: Stream, events: readonly StoredEvent[]): Promise<void> {
    const group = this.#options.groups.of(stream);
    const own = group ? events.filter((event) => group.wants(event)).slice(-batchSize) : [];
    if (!group || own.length === 0 || stream.isLive || !stream.hasBegun || stream.isFull) return;
    try {
      const [first, ...others] = (await group.messagesFor([stream.viewer], own)).get(stream.viewer.userId) ?? [];
      if (first) stream.advance(new Batch([first, ...others]));
    } catch (error) {
      this.#lastFailures.log(error);
    }
  }

  async #deliverTo(group: Group, events: readonly StoredEvent[]): Promise<void> {
    const streams = [...group.streams].filter(({ isLive }) => isLive);
    const viewers = streams.map(({ viewer }) => viewer);
    for (let start = 0; start < events.length && streams.some(({ isLive }) => isLive); start += batchSize) {
      const batch = events.slice(start, start + batchSize);
      try {
        const messages = await group.messagesFor(viewers, batch);
        await this.#send(group, streams, messages);
      } catch (error) {
        this.#failures.log(error);
        for (const stream of streams) this.#fallBack(stream);
      }
    }
  }

  /** Sends messages, a slice at a time, so that connections can write between two slices. */
  async #send(group: Group, streams: readonly Stream[], messages: Messages): Promise<void> {
    for (const { batches, length } of slicesOf(messages)) {
      for (const [index, stream] of streams.entries()) {
        if (index % streamsAtOnce === streamsAtOnce - 1) await turn();
        if (!stream.isLive) continue;
        const own = messages.get(stream.viewer.userId);
        const batch = own && batches.get(own);
        if (!batch || this.#options.groups.of(stream) !== group) this.#fallBack(stream);
        else if (stream.isFull) this.#options.catchUp.giveUp(stream, "slow");
        else stream.advance(batch);
      }
      if (length >= sliceLength) await turn();
    }
  }

  /** Lets a stream catch up after a miss: the messages could not be made, or its rights have changed. */
  #fallBack(stream: Stream): void {
    if (stream.isLive) this.#options.catchUp.begin(stream);
  }
}

/** Keyed by viewer id: for the same events each, and one list for all viewers with equal messages. */
type Messages = ReadonlyMap<string, readonly Entry[]>;

/** Cuts messages into batches by their lists, each slice ending when its longest comes to {@link sliceLength}. */
function* slicesOf(messages: Messages) {
  const lists = [...new Set(messages.values())];
  const count = lists[0]?.length ?? 0;
  for (let start = 0; start < count;) {
    let [end, length] = [start, 0];
    for (; end < count && length < sliceLength; end++)
      length += lists.reduce((most, list) => Math.max(most, list[end]?.json?.length ?? 0), 0);
    const batches = new Map<readonly Entry[], Batch>();
    for (const list of lists) {
      const [first, ...others] = list.slice(start, end);
      if (first) batches.set(list, new Batch([first, ...others]));
    }
    yield { batches, length };
    start = end;
  }
}
