// Connections to Redis: each reconnects by itself, and while it is lost its commands fail at once.
import { Redis, type RedisOptions } from "ioredis";

const connectionOptions: RedisOptions = {
  lazyConnect: true,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  connectTimeout: 5000,
  keepAlive: 1000,
  retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
};

/** A connection, which `connect` opens. Its errors are emitted as events. */
export function redisAt(url: string, options: RedisOptions = {}): Redis {
  return new Redis(url, { ...connectionOptions, ...options });
}
