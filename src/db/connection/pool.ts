// Connection pools, with limits on the statements that wait for a connection.
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { DatabaseClient, type PooledClient } from "#src/db/connection/client.ts";
import type { SessionLimits, SettingsFrom } from "#src/db/connection/sessions.ts";
import { optionsOf, sessionSettings, setting } from "#src/db/connection/sessions.ts";
import { currentLimit, type TimeLimit } from "#src/db/connection/time-limit.ts";
import { isCrowded, OutOfTimeError, PoolFullError } from "#src/db/connection/database-errors.ts";
import { sessionName, takeWriterLock } from "#src/db/connection/writer-lock.ts";
import { FairSemaphore } from "#src/runtime/fair-semaphore.ts";
import { OpenItems } from "#src/runtime/open-items.ts";

export interface PoolLimits extends SessionLimits {
  /** The most connections; 10 by default. */
  readonly poolSize: number;
  /** How sessions get their settings; by default as start parameters. */
  readonly settingsFrom: SettingsFrom;
}

/** How many statements may wait for a connection of a pool, of one caller and in all; further ones are rejected. */
const [mostWaiting, mostWaitingOfAll] = [200, 1_000];
/** How many connections of a pool the operations of one caller may use concurrently; fewer while others use some. */
const mostOfCaller = 4;
/** How long, in milliseconds, a pool opens no more connections after the server had none left. */
const crowdedMs = 60_000;
/** How often it tries to connect again when the server has none left. */
const mostTries = 8;
/** How many milliseconds after the limit of a statement its connection counts as dead. */
const deadAfterMs = 5_000;
/** Starts like the message of `pg` for lost connections, so that it counts as an outage. */
const cutMessage = "Connection terminated: docgraph stops";

type OnConnected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * Callers take turns for connections: each gets another one only while more are free than it has, and less than a third
 * of all are such additional ones, so that the slow statements of some leave connections to others. Requests beyond
 * {@link mostWaiting} waiters are rejected.
 */
export class FairPool extends pg.Pool {
  readonly #turns: FairSemaphore;
  /** The caller of each connection in use; null for work of the process itself, which takes no turns. */
  readonly #callers = new WeakMap<pg.PoolClient, string | null>();
  readonly #connected = new Set<PooledClient>();
  readonly #waiting = new OpenItems<(error: Error) => void>();
  readonly #most: number;
  #isCut = false;
  #crowded: NodeJS.Timeout | undefined;
  /** Called when the server has no connections left: resolves when others of the process were given back. */
  onCrowded: () => Promise<void> = () => Promise.resolve();

  constructor(config: pg.PoolConfig) {
    super(config);
    this.#most = config.max ?? 10;
    this.#turns = new FairSemaphore({ most: this.#most, perOwner: mostOfCaller, keepsFree: true });
    this.on("release", (_error, client) => this.#giveBack(client));
    this.on("connect", (client) => this.#connected.add(client as PooledClient));
    this.on("remove", (client) => this.#connected.delete(client as PooledClient));
  }

  /** Destroys all connections: running and later statements fail. */
  cut(): void {
    this.#isCut = true;
    for (const client of this.#connected) client.cut();
    for (const fail of this.#waiting) fail(new Error(cutMessage));
    this.#turns.failAll(new Error(cutMessage));
  }

  /** Statements that wait for a connection. */
  get queueLength(): number {
    return this.waitingCount + this.#turns.waiting;
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
    // A statement beside the operation's own transaction is needed to end that transaction.
    const caller = limit?.transactions === 0 ? limit.caller : null;
    this.#refuseCrowd(caller);
    if (caller === null) this.#turns.reclaim();
    else if (!this.#turns.tryTake(caller)) await this.#turns.take(caller, 1, (fail) => limit?.onEnd(fail));
    try {
      const client = await this.#take();
      await (client as PooledClient).cancelled; // waits for the end of cancel requests
      this.#callers.set(client, caller);
      if (!limit?.isOver) return client;
      client.release();
    } catch (error) {
      this.#giveTurn(caller);
      throw error;
    }
    throw new OutOfTimeError("No connection became free in time");
  }

  #refuseCrowd(caller: string | null): void {
    const ofCaller = caller === null ? 0 : this.#turns.waitingOf(caller);
    if (Math.max(this.waitingCount, ofCaller) >= mostWaiting || this.#turns.waiting >= mostWaitingOfAll)
      throw new PoolFullError(`${this.queueLength} statements are waiting for a connection`);
  }

  #take(tries = 0): Promise<pg.PoolClient> {
    if (this.#isCut) return Promise.reject(new Error(cutMessage));
    return new Promise((resolve, reject) => {
      const place = this.#waiting.add(reject);
      super.connect().then(
        (client) => {
          this.#waiting.remove(place);
          if (this.#isCut) client.release(true);
          else resolve(client);
        },
        (error: Error) => {
          this.#waiting.remove(place);
          if (!isCrowded(error) || tries === mostTries) reject(error);
          else resolve(this.#makeDo(tries).then(() => this.#take(tries + 1)));
        },
      );
    });
  }

  /** Uses no more connections than there are for a while: statements wait for them instead of failing. */
  async #makeDo(tries: number): Promise<void> {
    const resize = (most: number): void => {
      this.options.max = most;
      this.#turns.resize(most);
    };
    resize(Math.max(1, this.#connected.size));
    clearTimeout(this.#crowded);
    this.#crowded = setTimeout(() => resize(this.#most), crowdedMs).unref();
    await this.onCrowded();
    if (this.#connected.size === 0) await wait(10 * 2 ** tries); // sessions end a moment after their connections
  }

  #giveBack(client: pg.PoolClient): void {
    const caller = this.#callers.get(client);
    if (caller === undefined) return;
    this.#callers.delete(client);
    this.#giveTurn(caller);
  }

  #giveTurn(caller: string | null): void {
    if (caller === null) this.#turns.lend();
    else this.#turns.give(caller);
  }
}

/** Opens a pool. Connects at the first statement. */
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
  // The pool replaces a lost idle connection; the next statement fails if the server is down.
  pool.on("error", () => {});
  pool.on("connect", (client) => limitTransactions(client as PooledClient, statementTimeoutMs));
  return pool;
}

/** Prepares a new connection of the pool before its first use. */
const setsSettings =
  (settings: Readonly<Record<string, string>>) => (client: pg.PoolClient, done: (error?: Error) => void) =>
    client.query(setting(settings), (error) => done(error ?? undefined));

/**
 * Limits Prisma's transactions, which start with "BEGIN" alone: their lock timeout is their statement timeout, they end
 * with the time of their operation, and they take the writer lock, since all may write events.
 */
function limitTransactions(client: PooledClient, statementTimeoutMs: number): void {
  const send = client.query.bind(client) as (...asked: unknown[]) => unknown; // one type for all overloads
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
    const left = Math.ceil(Math.min(limit?.leftMs ?? Infinity, statementTimeoutMs)) || 1; // 0 would disable the limit
    const limits = ["lock_timeout", "statement_timeout"].map((name) => `set_config('${name}', '${left}', true)`);
    const text = `BEGIN; ${takeWriterLock}, ${limits.join()}`; // several statements cannot be prepared
    const begun = send({ ...(asked as object), name: undefined, text }, ...others);
    if (begun instanceof Promise) begun.catch(leave);
    return begun;
  };
  client.query = query as typeof client.query;
}

/** Ends a transaction, by ROLLBACK if it is late; cuts the connection if that fails. */
async function endTransaction(client: DatabaseClient, isLate: boolean, send: (text: object) => unknown) {
  await client.cancelled; // an earlier cancel request must not hit this statement
  try {
    const ended = await send(isLate ? { name: undefined, text: "ROLLBACK" } : {});
    if (!isLate) return ended;
  } catch (error) {
    client.cut();
    throw error;
  }
  throw new OutOfTimeError("The time limit ended before the commit");
}

/** The options of a connection, and the milliseconds without a response after which it is dead. */
export function sessionConfig(url: string, { settingsFrom = "parameters", ...limits }: Partial<PoolLimits>) {
  const { statementTimeoutMs = 30_000 } = limits;
  const config = {
    connectionString: url,
    ...sessionName,
    connectionTimeoutMillis: statementTimeoutMs, // in the pool also the wait for a free one
    ...(settingsFrom === "parameters" && { options: optionsOf(sessionSettings(limits)) }),
  };
  return { config, statementTimeoutMs, answerLimitMs: statementTimeoutMs + deadAfterMs };
}
