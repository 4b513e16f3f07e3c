// Wake-ups by Redis, for many gateways of one database; while it is unreachable they poll.
import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { redisAt } from "#src/runtime/redis.ts";
import { coalesced, type TextSubscriber, type Wakeups } from "#src/events/wakeups.ts";

export interface RedisWakeupsOptions {
  readonly url: string;
  /** Separates databases that share a Redis; equal names only cause needless wake-ups. */
  readonly name: string;
  readonly log: Logger;
}

/** Connects in the background, again whenever a connection is lost: one to publish, one to subscribe. */
export class RedisWakeups implements Wakeups {
  readonly #channel: string;
  readonly #textChannel: string;
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #self = randomUUID();
  #isLost = false;
  /** Whether a message could not be published; one message replaces all missed ones. */
  #isOwed = false;
  readonly #textSubscribers: TextSubscriber[] = [];

  constructor({ url, name, log }: RedisWakeupsOptions) {
    this.#channel = `docgraph:events:${name}`;
    this.#textChannel = `docgraph:texts:${name}`;
    this.#publisher = redisAt(url);
    this.#subscriber = redisAt(url, { autoResubscribe: false });
    const onError = (error: Error) => {
      if (!this.#isLost) log.warn({ err: error.message }, "Redis is unreachable; new events are polled every second");
      this.#isLost = true;
    };
    this.#publisher.on("error", onError);
    this.#subscriber.on("error", onError);
  }

  readonly send = coalesced(async () => {
    this.#isOwed = await this.#publisher.publish(this.#channel, this.#self).then(
      () => false,
      () => true,
    );
  });

  listen(onWake: () => void): void {
    this.#subscriber.on("message", (channel, message) => {
      if (message.startsWith(this.#self)) return;
      if (channel !== this.#textChannel) return onWake();
      const text = message.slice(message.indexOf(" ") + 1);
      for (const subscriber of this.#textSubscribers) subscriber.onText(text);
    });
    this.#subscriber.on("ready", () => {
      this.#isLost = false;
      const subscribed = this.#subscriber.subscribe(this.#channel, this.#textChannel);
      subscribed.then(onWake, () => {}); // wakes: a message may have been lost meanwhile
      const onOpen = () => this.#textSubscribers.forEach((subscriber) => subscriber.onOpen());
      subscribed.then(onOpen, () => {});
    });
    this.#publisher.on("ready", () => {
      if (this.#isOwed) this.send();
    });
    void this.#publisher.connect().catch(() => {}); // "error" logs it
    void this.#subscriber.connect().catch(() => {});
  }

  publish(text: string): void {
    if (this.#publisher.status === "ready")
      this.#publisher.publish(this.#textChannel, `${this.#self} ${text}`).catch(() => {});
  }

  subscribe(subscriber: TextSubscriber): void {
    this.#textSubscribers.push(subscriber);
  }

  close(): Promise<void> {
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
    return Promise.resolve();
  }
}
