// The HTTP server: listening, and closing without cutting any answer. While it leaves, it still takes requests, and
// each answer closes its connection, so that clients go elsewhere.
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { refuseMalformed } from "#src/server/http/malformed.ts";
import { QuotaResponse } from "#src/server/http/quota-headers.ts";
import type { Requests } from "#src/server/http/steps.ts";

/**
 * How long a connection stays open between requests, in milliseconds: longer than the minute of usual load balancers,
 * so that they close it, not we.
 */
const keepAliveTimeout = 65_000;

/** How long a connection on which nothing has come yet stays open when the port is closed, in milliseconds. */
const silenceMs = 100;

/** See the head of this file. */
export class HttpServer {
  readonly server: Server;
  readonly #requests: Requests;
  readonly #connections = new Set<Socket>();

  constructor(requests: Requests) {
    this.#requests = requests;
    this.server = createServer({ ServerResponse: QuotaResponse, keepAliveTimeout }, requests.listener);
    this.server.on("connection", (socket: Socket) => {
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
    });
    refuseMalformed(this.server);
  }

  /** Rejects with the system's error, such as EADDRINUSE. The system chooses the port for port 0. */
  async listen(host: string, port: number): Promise<{ port: number; url: string }> {
    await listenOn(this.server, host, port);
    return addressOf(this.server, host);
  }

  /** Closes the port, and resolves after the last answer, or after `graceMs`, when it cuts the others. */
  async close(graceMs: number): Promise<void> {
    const { server } = this;
    this.#requests.leave();
    if (!server.listening) return;
    await turn(); // requests that have come in are read: their connections are not idle
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    // Node counts them as busy, since a request may be on its way.
    const hush = setTimeout(() => this.#closeSilent(), Math.min(silenceMs, graceMs));
    this.#requests.afterAnswer(() => server.closeIdleConnections()); // where the head was sent before
    await new Promise((resolve) => server.close(resolve)); // which closes idle connections, too
    clearTimeout(cut);
    clearTimeout(hush);
  }

  #closeSilent(): void {
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
  }
}

/** Has a server listen. */
export function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

/** Where a server listens. */
export function addressOf(server: Server, host: string): { port: number; url: string } {
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a path
  return { port, url: `http://${host.includes(":") ? `[${host}]` : host}:${port}` };
}
