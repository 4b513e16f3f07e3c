// Wake-ups by Redis, for many gateways on one database. Without a Redis in reach they are just silent, and gateways look by themselves.
import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import type { Logger } from "pino";
import { coalesced, type Wakeups } from "#src/events/wakeups.ts";

export interface RedisWakeupsOptions {
  readonly url: string;
  /** Tells databases apart that share a Redis; the same on all gateways of one. Two of one name only wake each other in vain. */
  readonly name: string;
  readonly log: Logger;
}

/** Connects in the background, again whenever a connection is lost: one to publish, one to subscribe. */
export function redisWakeups({ url, name, log }: RedisWakeupsOptions): Wakeups {
  const self = randomUUID();
  const channel = `docgraph:events:${name}`;
  const options = {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    connectTimeout: 5000,
    keepAlive: 1000,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, 2000),
  };
  const publisher = new Redis(url, options);
  const subscriber = new Redis(url, { ...options, autoResubscribe: false });
  let isLost = false;
  const onError = (error: Error) => {
    if (!isLost) log.warn({ err: error.message }, "Redis is not reached; events come by looking now and then");
    isLost = true;
  };
  publisher.on("error", onError);
  subscriber.on("error", onError);

  /** Whether a word could not be said; one is enough for all. */
  let isOwed = false;
  const send = coalesced(async () => {
    isOwed = await publisher.publish(channel, self).then(
      () => false,
      () => true,
    );
  });

  return {
    send,
    listen(onWake) {
      subscriber.on("message", (_channel, sender) => {
        if (sender !== self) onWake();
      });
      subscriber.on("ready", () => {
        isLost = false;
        subscriber.subscribe(channel).then(onWake, () => {}); // also: a word may have been lost meanwhile
      });
      publisher.on("ready", () => {
        if (isOwed) send();
      });
      void publisher.connect().catch(() => {}); // told by "error"
      void subscriber.connect().catch(() => {});
    },
    close() {
      publisher.disconnect();
      subscriber.disconnect();
      return Promise.resolve();
    },
  };
}
