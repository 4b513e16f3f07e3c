// The HTTP server: listens, and closes without truncating responses. During shutdown it still serves requests, and
// each response closes its connection, so that clients connect to another gateway.
import { createServer, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { QuotaResponse } from "#src/server/http/quota-headers.ts";
import type { Requests } from "#src/server/http/steps.ts";
import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import { DomainError, errorBody } from "#src/base/errors.ts";
import { sendError } from "#src/http/send.ts";

/** How long idle connections stay open, in ms: longer than the usual minute of load balancers, which close first. */
const keepAliveTimeout = 65_000;

/** How long a connection without any bytes stays open after the port is closed, in milliseconds. */
const silenceMs = 100;

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

  /** Closes the port, and resolves after the last response, or after `graceMs`, when it cuts the others. */
  async close(graceMs: number): Promise<void> {
    const { server } = this;
    this.#requests.leave();
    if (!server.listening) return;
    await turn(); // reads received requests: their connections are not idle
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    // Node counts them as busy, since a request may be arriving.
    const hush = setTimeout(() => this.#closeSilent(), Math.min(silenceMs, graceMs));
    this.#requests.afterAnswer(() => server.closeIdleConnections()); // if the head was sent before
    await new Promise((resolve) => server.close(resolve)); // also closes idle connections
    clearTimeout(cut);
    clearTimeout(hush);
  }

  #closeSilent(): void {
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
  }
}

export function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

export function addressOf(server: Server, host: string): { port: number; url: string } {
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a path
  return { port, url: `http://${host.includes(":") ? `[${host}]` : host}:${port}` };
}

/** Responds to malformed requests, on the socket itself, since Node makes no response, and closes it. */
export function refuseSocket(socket: Duplex, error: DomainError): void {
  const body = JSON.stringify(errorBody(error));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    "connection: close",
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${randomUUID()}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Makes a server reject bytes that are not HTTP, headers that are too long or too slow, and expectations. */
export function refuseMalformed(server: Server): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    refuseSocket(socket, errorOf(error.code));
  });
  server.on("checkExpectation", (request, response) => {
    request.resume();
    sendError(response, new DomainError("EXPECTATION_FAILED"));
  });
}

function errorOf(code: string | undefined): DomainError {
  if (code === "HPE_HEADER_OVERFLOW") return new DomainError("HEADERS_TOO_LARGE");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new DomainError("REQUEST_TIMEOUT");
  return new DomainError("INVALID_INPUT", "Malformed HTTP/1.1 request.");
}
