// Pools of connections, with limits for those who wait for one.
import pg from "pg";
import { DatabaseClient, type PooledClient } from "#src/db/connection/client.ts";
import type { SessionLimits, SettingsFrom } from "#src/db/connection/sessions.ts";
import { optionsOf, sessionSettings, setting } from "#src/db/connection/sessions.ts";
import { currentLimit, type TimeLimit } from "#src/db/connection/time-limit.ts";
import { OutOfTimeError, PoolFullError } from "#src/db/connection/database-errors.ts";
import { sessionName, takeWriterLock } from "#src/db/connection/writer-lock.ts";
import { FairSemaphore } from "#src/runtime/fair-semaphore.ts";

export interface PoolLimits extends SessionLimits {
  /** The most connections; 10 by default. */
  readonly poolSize: number;
  /** How sessions get their settings; as parameters by default. */
  readonly settingsFrom: SettingsFrom;
}

/** How many may wait for a connection of a pool, and of one caller for one of theirs; further ones are refused. */
const mostWaiting = 200;
/** How many connections of a pool the operations of one caller may hold at a time: the others are for others. */
const mostOfCaller = 4;
/** How much longer than a statement may take its answer is awaited, in milliseconds: then the connection is dead. */
const deadAfterMs = 5_000;
/** Begins as that of `pg` for lost connections, so that it counts as an outage. */
const cutMessage = "Connection terminated: docgraph stops";

type OnConnected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** Caps connections per caller; requests beyond {@link mostWaiting} waiters are rejected. */
export class FairPool extends pg.Pool {
  readonly #shares = new FairSemaphore({ perOwner: mostOfCaller });
  readonly #callers = new WeakMap<pg.PoolClient, string>();
  readonly #connected = new Set<PooledClient>();
  readonly #waiting = new Set<(error: Error) => void>();
  #isCut = false;

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on("release", (_error, client) => this.#giveBack(client));
    this.on("connect", (client) => this.#connected.add(client as PooledClient));
    this.on("remove", (client) => this.#connected.delete(client as PooledClient));
  }

  /** Destroys all connections: what is under way fails, and whatever is asked from now on. */
  cut(): void {
    this.#isCut = true;
    for (const client of this.#connected) client.cut();
    for (const fail of this.#waiting) fail(new Error(cutMessage));
    this.#waiting.clear();
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(onConnected: OnConnected): void;
  override connect(onConnected?: OnConnected): Promise<pg.PoolClient> | void {
    const connected = this.#connect();
    if (!onConnected) return connected;
    connected.then(
      (client) => onConnected(undefined, client, (release) => client.release(release as Error | undefined)),
      (error: Error) => onConnected(error, undefined, () => {}),
    );
  }

  async #connect(): Promise<pg.PoolClient> {
    const limit = currentLimit();
    // What an operation asks beside its own transaction is needed to end that.
    const caller = limit?.transactions === 0 ? limit.caller : null;
    const ofCaller = caller === null ? 0 : this.#shares.waitingOf(caller);
    if (Math.max(this.waitingCount, ofCaller) >= mostWaiting)
      throw new PoolFullError(`${mostWaiting} statements wait for a connection`);
    if (caller !== null && !this.#shares.tryTake(caller)) await this.#shares.take(caller);
    try {
      const client = await this.#take();
      await (client as PooledClient).cancelled; // what was asked of it before is over
      if (caller !== null) this.#callers.set(client, caller);
      if (!limit?.isOver) return client;
      client.release();
    } catch (error) {
      if (caller !== null) this.#shares.give(caller);
      throw error;
    }
    throw new OutOfTimeError("There was no connection in time");
  }

  #take(): Promise<pg.PoolClient> {
    if (this.#isCut) return Promise.reject(new Error(cutMessage));
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      super.connect().then(
        (client) => (this.#waiting.delete(reject) ? resolve(client) : client.release(true)),
        (error: Error) => {
          this.#waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  #giveBack(client: pg.PoolClient): void {
    const caller = this.#callers.get(client);
    if (caller === undefined) return;
    this.#callers.delete(client);
    this.#shares.give(caller);
  }
}

/** Opens a pool. Nothing is connected before the first statement. */
export function openPool(url: string, limits: Partial<PoolLimits>): FairPool {
  const { config, statementTimeoutMs, answerLimitMs } = sessionConfig(url, limits);
  const pool = new FairPool({
    ...config,
    Client: DatabaseClient,
    max: limits.poolSize ?? 10,
    idleTimeoutMillis: 60_000,
    query_timeout: answerLimitMs,
    ...(limits.settingsFrom === "statement" && { verify: setsSettings(sessionSettings(limits)) }),
  });
  // The pool replaces a lost idle connection; the next statement fails if the server is gone.
  pool.on("error", () => {});
  pool.on("connect", (client) => limitTransactions(client as PooledClient, statementTimeoutMs));
  return pool;
}

/** What the pool does with a new connection before anybody has it. */
const setsSettings =
  (settings: Readonly<Record<string, string>>) => (client: pg.PoolClient, done: (error?: Error) => void) =>
    client.query(setting(settings), (error) => done(error ?? undefined));

/**
 * Limits Prisma's transactions, which begin by "BEGIN" alone: they wait for locks as long as they may take, end with
 * their operation's time, and take the writer lock, since all may write events.
 */
function limitTransactions(client: PooledClient, statementTimeoutMs: number): void {
  const send = client.query.bind(client) as (...asked: unknown[]) => unknown; // one for all of its forms
  let limit: TimeLimit | undefined;
  const leave = (): void => {
    if (limit) limit.transactions -= 1;
    limit = undefined;
  };
  const query = (asked: unknown, ...others: unknown[]): unknown => {
    const given: unknown = typeof asked === "object" && asked !== null ? Reflect.get(asked, "text") : undefined;
    if (given === "COMMIT" || given === "ROLLBACK") {
      const isLate = limit?.isOver === true && given === "COMMIT";
      leave();
      return endTransaction(client, isLate, (text) => send({ ...(asked as object), ...text }, ...others));
    }
    if (given !== "BEGIN") return send(asked, ...others);
    limit = currentLimit();
    if (limit) limit.transactions += 1;
    const left = Math.ceil(Math.min(limit?.leftMs ?? Infinity, statementTimeoutMs)) || 1; // 0 would be no limit
    const limits = `SET LOCAL lock_timeout = ${left}; SET LOCAL statement_timeout = ${left}`;
    const text = `BEGIN; ${limits}; ${takeWriterLock}`; // several statements have no name to be prepared under
    const begun = send({ ...(asked as object), name: undefined, text }, ...others);
    if (begun instanceof Promise) begun.catch(leave);
    return begun;
  };
  client.query = query as typeof client.query;
}

/** Ends a transaction, by ROLLBACK if it is late; cuts the connection if that fails. */
async function endTransaction(client: DatabaseClient, isLate: boolean, send: (text: object) => unknown) {
  await client.cancelled; // a request to cancel a statement before is to hit nothing else
  try {
    const ended = await send(isLate ? { name: undefined, text: "ROLLBACK" } : {});
    if (!isLate) return ended;
  } catch (error) {
    client.cut();
    throw error;
  }
  throw new OutOfTimeError("The time was over before the commit");
}

/** How a connection is opened, and after how many milliseconds without an answer it is dead. */
export function sessionConfig(url: string, { settingsFrom = "parameters", ...limits }: Partial<PoolLimits>) {
  const { statementTimeoutMs = 30_000 } = limits;
  const config = {
    connectionString: url,
    ...sessionName,
    connectionTimeoutMillis: statementTimeoutMs, // of the pool also for a free one
    ...(settingsFrom === "parameters" && { options: optionsOf(sessionSettings(limits)) }),
  };
  return { config, statementTimeoutMs, answerLimitMs: statementTimeoutMs + deadAfterMs };
}
