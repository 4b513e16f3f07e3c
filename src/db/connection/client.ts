// One connection to the database; if its address has several servers, to the one that accepts writes.
import { connect } from "node:net";
import pg from "pg";
import { serversOf } from "#src/config/database-url.ts";
import { NoPrimaryError, ServerGroup } from "#src/db/connection/failover.ts";
import { guardMessages } from "#src/db/connection/server-messages.ts";

/** The start of a cancel request, in place of a protocol version. */
const cancelRequest = 80_877_102;

/** How long connecting to one of several servers may take, in milliseconds, before another server is looked for. */
const mostConnectMs = 3_000;

/** One per address with several servers, for all connections of the process. */
const known = new Map<string, ServerGroup>();

function serversAt(address: string | undefined): ServerGroup | null {
  const addresses = address === undefined ? null : serversOf(address);
  if (address === undefined || !addresses || addresses.length < 2) return null;
  const servers = known.get(address) ?? new ServerGroup(addresses);
  known.set(address, servers);
  return servers;
}

type OnConnected = (error: Error | null) => void;

/** Sends cancel requests until the returned function is called, since the server ignores early ones. */
export function cancelUntilEnded(cancel: () => void, giveUp: () => void = () => {}): () => void {
  cancel();
  const again = setInterval(cancel, 250).unref();
  const late = setTimeout(giveUp, 3_000).unref(); // the server may be frozen
  return () => {
    clearInterval(again);
    clearTimeout(late);
  };
}

/** The connections of our `pg` pools. */
export type PooledClient = pg.PoolClient & DatabaseClient;

/** A client of `pg` that supports addresses of several servers ({@link serversOf}). It needs no error listener. */
export class DatabaseClient extends pg.Client {
  readonly #servers: ServerGroup | null;
  /** Settles when the server has read the last cancel request: it cannot hit a later statement then. */
  cancelled: Promise<void> | undefined;

  constructor({ query_timeout: answerLimitMs, ...config }: pg.ClientConfig = {}) {
    const servers = serversAt(config.connectionString);
    super(servers ? { ...config, connectionString: serversOf(config.connectionString ?? "")?.[0] } : config);
    this.#servers = servers;
    // Errors fail the statement that runs; without one, or while connecting, they must not end the process. `pg` leaves
    // the connection open if they are messages at the wrong time.
    this.on("error", () => this.cut());
    guardMessages(this);
    answerToCallbacks(this, answerLimitMs);
  }

  override connect(): Promise<pg.Client>;
  override connect(onConnected: OnConnected): void;
  override connect(onConnected?: OnConnected): Promise<pg.Client> | void {
    const connected = this.#servers ? this.#connect(this.#servers) : super.connect();
    if (!onConnected) return connected;
    connected.then(
      () => onConnected(null),
      (error: Error) => onConnected(error),
    );
  }

  /** Cancels the running statement on another connection; the next user waits for {@link cancelled}. */
  cancelRunning(): void {
    if (this.connection.stream.destroyed) return;
    const { processID, secretKey } = this as unknown as { processID: number; secretKey: number }; // not in its type
    const request = Buffer.alloc(16);
    for (const [place, value] of [16, cancelRequest, processID, secretKey].entries())
      request.writeInt32BE(value, 4 * place);
    const { host, port } = this;
    const socket = connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    this.cancelled = new Promise((resolve) => socket.once("close", () => resolve()));
    socket.setTimeout(mostConnectMs, () => socket.destroy());
    socket.on("error", () => {}); // the statement ends by its own timeout then
    socket.end(request); // the server closes the connection after canceling
    socket.resume();
  }

  /** Destroys the connection: the running statement fails, and cancel requests are not awaited. */
  cut(): void {
    this.cancelled = undefined;
    this.connection.stream.destroy();
  }

  // The status at connect time (`in_hot_standby`) is unreliable: poolers repeat an old one.
  async #connect(servers: ServerGroup): Promise<pg.Client> {
    const address = await servers.primary();
    const { hostname, port } = new URL(address);
    this.host = decodeURIComponent(hostname).replaceAll(/[[\]]/g, "");
    this.port = Number(port || 5432);
    const giveUp = () => this.connection.stream.destroy(new NoPrimaryError(`${hostname} does not respond`));
    const limit = setTimeout(giveUp, mostConnectMs);
    try {
      await super.connect();
    } catch (error) {
      servers.forget();
      throw error;
    } finally {
      clearTimeout(limit);
    }
    const connected = { cut: () => this.cut() };
    servers.watch(connected, address);
    this.once("end", () => servers.hasEnded(connected));
    return this;
  }
}

type Callback = (error: unknown, result?: unknown) => void;

/**
 * Has each statement of a client answered to a callback, and a connection destroyed that has no result after so many
 * milliseconds. `pg` does both, but what it makes for its promises and its `query_timeout` refers to what comes after
 * it: from the first full collection of garbage on, everything of each statement lives until the next one.
 */
function answerToCallbacks(client: DatabaseClient, limitMs: number | undefined): void {
  const send = client.query.bind(client) as (...asked: unknown[]) => unknown; // one type for all overloads
  const die = (): void => void client.connection.stream.destroy(new Error("Query read timeout"));
  const query = (...asked: unknown[]): unknown => {
    const [given] = asked;
    if (typeof given === "object" && given !== null && "submit" in given) return send(...asked); // a stream of COPY
    const heard = asked.at(-1);
    if (typeof heard !== "function")
      return new Promise((resolve, reject) => {
        const settle: Callback = (error, result) => (error ? reject(error as Error) : resolve(result));
        query(...asked, settle);
      });
    const dead = limitMs === undefined ? undefined : setTimeout(die, limitMs);
    const callback: Callback = (error, result) => {
      clearTimeout(dead);
      (heard as Callback)(error, result);
    };
    return send(...asked.slice(0, -1), callback);
  };
  client.query = query as typeof client.query;
}
