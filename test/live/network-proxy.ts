// A TCP proxy between clients and a server that can cut connections: data in transit is lost, as on a real network.
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from "node:net";
import { Transform } from "node:stream";

/** The end whose connection is reset; the other end sees it close. */
type End = "client" | "server";

export interface NetworkProxy extends AsyncDisposable {
  readonly port: number;
  /** The number of open connections. */
  readonly size: number;
  /** Cuts one of the connections; false if it has already ended. */
  cut(index: number, end: End): boolean;
  /** Cuts all of them, and refuses new ones until {@link reconnect}. */
  disconnect(): void;
  reconnect(): void;
  /** Silently drops everything sent over the present connections. New ones work. */
  dropTraffic(): void;
  /** Passes nothing on, also over new connections, until {@link resume}. */
  hold(): void;
  resume(): void;
  /** Passes everything that the server sends on after `ms` milliseconds; 0 ends it. */
  slowDown(ms: number): void;
  /** Passes on what `change` makes of what the server sends, over all connections. */
  corrupt(change: (bytes: Buffer) => Buffer): void;
  /** Sends bytes to the clients of all present connections, as if they came from the server. */
  inject(bytes: Buffer): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of the database `at`; clients connect to its `url`. A function is called for each connection,
 * as a load balancer in front of several servers decides.
 */
export async function startDatabaseProxy(
  at: string | (() => string),
): Promise<NetworkProxy & { readonly url: string }> {
  const urlNow = () => new URL(typeof at === "string" ? at : at());
  const { username, pathname } = urlNow();
  const proxy = await startNetworkProxy(() => ({ path: `${urlNow().searchParams.get("host")}/.s.PGSQL.5432` }));
  return Object.assign(proxy, { url: `postgres://${username}@127.0.0.1:${proxy.port}${pathname}` });
}

interface Connection {
  readonly client: Socket;
  readonly server: Socket;
  /** Between the two, on the way to the client. */
  readonly late: Transform;
}

/** Passes changed chunks on in order, each after the delay that applies when it comes. */
function delayed(delayMs: () => number, change: (bytes: Buffer) => Buffer): Transform {
  let due = 0; // of the last chunk
  const waiting: unknown[] = [];
  return new Transform({
    transform(bytes: Buffer, _encoding, next) {
      const chunk = change(bytes);
      const now = performance.now();
      due = Math.max(due, now + delayMs());
      next();
      if (due <= now && waiting.length === 0) this.push(chunk);
      else if (waiting.push(chunk) > 0) setTimeout(() => this.push(waiting.shift()), due - now);
    },
  });
}

/** Starts a proxy in front of a server. */
export async function startNetworkProxy(to: NetConnectOpts | (() => NetConnectOpts)): Promise<NetworkProxy> {
  const connections = new Set<Connection>();
  let isDisconnected = false;
  let isHeld = false;
  let slowMs = 0;
  let change = (bytes: Buffer): Buffer => bytes;
  const flow = ({ client, server, late }: Connection): void => {
    client.pipe(server);
    server.pipe(late);
  };
  const listener = createServer((client) => {
    if (isDisconnected) {
      client.resetAndDestroy();
      return;
    }
    const server = connect(typeof to === "function" ? to() : to);
    const connection = {
      client,
      server,
      late: delayed(
        () => slowMs,
        (bytes) => change(bytes),
      ),
    };
    connection.late.pipe(client);
    connections.add(connection);
    if (!isHeld) flow(connection);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on("error", () => {}); // "close" follows
      socket.on("close", () => {
        connections.delete(connection);
        client.destroy();
        server.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));

  function reset({ client, server }: Connection, end: End): void {
    const [near, other] = end === "client" ? [client, server] : [server, client];
    if (near.remoteFamily === undefined) near.destroy(); // a socket of the file system cannot be reset
    else near.resetAndDestroy();
    other.end();
  }

  function disconnect(): void {
    isDisconnected = true;
    for (const connection of connections) reset(connection, "client");
  }

  const close = async () => {
    disconnect();
    await new Promise((resolve) => listener.close(resolve));
  };
  return {
    port: (listener.address() as AddressInfo).port, // it listens on TCP
    get size() {
      return connections.size;
    },
    cut(index, end) {
      const connection = [...connections][index];
      if (connection) reset(connection, end);
      return connection !== undefined;
    },
    disconnect,
    reconnect() {
      isDisconnected = false;
    },
    dropTraffic() {
      for (const { client, server, late } of connections) {
        client.unpipe(server).resume();
        server.unpipe(late).resume();
      }
    },
    hold() {
      isHeld = true;
      for (const { client, server, late } of connections) {
        client.unpipe(server);
        server.unpipe(late);
      }
    },
    resume() {
      isHeld = false;
      for (const connection of connections) flow(connection);
    },
    slowDown(ms) {
      slowMs = ms;
    },
    corrupt(next) {
      change = next;
    },
    inject(bytes) {
      for (const { late } of connections) late.push(bytes);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
