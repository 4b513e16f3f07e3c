// State that gateways share in Redis: persisted queries, limited to the last used ones, and the points of users. While
// Redis is unreachable each gateway only has its own.
import type { Logger } from "pino";
import { redisAt } from "#src/runtime/redis.ts";
import type { SharedTexts } from "#src/graph/documents/sent-documents.ts";
import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { CostStore } from "#src/domain/quota.ts";

interface Options {
  readonly url: string;
  /** Separates databases that share a Redis; the same on all gateways of one database. */
  readonly name: string;
  readonly log: Logger;
  /** How many bytes the documents may have together. */
  readonly room?: number;
}

const defaultRoom = 64 * 1024 * 1024;

/** How long, in milliseconds, a request waits for Redis before it treats the document as unknown. */
const patienceMs = 500;

/** How long, in seconds, unused documents are stored. */
const keptSeconds = 30 * 24 * 3600;

/** Connects in the background, again whenever the connection is lost. */
export function redisDocuments({ url, name, log, room = defaultRoom }: Options): SharedTexts {
  const redis = redisAt(url, { commandTimeout: patienceMs });
  let isLost = false;
  redis.on("error", (error: Error) => {
    if (!isLost) log.warn({ err: error.message }, "Redis is unreachable; persisted queries are not shared");
    isLost = true;
  });
  redis.on("ready", () => void (isLost = false));
  void redis.connect().catch(() => {}); // "error" logs it
  // One slot in a cluster: the braces decide.
  const keys = ["texts", "uses", "size"].map((part) => `docgraph:documents:{${name}}:${part}`);
  return {
    async find(key) {
      const text = await redis.eval(findScript, keys.length, ...keys, key).catch(() => null);
      return typeof text === "string" ? text : null;
    },
    keep(key, text) {
      void redis.eval(keepScript, keys.length, ...keys, key, text, room, keptSeconds).catch(() => {}); // sent again
    },
    close: () => redis.disconnect(),
  };
}

/** Records the last use of a document, by the clock of Redis, which is the same for all. */
const noteUse = `
  local now = redis.call('TIME')
  redis.call('ZADD', KEYS[2], now[1] + now[2] / 1000000, ARGV[1])`;

const findScript = `
  local text = redis.call('HGET', KEYS[1], ARGV[1])
  if not text then return nil end
  ${noteUse}
  return text`;

/** Removes the least recently used until there is room. If Redis itself has evicted some, it starts again. */
const keepScript = `
  local size = tonumber(redis.call('GET', KEYS[3]) or 0)
  if redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) == 1 then size = size + #ARGV[2] end
  ${noteUse}
  while size > tonumber(ARGV[3]) do
    local oldest = redis.call('ZPOPMIN', KEYS[2])[1]
    if not oldest then return redis.call('DEL', unpack(KEYS)) end
    size = size - redis.call('HSTRLEN', KEYS[1], oldest)
    redis.call('HDEL', KEYS[1], oldest)
  end
  redis.call('SET', KEYS[3], size)
  for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[4]) end`;

/** Counts points in Redis for several gateways, each for itself while it is unreachable. `name` separates databases. */
export function costsInRedis({ url, name }: { url: string; name: string }): CostStore & { close(): Promise<void> } {
  const storeClient = new Redis(url, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    connectTimeout: 5000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  storeClient.on("error", () => {}); // the wake-ups, on the same Redis, log that it is unreachable
  const window = { points: 1, duration: 60, keyPrefix: `docgraph:points:${name}` };
  const insuranceLimiter = new RateLimiterMemory(window);
  const limiter = new RateLimiterRedis({ ...window, storeClient, rejectIfRedisNotReady: true, insuranceLimiter });
  const close = async () => storeClient.disconnect();
  return { penalty: (key, points) => limiter.penalty(key, points), close };
}
