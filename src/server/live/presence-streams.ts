// The streams of presence: each is a user at a subject, and is sent the users there whenever these change.
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Feed } from "#src/events/event-log.ts";
import { encodeEventCursor } from "#src/events/outbox-position.ts";
import { RepeatedWarning } from "#src/runtime/repeated-warning.ts";
import { coalesced, type Wakeups } from "#src/events/wakeups.ts";
import type { Groups } from "#src/server/live/group/groups.ts";
import { Presence } from "#src/server/live/presence.ts";
import { Batch, type Stream } from "#src/server/live/stream.ts";

export interface PresenceOptions {
  readonly feed: Feed;
  readonly groups: Groups;
  readonly wakeups: Pick<Wakeups, "publish" | "subscribe">;
  readonly log: Logger;
}

interface Subject {
  readonly streams: Set<Stream>;
  /** Sends the current users to the streams that were sent others. */
  readonly send: () => void;
}

export class PresenceStreams {
  readonly #options: PresenceOptions;
  readonly #presence: Presence;
  readonly #failures: RepeatedWarning;
  readonly #subjects = new Map<string, Subject>();
  readonly #sent = new WeakMap<Stream, string>();

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#failures = new RepeatedWarning(options.log, "could not send who is present");
    this.#presence = new Presence({
      gateway: randomUUID(),
      wakeups: options.wakeups,
      onChange: (subject) => this.#subjects.get(subject)?.send(),
    });
  }

  start(): void {
    this.#presence.start();
  }

  stop(): void {
    this.#presence.stop();
  }

  /** Counts the user of a stream that has begun, if it is of presence. */
  join(stream: Stream): void {
    const { presence } = stream.subscription;
    if (!presence || stream.isOver) return;
    const subject = this.#subjects.get(presence.subject) ?? this.#open(presence.subject);
    subject.streams.add(stream);
    this.#presence.enter(presence.subject, stream.viewer.userId);
    subject.send(); // also to another stream of a user who is already counted
  }

  leave(stream: Stream): void {
    const { presence } = stream.subscription;
    const subject = presence && this.#subjects.get(presence.subject);
    if (!presence || !subject?.streams.delete(stream)) return;
    if (subject.streams.size === 0) this.#subjects.delete(presence.subject);
    this.#presence.leave(presence.subject, stream.viewer.userId);
  }

  #open(subject: string): Subject {
    const streams = new Set<Stream>();
    const opened = { streams, send: coalesced(() => this.#send(subject, streams)) };
    this.#subjects.set(subject, opened);
    return opened;
  }

  async #send(subject: string, streams: ReadonlySet<Stream>): Promise<void> {
    const users = this.#presence.usersAt(subject);
    const key = users.join();
    const behind = [...streams].filter((stream) => this.#sent.get(stream) !== key && !stream.isFull);
    const groups = Map.groupBy(behind, (stream) => this.#options.groups.of(stream));
    for (const [group, members] of groups) {
      const presence = group?.subscription.presence;
      if (!group || !presence) continue;
      const { delivered } = this.#options.feed;
      const message = presence.messageOf(users, encodeEventCursor(delivered));
      const viewers = members.map(({ viewer }) => viewer);
      try {
        const made = await group.jsonFor(viewers, message);
        for (const stream of members) {
          const json = made.get(stream.viewer.userId);
          if (!json) continue;
          this.#sent.set(stream, key);
          stream.send(new Batch([{ position: delivered, json }]));
        }
      } catch (error) {
        this.#failures.log(error);
      }
    }
  }
}
