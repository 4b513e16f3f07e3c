// The application: one HTTP server with GraphQL, REST, WebSocket and health checks on it. Used by main and, in process, by the tests.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { DomainError, errorCodes } from "#src/base/errors.ts";
import { type Clock, systemClock } from "#src/base/time.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { createViewers } from "#src/access/viewers.ts";
import { type Database, meterStatements } from "#src/db/database.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { Feed } from "#src/events/feed.ts";
import { silentWakeups, type Wakeups } from "#src/events/wakeups.ts";
import { createExecutor, type Executor } from "#src/graph/execute.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { features } from "#src/features/index.ts";
import { createRest } from "#src/rest/rest.ts";
import { schema } from "#src/schema.ts";
import { createDownloads, withoutKey } from "#src/server/downloads.ts";
import { type Exchange, openExchange, sendJson } from "#src/server/exchange.ts";
import { createEventStreams } from "#src/server/event-stream.ts";
import { createGraphqlHandler } from "#src/server/graphql.ts";
import { createPages } from "#src/server/pages.ts";
import { createGraphqlSockets, type SocketLimits } from "#src/server/graphql-sockets.ts";
import { Hub } from "#src/server/live/hub.ts";
import { answerCors, originRule } from "#src/server/origins.ts";
import { serveWebSocket } from "#src/server/websocket.ts";

export interface AppOptions {
  readonly database: Database;
  /** Where uploaded files are kept: a folder (`localFiles`), or any other store. */
  readonly files: FileStore;
  /** The most bytes of an uploaded file; 25 MB unless told. */
  readonly maxFileSize?: number | undefined;
  /** How gateways on one database wake each other; by default they do not. */
  readonly wakeups?: Wakeups;
  readonly log: Logger;
  readonly clock?: Clock;
  /** The address for links; by default the one that the server listens on. */
  readonly publicUrl?: string | undefined;
  /** Whether GraphiQL is served; `demoToken` is filled in there. */
  readonly graphiql?: boolean;
  readonly demoToken?: string | undefined;
  /** How long, in milliseconds, a viewer is taken from memory; 0 for tests that change rights behind the gateway. */
  readonly viewerAge?: number | undefined;
  /** Origins of pages that may call from a browser, beside the gateway's own; `*` for any. */
  readonly allowedOrigins?: readonly string[];
  readonly socketLimits?: Partial<SocketLimits>;
  /** How often clients of streams hear that the gateway is there, in milliseconds. */
  readonly keepAliveMs?: number;
  /** How often the feed of events looks without being woken, in milliseconds. */
  readonly pollMs?: number;
  /** How often streams on which nothing happens are told how far they are, in milliseconds. */
  readonly checkpointMs?: number;
  /** Another executor of the same schema, for comparing compiled and interpreted runs. */
  readonly executor?: Executor;
}

export interface App {
  /** Starts listening. Rejects with the system's error, such as EADDRINUSE. */
  listen(address: { host: string; port: number }): Promise<{ port: number; url: string }>;
  /** Stops accepting, lets what is in flight finish for `graceMs`, tells streams what is committed and closes them, sockets with 1001. */
  close(options?: { graceMs?: number }): Promise<void>;
}

/** How long a connection stays open between requests, in milliseconds: longer than the minute of usual load balancers, so that they close it, not we. */
const keepAliveTimeoutMs = 65_000;

const demoQuery = `# The spaces of your organizations, with what is proposed there, and what is published.
{
  organizations {
    nodes {
      title
      spaces(first: 5) {
        nodes {
          emoji
          title
          changeRequests(first: 3) {
            totalCount
            nodes { number subject status comments { totalCount } }
          }
        }
      }
      sites {
        nodes {
          title
          sections {
            nodes {
              title
              siteSpaces { nodes { title path } }
            }
          }
        }
      }
    }
  }
}
`;

/** Makes the application over an open, migrated database. Closing it leaves the database open. */
export function createApp(options: AppOptions): App {
  const { database, files, log, clock = systemClock } = options;
  const executor = options.executor ?? createExecutor(schema);
  const viewers = createViewers(database, clock, options.viewerAge);
  const feed = new Feed({ database, wakeups: options.wakeups ?? silentWakeups, log, pollMs: options.pollMs });
  let publicUrl = options.publicUrl ?? "";
  const contextFor = (viewer: Viewer, requestId: string): Context =>
    makeContext({ database, files, viewers, feed, clock, log, publicUrl }, viewer, requestId);
  const contextOf = async (authorization: string | undefined, requestId: string): Promise<Context> =>
    contextFor(await viewers.byAuthorization(authorization), requestId);
  const isAllowedOrigin = originRule(options.allowedOrigins ?? [], () => publicUrl);
  const pages = createPages(database);
  const download = createDownloads({ database, files, log });
  const contextOfRequest = ({ request, requestId }: Exchange) => contextOf(request.headers.authorization, requestId);
  const rest = createRest({ executor, routes: features.flatMap(({ routes }) => routes), contextOf: contextOfRequest });
  const hub = new Hub({
    schema,
    feed,
    viewers,
    clock,
    log,
    checkpointMs: options.checkpointMs,
    contextOf: (viewer) => contextFor(viewer, "stream"),
  });
  const streams = createEventStreams(hub, options.keepAliveMs);
  const graphql = createGraphqlHandler({
    executor,
    streams,
    contextOf: contextOfRequest,
    files,
    maxFileSize: options.maxFileSize ?? 25_000_000,
    graphiql: options.graphiql
      ? { headers: options.demoToken ? { Authorization: `Bearer ${options.demoToken}` } : {}, query: demoQuery }
      : null,
  });

  async function handle(exchange: Exchange): Promise<void> {
    const { path, request, response } = exchange;
    if (answerCors(request, response, isAllowedOrigin)) return;
    const page = pages[path];
    if (path === "/graphql") await graphql(exchange);
    else if (path.startsWith("/v1/")) await rest(exchange);
    else if (path.startsWith("/files/")) await download(exchange);
    else if (page) await page(exchange);
    else sendJson(response, 404, { error: { code: 404, message: "Nothing is served at this path." } });
  }

  const server = createServer((request, response) => {
    const exchange = openExchange(request, response);
    logWhenDone(exchange, log);
    meterStatements(exchange.meter, () => handle(exchange)).catch((error: unknown) => fail(exchange, error, log));
  });
  server.keepAliveTimeout = keepAliveTimeoutMs;
  const closeSockets = serveWebSocket(server, {
    graphql: createGraphqlSockets({
      executor,
      hub,
      contextOf: (authorization) => contextOf(authorization, "websocket"),
      limits: options.socketLimits,
    }),
    isAllowedOrigin,
    log,
    keepAliveMs: options.keepAliveMs,
  });

  return {
    async listen({ host, port }) {
      await feed.start();
      hub.start();
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => resolve());
      });
      const bound = (server.address() as AddressInfo).port; // a TCP server's address is never a path
      const url = `http://${host.includes(":") ? `[${host}]` : host}:${bound}`;
      publicUrl ||= url;
      return { port: bound, url };
    },
    close: async ({ graceMs = 10_000 } = {}) => {
      const leaving = { graceMs, flush: () => feed.flush() };
      await Promise.all([closeSockets(leaving), streams.close(leaving), stopServer(server, graceMs)]);
      hub.stop();
      await feed.stop();
    },
  };
}

async function stopServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise((resolve) => server.close(resolve)); // also closes idle connections; busy ones close after their answer
  clearTimeout(timer);
}

/** One line for each request; never a query string, a token, the key of a file or a body. */
function logWhenDone(exchange: Exchange, log: Logger): void {
  const { request, response, path, requestId, meter } = exchange;
  const started = performance.now();
  response.once("close", () => {
    const status = response.statusCode;
    const line = {
      requestId,
      method: request.method,
      path: withoutKey(path),
      operation: exchange.operationName,
      status,
      statements: meter.statements,
    };
    log[status >= 500 ? "error" : "info"](
      { ...line, ms: Math.round((performance.now() - started) * 10) / 10 },
      "request",
    );
  });
}

/** The last resort for whatever a handler throws. */
function fail({ response, requestId, request }: Exchange, error: unknown, log: Logger): void {
  const known = error instanceof DomainError;
  if (!known) log.error({ err: error, requestId }, "Unexpected error in a request");
  if (response.headersSent) {
    response.destroy();
    return;
  }
  request.resume();
  const status = known ? errorCodes[error.code].status : 500;
  const message = known ? error.message : `Something went wrong; it is logged under request ${requestId}.`;
  sendJson(response, status, { error: { code: status, message } });
}
