// The application: one HTTP server with GraphQL, REST, WebSocket and health checks on it. Used by main and, in process, by the tests.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { DomainError, errorCodes } from "#src/base/errors.ts";
import { type Clock, systemClock } from "#src/base/time.ts";
import { createViewers } from "#src/access/viewers.ts";
import { type Database, meterStatements } from "#src/db/database.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { createExecutor, type Executor } from "#src/graph/execute.ts";
import { features } from "#src/features/index.ts";
import { createRest } from "#src/rest/rest.ts";
import { schema } from "#src/schema.ts";
import { type Exchange, openExchange, sendJson } from "#src/server/exchange.ts";
import { createGraphqlHandler } from "#src/server/graphql.ts";
import { createPages } from "#src/server/pages.ts";
import { serveWebSocket } from "#src/server/websocket.ts";

export interface AppOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly clock?: Clock;
  /** The address for links; by default the one that the server listens on. */
  readonly publicUrl?: string | undefined;
  /** Whether GraphiQL is served; `demoToken` is filled in there. */
  readonly graphiql?: boolean;
  readonly demoToken?: string | undefined;
  /** How long, in milliseconds, a viewer is taken from memory; 0 for tests that change rights behind the gateway. */
  readonly viewerAge?: number | undefined;
  /** Another executor of the same schema, for comparing compiled and interpreted runs. */
  readonly executor?: Executor;
}

export interface App {
  /** Starts listening. Rejects with the system's error, such as EADDRINUSE. */
  listen(address: { host: string; port: number }): Promise<{ port: number; url: string }>;
  /** Stops accepting, lets what is in flight finish for `graceMs`, closes sockets with 1001. */
  close(options?: { graceMs?: number }): Promise<void>;
}

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
  const { database, log, clock = systemClock } = options;
  const executor = options.executor ?? createExecutor(schema);
  const viewers = createViewers(database, clock, options.viewerAge);
  let publicUrl = options.publicUrl ?? "";
  const contextOf = async (authorization: string | undefined, requestId: string): Promise<Context> =>
    makeContext({ database, viewers, clock, log, publicUrl }, await viewers.byAuthorization(authorization), requestId);
  const pages = createPages(database);
  const contextOfRequest = ({ request, requestId }: Exchange) => contextOf(request.headers.authorization, requestId);
  const rest = createRest({ executor, routes: features.flatMap(({ routes }) => routes), contextOf: contextOfRequest });
  const graphql = createGraphqlHandler({
    executor,
    contextOf: contextOfRequest,
    graphiql: options.graphiql
      ? { headers: options.demoToken ? { Authorization: `Bearer ${options.demoToken}` } : {}, query: demoQuery }
      : null,
  });

  async function handle(exchange: Exchange): Promise<void> {
    const { path, response } = exchange;
    const page = pages[path];
    if (path === "/graphql") await graphql(exchange);
    else if (path.startsWith("/v1/")) await rest(exchange);
    else if (page) await page(exchange);
    else sendJson(response, 404, { error: { code: 404, message: "Nothing is served at this path." } });
  }

  const server = createServer((request, response) => {
    const exchange = openExchange(request, response);
    logWhenDone(exchange, log);
    meterStatements(exchange.meter, () => handle(exchange)).catch((error: unknown) => fail(exchange, error, log));
  });
  const closeSockets = serveWebSocket(server, {
    executor,
    contextOf: (authorization) => contextOf(authorization, "websocket"),
  });

  return {
    async listen({ host, port }) {
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
      await Promise.all([closeSockets(), stopServer(server, graceMs)]);
    },
  };
}

async function stopServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise((resolve) => server.close(resolve)); // also closes idle connections; busy ones close after their answer
  clearTimeout(timer);
}

/** One line for each request; never a query string, a token or a body. */
function logWhenDone(exchange: Exchange, log: Logger): void {
  const { request, response, path, requestId, meter } = exchange;
  const started = performance.now();
  response.once("close", () => {
    const status = response.statusCode;
    const line = {
      requestId,
      method: request.method,
      path,
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
