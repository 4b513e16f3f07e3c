// Streams that are behind: each reads the outbox from its own position, at the pace of its client, until it is current.
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { StoredEvent } from "#src/events/event.ts";
import type { Feed } from "#src/events/event-log.ts";
import { comparePositions } from "#src/events/outbox-position.ts";
import { publicError } from "#src/graph/run/errors.ts";
import { type ResyncCause, resyncMessage } from "#src/graph/schema/events.ts";
import { Batch, type Stream } from "#src/server/live/stream.ts";
import { batchSize } from "#src/server/live/group/group.ts";
import type { Groups } from "#src/server/live/group/groups.ts";
import type { FairSemaphore } from "#src/runtime/fair-semaphore.ts";
import { DomainError } from "#src/base/errors.ts";

/** Bytes after which a connection gets time to send its data. */
export const sliceLength = 256 * 1024;

/** How long, in milliseconds, a stream that catches up waits for its client to read, and how often it checks. */
const patience = { whole: 30_000, step: 50 } as const;

interface Options {
  readonly feed: Feed;
  readonly groups: Groups;
  readonly log: Logger;
  readonly starts: Pick<FairSemaphore, "run">;
}

export class CatchUp {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Sends a stream the events after its position. At the end, it receives events as they happen. */
  begin(stream: Stream): void {
    stream.isLive = false;
    this.#run(stream).catch((error: unknown) => this.#fail(stream, error));
  }

  /** Ends a stream that cannot continue, with a message that names the missed events. */
  giveUp(stream: Stream, reason: ResyncCause): void {
    const { groups, feed } = this.#options;
    const group = groups.of(stream);
    if (!group) return;
    stream.isLive = false;
    groups.leave(stream); // the last message must not be followed by another one
    const end = feed.position;
    group.jsonOf(resyncMessage(reason, stream.position, end), stream.viewer).then(
      (json) => {
        stream.send(new Batch([{ position: end, json }]));
        stream.end();
      },
      (error: unknown) => this.#fail(stream, error),
    );
  }

  async #run(stream: Stream): Promise<void> {
    const { groups, feed, starts } = this.#options;
    const { userId } = stream.viewer;
    if (!(await withRetry(feed, () => starts.run(userId, () => feed.mayContinue(stream.position)))))
      return this.giveUp(stream, "reset");
    for (let size = batchSize; ;) {
      const until = feed.position;
      const group = groups.of(stream);
      if (!group) return;
      if (stream.position.epoch !== until.epoch) return this.giveUp(stream, "reset");
      if (comparePositions(stream.position, until) >= 0) break;
      const replay = () => feed.replay(stream.position, until, stream.subscription.scope);
      const part = await withRetry(feed, () => starts.run(userId, replay));
      if (typeof part === "string") return this.giveUp(stream, part);
      const events = part.events.filter((event) => group.wants(event));
      while (events.length > 0 && !stream.isOver) {
        const length = await this.#send(stream, events.splice(0, size));
        if (length === null) return this.giveUp(stream, "slow");
        // Long messages are made a few at a time: they wait in memory for the client to read.
        size = length > sliceLength ? Math.ceil(size / 2) : Math.min(size * 2, batchSize);
      }
      stream.position = part.position;
    }
    stream.isLive = true;
  }

  /** Sends some events; returns the length of their messages, or null if the client does not read. */
  async #send(stream: Stream, events: readonly StoredEvent[]): Promise<number | null> {
    const { groups, feed } = this.#options;
    const entries = await withRetry(feed, async (isLast) => {
      const group = groups.of(stream);
      return (await group?.messagesInTurn(stream.viewer, events, { withErrors: isLast })) ?? [];
    });
    for (const entry of entries) {
      if (!(await this.#hasRoom(stream))) return null;
      stream.advance(new Batch([entry]));
    }
    return entries.reduce((sum, { json }) => sum + (json?.length ?? 0), 0);
  }

  async #hasRoom(stream: Stream): Promise<boolean> {
    for (let waited = 0; stream.isFull && !stream.isOver; waited += patience.step) {
      if (waited >= patience.whole) return false;
      await sleep(patience.step);
    }
    return true;
  }

  #fail(stream: Stream, error: unknown): void {
    this.#options.log.error({ err: error }, "could not send events to a stream; it is closed");
    stream.end([publicError(error, undefined)]);
  }
}

/** How often something is retried: repeated failures are a bug, not a lost connection. */
const mostTries = 3;

/** Retries a failure once the database responds. Throws the last error, and each DomainError at once. */
export async function withRetry<Result>(
  feed: Pick<Feed, "answered">,
  work: (isLast: boolean) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work(tries === mostTries);
    } catch (error) {
      if (error instanceof DomainError || tries === mostTries) throw error;
      await feed.answered();
    }
  }
}
