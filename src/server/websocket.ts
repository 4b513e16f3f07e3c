// WebSocket on the same port: which upgrades are taken, how long messages may be, who is still there, and how all sockets end.
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { handleProtocols } from "graphql-ws";
import type { Logger } from "pino";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { pathOf } from "#src/server/exchange.ts";
import type { IsAllowedOrigin } from "#src/server/origins.ts";
import { leave, type Leaving } from "#src/server/leave.ts";
import type { GraphqlSockets } from "#src/server/graphql-sockets.ts";

/** Longest message, in bytes: of somebody unknown, and of somebody with a token. */
const messageLimits = { unknown: 64 * 1024, known: 1024 * 1024 } as const;

/** How often each client is pinged, in milliseconds; one that has not answered by the next time is taken for gone. */
const keepAliveMs = 12_000;

interface Options {
  readonly graphql: GraphqlSockets;
  readonly isAllowedOrigin: IsAllowedOrigin;
  readonly log: Logger;
  readonly keepAliveMs?: number | undefined;
}

/** Serves WebSocket upgrades of `/graphql`. The answer closes all sockets with 1001 (going away); those that do not answer within `graceMs` are cut. */
export function serveWebSocket(server: Server, options: Options): (leaving: Leaving) => Promise<void> {
  const { graphql, isAllowedOrigin, log } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageLimits.known,
    handleProtocols,
    allowSynchronousEvents: false, // an id may be used again right behind its complete: what that ends must be over by then
  });
  const stopPinging = pingAll(sockets, options.keepAliveMs ?? keepAliveMs);

  function accept(webSocket: WebSocket, request: IncomingMessage, socket: Duplex): void {
    webSocket.on("error", (error) => log.debug({ err: error }, "a socket failed")); // it closes by itself, with the code that fits
    const { isKnown, receive, closed } = graphql.open(webSocket, socket);
    refuseLongGreetings(webSocket, socket, isKnown);
    webSocket.on("message", (data) => {
      if (webSocket.readyState !== webSocket.OPEN) return; // was on its way when the socket was closed
      receive(textOf(data)).catch((error: unknown) => {
        if (isUnexpectedMessage(error)) return webSocket.close(4400, "Invalid message received");
        log.error({ err: error }, "Unexpected error in a socket");
        return webSocket.close(1013, "Try again later"); // the database is away, most likely; clients do not come back after 4500
      });
    });
    webSocket.once("close", (code, reason) => closed(code, reason.toString()));
  }

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => {}); // the caller may be gone before the answer; nobody else listens here
    if (pathOf(request) !== "/graphql") return refuse(socket, "404 Not Found");
    if (!isAllowedOrigin(request)) return refuse(socket, "403 Forbidden");
    return sockets.handleUpgrade(request, socket, head, (webSocket) => accept(webSocket, request, socket));
  });

  return async (leaving) => {
    stopPinging();
    const timer = setTimeout(() => {
      for (const webSocket of sockets.clients) webSocket.terminate();
    }, leaving.graceMs);
    await leave(leaving, [...sockets.clients], (webSocket) => webSocket.close(1001, "Going away"));
    await new Promise<void>((resolve) => sockets.close(() => resolve()));
    clearTimeout(timer);
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
}

/** The protocol library throws for messages that only a server may send; the protocol wants them answered like any bad message. */
const isUnexpectedMessage = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("Unexpected message of type");

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  return Buffer.from(data as Buffer).toString("utf8"); // by default the library gives nothing else
}

/** Until a token is known, a socket that sends more than the limit is closed: by bytes on the wire, before a message is put together. */
function refuseLongGreetings(webSocket: WebSocket, socket: Duplex, isKnown: () => boolean): void {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    if (isKnown()) socket.off("data", count);
    else if ((bytes += chunk.length) > messageLimits.unknown) {
      socket.off("data", count);
      webSocket.close(1009, "Message too long for a connection without a token");
    }
  };
  socket.on("data", count);
}

/** One timer for all: pings everybody, and ends who has not answered since the last time. */
function pingAll(sockets: WebSocketServer, everyMs: number): () => void {
  const silent = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const webSocket of sockets.clients) {
      if (webSocket.readyState !== webSocket.OPEN) continue;
      if (silent.has(webSocket)) webSocket.terminate();
      else {
        silent.add(webSocket);
        webSocket.once("pong", () => silent.delete(webSocket));
        webSocket.ping();
      }
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
