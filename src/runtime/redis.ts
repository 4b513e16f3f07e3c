// Connections to Redis: each comes back by itself, and while it is away its commands fail at once.
import { Redis, type RedisOptions } from "ioredis";

const connectionOptions: RedisOptions = {
  lazyConnect: true,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  connectTimeout: 5000,
  keepAlive: 1000,
  retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
};

/** A connection, which `connect` begins. Its errors are events of it. */
export function redisAt(url: string, options: RedisOptions = {}): Redis {
  return new Redis(url, { ...connectionOptions, ...options });
}
