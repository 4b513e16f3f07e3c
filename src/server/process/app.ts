// The application: one HTTP server with GraphQL, REST, WebSocket and health checks on it. Used by main and, in process,
// by the tests.
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { DomainError } from "#src/base/errors.ts";
import type { Charge } from "#src/runtime/tenant.ts";
import { meterStatements } from "#src/db/connection/database.ts";
import { chargeTo } from "#src/domain/charge.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import { QuotaResponse } from "#src/server/http/quota-headers.ts";
import { tellDone } from "#src/server/http/access-log.ts";
import { withoutKey } from "#src/server/downloads.ts";
import type { Doors } from "#src/server/http/host-and-headers.ts";
import { Drain } from "#src/server/process/drain-requests.ts";
import { type Exchange, type Handler, openExchange, sayWhenAgain, sendError } from "#src/http/exchange.ts";
import { originForm, refuseMalformed } from "#src/server/http/malformed.ts";
import { serveWebSocket } from "#src/server/graphql/websocket.ts";
import type { AppOptions } from "#src/server/process/app-options.ts";
import { wire } from "#src/server/process/compose.ts";

export interface App {
  /** Charges jobs to the user that caused them. */
  readonly charge: Charge;
  /** The paths that are answered; those with a slash at the end are the beginnings of paths. */
  readonly places: readonly string[];
  /** Starts listening. Rejects with the system's error, such as EADDRINUSE. */
  listen(address: { host: string; port: number }): Promise<{ port: number; url: string }>;
  /** Says that it will stop: `/readyz` is 503 and every answer closes its connection. Requests are served as ever. */
  leave(): void;
  /** Stops accepting, lets requests finish for `graceMs`, sends streams what is committed and closes them (1001). */
  close(options?: { graceMs?: number }): Promise<void>;
}

/**
 * How long a connection stays open between requests, in milliseconds: longer than the minute of usual load balancers,
 * so that they close it, not we.
 */
const keepAliveTimeoutMs = 65_000;

const defaultWriteTimeoutMs = 60_000;

/** Makes the application over an open, migrated database. Closing it leaves the database open. */
export function createApp(options: AppOptions): App {
  const { database, log, metrics, tracing, keepAliveMs, writeTimeoutMs = defaultWriteTimeoutMs } = options;
  const server = createServer({ ServerResponse: QuotaResponse, keepAliveTimeout: keepAliveTimeoutMs });
  const drain = new Drain(server);
  const parts = wire(options, () => drain.isLeaving);
  const { feed, documents, replicas, hub, costQuotas, background, following, eventStreams, sockets } = parts;
  const { doors, deliveries, handle, places, listensAt, origins, contexts } = parts;
  metrics?.watch({ database, replicas, feed, hub, costQuotas, deliveries });
  refuseMalformed(server);
  server.on("request", answerWith(handle, { doors, log, metrics, tracing, writeTimeoutMs }));
  const closeSockets = serveWebSocket(server, { graphql: sockets, origins, contexts, doors, log, keepAliveMs });
  return {
    charge: chargeTo(costQuotas),
    places,
    async listen({ host, port }) {
      await feed.start();
      await replicas?.start();
      hub.start();
      for (const work of following) work.start(feed);
      const bound = await startServer(server, host, port);
      const url = `http://${host.includes(":") ? `[${host}]` : host}:${bound}`;
      listensAt(url);
      return { port: bound, url };
    },
    leave: () => drain.leave(),
    close: async ({ graceMs = 10_000 } = {}) => {
      const leaving = { graceMs, flush: () => feed.flush() };
      await Promise.all([
        closeSockets(leaving),
        eventStreams.close(leaving),
        background.close(), // requests may wait for it
        drain.close(graceMs).then(() => background.close()), // what the last of them have begun
      ]);
      hub.stop();
      documents.close();
      await Promise.all([feed.stop(), replicas?.stop()]);
      await Promise.all(following.map((work) => work.stop()));
    },
  };
}

/** What each request passes through. */
function answerWith(
  handle: Handler,
  {
    doors,
    log,
    metrics,
    tracing,
    writeTimeoutMs,
  }: Pick<AppOptions, "log" | "metrics" | "tracing"> & { readonly doors: Doors; readonly writeTimeoutMs: number },
): RequestListener {
  return (request, response) => {
    request.url = originForm(request.url ?? "/");
    const exchange = openExchange(request, response, { metrics, tracing });
    logWhenDone(exchange, log);
    cutUnread(response, writeTimeoutMs);
    doors.furnish(response);
    const refusal = doors.refusal(request);
    if (refusal) return fail(exchange, refusal, log);
    return void exchange.watched
      .run(() => meterStatements(exchange.meter, () => handle(exchange)))
      .catch((error: unknown) => fail(exchange, error, log));
  };
}

/** Answers the port, which the system chooses for port 0. */
async function startServer(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
  return (server.address() as AddressInfo).port; // a TCP server's address is never a path
}

/** The time-out starts again with everything read or sent. Handlers may take longer: then nothing waits to be sent. */
function cutUnread(response: ServerResponse, timeoutMs: number): void {
  response.setTimeout(timeoutMs, () => {
    if (response.socket && response.socket.writableLength > 0) response.destroy();
  });
}

/** One line for each request, when its connection has taken the answer, or is gone. */
function logWhenDone(exchange: Exchange, log: Logger): void {
  const { request, response, path, requestId, watched } = exchange;
  const started = performance.now();
  response.once("close", () => {
    const status = response.statusCode;
    if (!response.writableFinished) for (const limit of exchange.limits) limit.abandon();
    // Whoever writes a script decides on its faults: they are not counted as failures of the gateway.
    const code5xx = exchange.refusal === "INTEGRATION_FAILED" ? exchange.refusal : String(status);
    watched.code ??= response.writableFinished ? code5xx : "ABORTED";
    watched.done();
    const asked = { requestId, method: request.method, path: withoutKey(path), status };
    const code = exchange.refusal ?? watched.code;
    tellDone(log, { ...exchange, asked, code, isRefused: status >= 400 || !/^(OK|\d+)$/.test(watched.code), started });
  });
}

/** Answers what a handler has thrown. */
function fail(exchange: Exchange, error: unknown, log: Logger): void {
  const { response, requestId, request } = exchange;
  const answer = answerOf(error, log);
  if (!answer) log.error({ err: error, requestId }, "Unexpected error in a request");
  if (response.headersSent) {
    response.destroy();
    return;
  }
  request.resume();
  const refusal =
    answer ?? new DomainError("INTERNAL", `Something went wrong; it is logged under request ${requestId}.`);
  exchange.refusal = refusal.code;
  sayWhenAgain(response, refusal);
  sendError(response, refusal);
}
