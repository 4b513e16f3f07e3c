// WebSocket on the same port: accepts upgrades, limits messages, pings clients, and closes sockets.
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { handleProtocols } from "graphql-ws";
import type { Logger } from "pino";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { DomainError } from "#src/base/errors.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import { originForm, pathOf } from "#src/http/exchange.ts";
import type { HostAndHeaders } from "#src/server/http/host-and-headers.ts";
import type { Origins } from "#src/http/origins.ts";
import { leave, type Leaving } from "#src/server/live/stream.ts";
import type { GraphqlSockets } from "#src/server/graphql/sockets.ts";
import type { Contexts } from "#src/server/http/request-contexts.ts";
import { refuseSocket } from "#src/server/http/http-server.ts";
import { SocketFlow } from "#src/server/graphql/socket-client.ts";

/** Longest message, in bytes: before a client has sent a valid token, and after. */
const messageLimits = { unknown: 64 * 1024, known: 1024 * 1024 } as const;

/** How often clients are pinged, in ms. One without a pong in that time, or that reads nothing for two, is dead. */
const defaultKeepAliveMs = 12_000;

interface Options {
  readonly graphql: GraphqlSockets;
  readonly hostAndHeaders: HostAndHeaders;
  readonly origins: Origins;
  readonly contexts: Contexts;
  readonly log: Logger;
  readonly keepAliveMs?: number | undefined;
}

/** Serves upgrades of `/graphql`. The returned function closes all with 1001, and cuts those that do not respond. */
export function serveWebSocket(server: Server, options: Options): (leaving: Leaving) => Promise<void> {
  const { hostAndHeaders, contexts, keepAliveMs = defaultKeepAliveMs } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageLimits.known,
    handleProtocols,
    allowSynchronousEvents: false, // so that an id can be reused in the message after its complete
  });
  const connections = new WeakMap<WebSocket, Socket>();
  const stopPinging = pingAll(sockets, (webSocket) => connections.get(webSocket)?.bytesRead ?? 0, keepAliveMs);

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", ignore); // the client may disconnect before the response
    if (!request.url?.startsWith("/")) request.url = originForm(request.url ?? "/");
    const base = hostAndHeaders.baseOf(request);
    const upgrade = (path: string): void => {
      const refusal = refusalOf(request, path, options);
      if (refusal) return refuseSocket(socket, refusal);
      const connection = request.socket;
      const known = contexts.ofUpgrade(request);
      return sockets.handleUpgrade(request, socket, head, (webSocket) => {
        connections.set(webSocket, connection);
        endUnread(webSocket, connection, 2 * keepAliveMs);
        accept(webSocket, { connection, known }, options);
      });
    };
    if (base === "") upgrade(base);
    else base.then(upgrade, () => refuseSocket(socket, new DomainError("UNAVAILABLE")));
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

/** Why an upgrade is rejected; `base` is the path that its host serves. Null if it is not. */
function refusalOf(request: IncomingMessage, base: string, { hostAndHeaders, origins }: Options): DomainError | null {
  const refusal = hostAndHeaders.refusal(request, base);
  if (refusal) return refusal;
  if (pathOf(request) !== "/graphql") return new DomainError("NOT_FOUND", "WebSockets are only served at /graphql.");
  return origins.isAllowed(request) ? null : new DomainError("FORBIDDEN", origins.refuse(request));
}

type Upgraded = Pick<Parameters<GraphqlSockets["open"]>[0], "connection" | "known">;

function accept(socket: WebSocket, { connection, known }: Upgraded, { graphql, log }: Options): void {
  // It closes by itself, with the appropriate code.
  socket.on("error", (error) => log.debug({ err: error }, "socket error"));
  const flow = new SocketFlow(socket, (text) => {
    if (socket.readyState !== socket.OPEN) return; // received after the socket was closed
    receive(text).catch((error: unknown) => {
      if (isUnexpectedMessage(error)) return socket.close(4400, "Invalid message received");
      if (!answerOf(error, log)) log.error({ err: error }, "Unexpected error in a socket");
      // Clients reconnect after this code, but not after 4500.
      return socket.close(1013, "Try again later");
    });
  });
  const { isKnown, receive, closed } = graphql.open({ socket, connection, flow, known });
  refuseLongGreetings(socket, connection, isKnown);
  socket.on("message", (data) => flow.take(textOf(data)));
  socket.once("close", (code, reason) => closed(code, reason.toString()));
}

/** The protocol library throws for messages that only a server may send: they are handled like any invalid message. */
const isUnexpectedMessage = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("Unexpected message of type");

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  return Buffer.from(data as Buffer).toString("utf8"); // the library's default type
}

/** Until a token is known, a socket that sends more than the limit is closed: by bytes, before they are a message. */
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

const ignore = () => {};

/** Ends a socket whose client reads nothing for this long. The listener must not reference the upgrade's request. */
function endUnread(webSocket: WebSocket, connection: Socket, ms: number): void {
  // The time restarts whenever something is sent.
  connection.setTimeout(ms, () => {
    if (webSocket.bufferedAmount > 0) webSocket.terminate();
  });
}

/** One timer pings all, and ends those silent since. Behind unsent bytes the ping would wait: see {@link endUnread}. */
function pingAll(sockets: WebSocketServer, bytesOf: (webSocket: WebSocket) => number, everyMs: number): () => void {
  const pinged = new WeakMap<WebSocket, number>();
  const ping = (): void => {
    for (const webSocket of sockets.clients) {
      if (webSocket.readyState !== webSocket.OPEN || webSocket.isPaused || webSocket.bufferedAmount > 0) continue;
      const bytes = bytesOf(webSocket);
      if (pinged.get(webSocket) === bytes) webSocket.terminate();
      else {
        pinged.set(webSocket, bytes);
        webSocket.ping();
      }
    }
  };
  // After the messages that arrived while the process was busy.
  const timer = setInterval(() => setImmediate(ping), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
