// How the parts of the application are put together: what every operation gets, the hub of subscriptions, and the
// handler of each transport.
import type { Logger } from "pino";
import { type Clock, systemClock } from "#src/base/time.ts";
import { nobody, type Viewer } from "#src/access/viewer.ts";
import { Viewers } from "#src/access/viewers.ts";
import { type Allowance, messageAllowance } from "#src/db/budget.ts";
import type { Database } from "#src/db/database.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { Feed } from "#src/events/feed.ts";
import { silentWakeups, type Wakeups } from "#src/events/wakeups.ts";
import { createExecutor, type Executor } from "#src/graph/execute.ts";
import { FileStore } from "#src/files/file-store.ts";
import { features } from "#src/features/index.ts";
import { createRest } from "#src/rest/rest.ts";
import { schema } from "#src/schema.ts";
import { demoQuery } from "#src/server/demo-query.ts";
import { createAppPages } from "#src/server/people/app-pages.ts";
import { createPublishedPages } from "#src/server/people/published-pages.ts";
import { createDownloads } from "#src/server/downloads.ts";
import { createEventStreams, type EventStreams } from "#src/server/event-stream.ts";
import { type ContextOf, type Handler, sendJson } from "#src/server/exchange.ts";
import { GraphqlHandler } from "#src/server/graphql.ts";
import { GraphqlSockets, type SocketLimits } from "#src/server/graphql-sockets.ts";
import { Hub } from "#src/server/live/hub.ts";
import { answerCors, type IsAllowedOrigin, originRule } from "#src/server/origins.ts";
import { createRestHandler } from "#src/server/rest.ts";
import { createPages } from "#src/server/pages.ts";

export interface AppOptions {
  readonly database: Database;
  /** Where uploaded files are kept. */
  readonly files: FileStore;
  /** The most bytes of an uploaded file; 25 MB by default. */
  readonly maxFileSize?: number | undefined;
  /** How gateways on one database wake each other; by default they do not. */
  readonly wakeups?: Wakeups;
  readonly log: Logger;
  readonly clock?: Clock;
  /** The address for links; by default the one that the server listens on. */
  readonly publicUrl?: string | undefined;
  /** Templates of addresses of frontends, as {@link Links} takes them; by default docgraph's own pages. */
  readonly appUrl?: string | undefined;
  readonly publishedUrl?: string | undefined;
  /** Whether GraphiQL is served; `demoToken` is filled in there. */
  readonly graphiql?: boolean;
  readonly demoToken?: string | undefined;
  /** How long, in milliseconds, a viewer is kept in memory; 0 for tests that change rights in the database. */
  readonly viewerAge?: number | undefined;
  /** Origins of pages that may call from a browser, beside the gateway's own; `*` for any. */
  readonly allowedOrigins?: readonly string[];
  readonly socketLimits?: Partial<SocketLimits>;
  /** How often clients of sockets and streams are pinged, in milliseconds. */
  readonly keepAliveMs?: number;
  /** How long, in milliseconds, a client may read nothing of an HTTP answer until its connection is cut. */
  readonly writeTimeoutMs?: number;
  /** How often the feed of events looks without being woken, in milliseconds. */
  readonly pollMs?: number;
  /** How often a stream without events gets a `Checkpoint`, in milliseconds. */
  readonly checkpointMs?: number;
  /** Another executor of the same schema, for comparing runs by plans with those field by field. */
  readonly executor?: Executor;
}

/** Makes the parts of the application, none of which does anything before the server listens. */
export function wire(options: AppOptions) {
  const { database, files, log, clock = systemClock } = options;
  const address = { url: options.publicUrl ?? "" };
  const executor = options.executor ?? createExecutor(schema);
  const viewers = new Viewers(database, clock, options.viewerAge);
  const feed = new Feed({ database, wakeups: options.wakeups ?? silentWakeups, log, pollMs: options.pollMs });
  const { appUrl, publishedUrl } = options;
  const environment = { database, files, viewers, feed, clock, log, appUrl, publishedUrl };
  const contextFor = (viewer: Viewer, requestId: string, allowance?: Allowance): Context =>
    makeContext({ ...environment, publicUrl: address.url }, viewer, requestId, allowance);
  const contextOf = async (authorization: string | undefined, requestId: string): Promise<Context> =>
    contextFor(await viewers.byAuthorization(authorization), requestId);
  const { checkpointMs } = options;
  const streamContext = (viewer: Viewer) => contextFor(viewer, "stream", messageAllowance);
  const hub = new Hub({ schema, feed, viewers, clock, log, checkpointMs, contextOf: streamContext });
  const eventStreams = createEventStreams(hub, options.keepAliveMs);
  const isAllowedOrigin = originRule(options.allowedOrigins ?? [], () => address.url);
  const contextOfRequest: ContextOf = ({ request, requestId }) => contextOf(request.headers.authorization, requestId);
  const contextOfPage: ContextOf = async (exchange) =>
    exchange.request.headers.authorization === undefined
      ? contextFor(nobody, exchange.requestId)
      : contextOfRequest(exchange);
  return {
    feed,
    hub,
    eventStreams,
    isAllowedOrigin,
    handle: routed({ ...options, executor, eventStreams, isAllowedOrigin, contextOf: contextOfRequest, contextOfPage }),
    sockets: new GraphqlSockets({
      executor,
      hub,
      log,
      contextOf: (authorization) => contextOf(authorization, "websocket"),
      limits: options.socketLimits,
    }),
    /** Says where the server listens: that is the address for links when no other was given. */
    listensAt: (url: string) => void (address.url ||= url),
  };
}

interface Routed extends AppOptions {
  readonly executor: Executor;
  readonly eventStreams: EventStreams;
  readonly isAllowedOrigin: IsAllowedOrigin;
  readonly contextOf: ContextOf;
  /** The same for pages, which also those without a token may open. */
  readonly contextOfPage: ContextOf;
}

/** The handler of every path. */
function routed(options: Routed): Handler {
  const { database, files, executor, contextOf } = options;
  const pages = createPages(database);
  const appPage = createAppPages(executor, options.contextOfPage);
  const publishedPage = createPublishedPages(executor, options.contextOfPage);
  const download = createDownloads(options);
  const routes = features.flatMap((feature) => feature.routes);
  const rest = createRestHandler(createRest(executor, routes), contextOf);
  const headers = options.demoToken ? { Authorization: `Bearer ${options.demoToken}` } : {};
  const graphql = new GraphqlHandler({
    executor,
    streams: options.eventStreams,
    contextOf,
    files,
    maxFileSize: options.maxFileSize ?? 25_000_000,
    graphiql: options.graphiql ? { headers, query: demoQuery } : null,
  });
  return async (exchange) => {
    const { path, request, response } = exchange;
    if (answerCors(request, response, options.isAllowedOrigin)) return;
    const page = pages[path];
    if (path === "/graphql") await graphql.handle(exchange);
    else if (path.startsWith("/v1/")) await rest(exchange);
    else if (path.startsWith("/files/")) await download(exchange);
    else if (page) await page(exchange);
    else if (path.startsWith("/app/")) await appPage(exchange);
    else if (path.startsWith("/published/")) await publishedPage(exchange);
    else
      sendJson(response, 404, {
        error: { code: 404, message: "There is nothing at this path: / lists the addresses." },
      });
  };
}
