// How the HTTP server leaves: while it still takes requests, each answer says that its connection closes, so that
// clients go elsewhere; then what is under way ends, and nothing of it is cut.
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";

/** How long, in milliseconds, a connection on which nothing has come yet stays open when the port is closed. */
const silenceMs = 100;

export class Drain {
  readonly #server: Server;
  readonly #connections = new Set<Socket>();
  /** Those under way. */
  readonly #answers = new Set<ServerResponse>();
  #isLeaving = false;

  /** Watches a server that does not listen yet. */
  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
    });
    server.prependListener("request", (_, response) => this.#watch(response));
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** From now on every answer closes its connection. */
  leave(): void {
    this.#isLeaving = true;
    for (const response of this.#answers) response.shouldKeepAlive = false; // too late for heads that are sent
  }

  /** Closes the port, and ends when the last request has its answer, or after `graceMs`, when the others are cut. */
  async close(graceMs: number): Promise<void> {
    this.leave();
    if (!this.#server.listening) return;
    await turn(); // what has come in is read: its connection is not idle
    const cut = setTimeout(() => this.#server.closeAllConnections(), graceMs);
    // Node counts them as busy, since a request may be on its way.
    const hush = setTimeout(() => this.#closeSilent(), Math.min(silenceMs, graceMs));
    await new Promise((resolve) => this.#server.close(resolve)); // which closes idle connections, too
    clearTimeout(cut);
    clearTimeout(hush);
  }

  #watch(response: ServerResponse): void {
    if (this.#isLeaving) response.shouldKeepAlive = false;
    this.#answers.add(response);
    response.once("close", () => {
      this.#answers.delete(response);
      if (!this.#server.listening) this.#server.closeIdleConnections(); // its head was sent before we left
    });
  }

  #closeSilent(): void {
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
  }
}
