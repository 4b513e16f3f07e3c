// The points of users in Redis, so that several gateways count together. While Redis is away each counts for itself.
import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { CostStore } from "#src/domain/quota.ts";

/** Counts in the Redis at `url`; `name` keeps databases apart that share one. `close` ends the connection. */
export function costsInRedis({ url, name }: { url: string; name: string }): CostStore & { close(): Promise<void> } {
  const storeClient = new Redis(url, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    connectTimeout: 5000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  storeClient.on("error", () => {}); // whoever carries wake-ups by the same Redis logs that it is away
  const window = { points: 1, duration: 60, keyPrefix: `docgraph:points:${name}` };
  const insuranceLimiter = new RateLimiterMemory(window);
  const limiter = new RateLimiterRedis({ ...window, storeClient, rejectIfRedisNotReady: true, insuranceLimiter });
  const close = async () => storeClient.disconnect();
  return { penalty: (key, points) => limiter.penalty(key, points), close };
}
