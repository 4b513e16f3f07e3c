// Pools of connections: the settings of every session, and limits for those who wait for a connection.
import pg from "pg";
import { timeLeft } from "#src/db/time-limit.ts";
import { PoolFullError } from "#src/db/trouble.ts";

export interface PoolLimits {
  /** The most connections; 10 by default. */
  readonly poolSize: number;
  /** The longest that a statement may take, in milliseconds; 30 seconds by default. */
  readonly statementTimeoutMs: number;
  /** The longest that a statement may wait for a lock, in milliseconds; 5 seconds by default. */
  readonly lockTimeoutMs: number;
}

/** How many may wait for a connection of a pool, before further ones are refused at once. */
const mostWaiting = 200;

/** How much longer than a statement may take its answer is awaited, in milliseconds: then the connection is dead. */
const deadAfterMs = 5_000;

type OnConnected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

class BoundedPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(onConnected: OnConnected): void;
  override connect(onConnected?: OnConnected): Promise<pg.PoolClient> | void {
    if (this.waitingCount < mostWaiting) return onConnected ? super.connect(onConnected) : super.connect();
    const full = new PoolFullError(`${mostWaiting} statements wait for a connection`);
    if (!onConnected) return Promise.reject(full);
    process.nextTick(onConnected, full, undefined, () => {});
  }
}

/** Opens a pool. Nothing is connected before the first statement. */
export function openPool(url: string, limits: Partial<PoolLimits>): pg.Pool {
  const { config, statementTimeoutMs, answerLimitMs } = sessionConfig(url, limits);
  const pool = new BoundedPool({
    ...config,
    max: limits.poolSize ?? 10,
    idleTimeoutMillis: 60_000,
    query_timeout: answerLimitMs,
  });
  // The pool replaces a lost idle connection; the next statement fails if the server is gone.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {}); // also while no query listens: it would end the process
    limitTransactions(client, statementTimeoutMs);
  });
  return pool;
}

/**
 * Has the transactions of Prisma wait for locks for as long as they may take in all: others may be changing the same.
 * Those of an operation with a limit of time end with it. Prisma begins a transaction by "BEGIN" and nothing else.
 */
function limitTransactions(client: pg.PoolClient, statementTimeoutMs: number): void {
  const send = client.query.bind(client) as (...asked: unknown[]) => unknown; // one for all of its forms
  const query = (asked: unknown, ...others: unknown[]): unknown => {
    if (typeof asked !== "object" || asked === null || Reflect.get(asked, "text") !== "BEGIN")
      return send(asked, ...others);
    const left = Math.ceil(Math.min(timeLeft() ?? Infinity, statementTimeoutMs)) || 1; // 0 would be no limit
    return send(
      { ...asked, text: `BEGIN; SET LOCAL lock_timeout = ${left}; SET LOCAL statement_timeout = ${left}` },
      ...others,
    );
  };
  client.query = query as typeof client.query;
}

/** How a connection is opened, and after how many milliseconds without an answer it is dead. */
export function sessionConfig(
  url: string,
  { statementTimeoutMs = 30_000, lockTimeoutMs = 5_000 }: Partial<PoolLimits>,
) {
  const settings = {
    timezone: "UTC",
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    // Events wait for open transactions: one of a gateway that lost its connection must not hold them up for longer
    // than any transaction takes.
    idle_in_transaction_session_timeout: 25_000,
    plan_cache_mode: "force_generic_plan",
    jit: "off",
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const config = {
    connectionString: url,
    connectionTimeoutMillis: statementTimeoutMs, // of the pool also for a free one
    options: options.join(" "),
  };
  return { config, statementTimeoutMs, answerLimitMs: statementTimeoutMs + deadAfterMs };
}
