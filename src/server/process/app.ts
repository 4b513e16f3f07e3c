// The application: one HTTP server with GraphQL, REST, WebSocket and health checks, used by main and, in process, by
// the tests. Every part of it is made once, from the options of app-options.ts; none does anything before it is
// started.
import { TokenUses, Viewers } from "#src/access/viewers.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { VisitorTokens } from "#src/access/visitor-tokens.ts";
import { operationLimits, quotas } from "#src/base/limits.ts";
import { homeAddress, startOfTemplate } from "#src/base/public-urls.ts";
import { Secrets } from "#src/base/secrets.ts";
import { systemClock } from "#src/base/time.ts";
import { type Allowance, messageAllowance } from "#src/db/connection/budget.ts";
import { Replicas } from "#src/db/replicas/replicas.ts";
import { makeContext } from "#src/domain/context.ts";
import { CostQuotas } from "#src/domain/quota.ts";
import type { Scripts } from "#src/domain/scripts.ts";
import { Feed } from "#src/events/event-log.ts";
import type { Follower } from "#src/events/follower.ts";
import { comparePositions, type OutboxPosition } from "#src/events/outbox-position.ts";
import { silentWakeups, type Wakeups } from "#src/events/wakeups.ts";
import { features, partOf } from "#src/features/index.ts";
import { SentDocuments } from "#src/graph/documents/sent-documents.ts";
import { createExecutor, type Executor } from "#src/graph/run/execute.ts";
import { subgraphOf } from "#src/graph/subgraph.ts";
import { appPages } from "#src/http/app-pages.ts";
import { RequestOrigins } from "#src/http/client-address.ts";
import { jsonAnswers } from "#src/http/negotiation.ts";
import { Origins } from "#src/http/origins.ts";
import { Background } from "#src/jobs/background.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { txtRecordReader } from "#src/net/txt-records.ts";
import { pageAssets } from "#src/pages/assets.ts";
import type { StreamChanges } from "#src/pages/serve.ts";
import { createRest } from "#src/rest/rest.ts";
import type { Series } from "#src/runtime/series.ts";
import { schema } from "#src/schema.ts";
import { createEventStreams, type EventStreams } from "#src/server/graphql/event-stream.ts";
import { GraphqlSockets } from "#src/server/graphql/sockets.ts";
import { GraphqlHandler } from "#src/server/graphql/http.ts";
import { HostAndHeaders } from "#src/server/http/host-and-headers.ts";
import { Contexts } from "#src/server/http/request-contexts.ts";
import { createRestHandler } from "#src/server/http/rest.ts";
import { Routes } from "#src/server/http/routes.ts";
import { Requests } from "#src/server/http/steps.ts";
import { Hub } from "#src/server/live/hub.ts";
import { createPages } from "#src/server/pages/pages.ts";
import type { AppOptions } from "#src/server/process/app-options.ts";
import { readDemoIds } from "#src/server/process/demo-ids.ts";
import { seriesOf } from "#src/server/process/metric-series.ts";
import { healthRoutes } from "#src/server/process/health.ts";
import { chargeTo } from "#src/domain/cost.ts";
import { serveWebSocket } from "#src/server/graphql/websocket.ts";
import type { Gateway } from "#src/features/feature.ts";
import type { Exchange } from "#src/http/exchange.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { applicationElsewhere } from "#src/pages/errors.ts";
import type { FormFiles } from "#src/pages/forms.ts";
import { sendShown, servePages } from "#src/pages/serve.ts";
import { HttpServer } from "#src/server/http/http-server.ts";

function environmentOf(options: AppOptions) {
  const { database, files, log, readReplicas = [] } = options;
  const clock = options.clock ?? systemClock;
  const secrets = options.secrets ?? new Secrets([]);
  const fetch = options.fetch ?? createSafeFetch();
  const limits = { ...operationLimits, ...options.operationLimits };
  const costQuotas = new CostQuotas({ ...options.trafficLimits, estimate: limits.estimate }, options.costStore);
  const tokenUses = new TokenUses(database.vital, log);
  const viewers = new Viewers(database, clock, { maxAge: options.viewerAge, uses: tokenUses });
  const visitorTokens = new VisitorTokens({ database, clock, secrets, fetch, maxAge: options.viewerAge });
  const wakeups = options.wakeups ?? silentWakeups;
  const feed = new Feed({ database, wakeups, log, pollMs: options.pollMs, heldMs: options.heldMs });
  const background = new Background({ patienceMs: options.patienceMs });
  const parts = { database, files, log, clock, secrets, fetch, costQuotas, viewers, visitorTokens, feed, background };
  const environment = {
    ...parts,
    tunnels: options.tunnels ?? { fetch, mayReach: () => Promise.resolve(true) },
    readTxtRecords: options.readTxtRecords ?? txtRecordReader(),
    translator: options.translator,
    emails: options.emails,
    operationLimits: limits,
    quotas: { ...quotas, ...options.quotas },
    limitMs: options.requestTimeoutMs ?? 15_000,
    rightsAge: options.rightsAge,
    publicUrl: options.publicUrl ?? "", // by default where the server listens
    appUrl: options.appUrl,
    publishedUrl: options.publishedUrl,
    integrationsUrl: options.integrationsUrl,
    replicas: undefined as Replicas<OutboxPosition> | undefined,
    scripts: undefined as Scripts | undefined,
  };
  const hub = hubOf(environment, { ...options, wakeups });
  if (readReplicas.length > 0) environment.replicas = replicasOf(environment, options, hub);
  return { environment, hub, tokenUses };
}

type Base = ReturnType<typeof environmentOf>["environment"];

/** Delivers events to subscriptions. Its contexts have no quota or limit: each message is for many, and is charged. */
function hubOf(environment: Base, { checkpointMs, wakeups }: AppOptions & { readonly wakeups: Wakeups }): Hub {
  const { costQuotas, feed, viewers, clock, log } = environment;
  const contextOf = (viewer: Viewer) => {
    const unlimited = {
      ...environment,
      limitMs: undefined,
      costQuotas: undefined,
      scripts: undefined,
      replicas: undefined,
    };
    const context = makeContext(unlimited, viewer, "stream", messageAllowance);
    return viewer.isNobody ? Object.assign(context, { isAnonymous: true }) : context;
  };
  const charge = ({ userId, tokenId }: Viewer, points: number) =>
    costQuotas.spend(costQuotas.quotaOf(userId), tokenId, points);
  return new Hub({ feed, wakeups, viewers, clock, log, schema, checkpointMs, contextOf, charge });
}

const replicasOf = (
  { database, feed, log }: Pick<Base, "database" | "feed" | "log">,
  { readReplicas = [], mostBehindMs }: AppOptions,
  hub: Hub,
): Replicas<OutboxPosition> =>
  new Replicas({
    primary: database,
    replicas: readReplicas,
    log,
    mark: () => feed.position,
    heardBy: (caller) => hub.heardBy(caller),
    // Events from before the database went back no longer exist.
    isIn: (mark, received) => mark.epoch !== received.epoch || comparePositions(mark, received) >= 0,
    mostBehindMs,
  });

const executorOf = (
  { operationLimits: limits }: Base,
  { executor, isSubgraph = false, hidesSuggestions = false }: AppOptions,
): Executor => executor ?? createExecutor(isSubgraph ? subgraphOf(schema) : schema, { limits, hidesSuggestions });

function gatewayOf(environment: Base, options: AppOptions, eventStreams: EventStreams) {
  const { database, viewers, feed, clock, log } = environment;
  const { allowedOrigins: allowed = [], allowsLoopbackOrigins: allowsLoopback = false, trustedProxies = [] } = options;
  const { appUrl, openIdProvider, tracing } = options;
  const publicUrl = () => environment.publicUrl;
  const executor = executorOf(environment, options);
  const routes = features.flatMap((feature) => feature.routes);
  const readIds = () => readDemoIds({ executor, viewers, contextFor }, options);
  const rest = createRest(executor, routes, { publicUrl, readIds });
  const contextFor = (viewer: Viewer, requestId: string, allowance?: Allowance) =>
    makeContext(environment, viewer, requestId, allowance);
  const base = { ...environment, executor, rest, publicUrl, contextFor, tracing, openIdProvider };
  const scripts = partOf("scripts")(base);
  environment.scripts = scripts;
  const origins = new Origins({ allowed, publicUrl, allowsLoopback, log });
  const requestOrigins = new RequestOrigins({ trustedProxies, log });
  const contexts = new Contexts({ environment, origins, requestOrigins, openedBy: partOf("openedBy") });
  // After a sign-in, a browser may go back to docgraph, to the application, and to the allowed origins.
  const application = appUrl === undefined ? [] : [new URL(startOfTemplate(appUrl)).origin];
  const returns = [...application, ...allowed.filter((origin) => origin !== "*")];
  const signIn = () => ({
    database,
    viewers,
    feed,
    clock,
    publicUrl: publicUrl(),
    origins: returns,
    home: homeAddress({ publicUrl: publicUrl(), appUrl }),
  });
  const streamChanges: StreamChanges = (exchange, asked) => eventStreams.answer(exchange, "sse", asked);
  const visitorSignIn = partOf("visitorSignIn")(base);
  return { ...base, scripts, visitorSignIn, origins, contexts, signIn, streamChanges, intervals: options };
}

function compose(options: AppOptions) {
  const { log, metrics, tracing, keepAliveMs, socketLimits, allowedHosts, writeTimeoutMs = 60_000 } = options;
  const { environment, hub, tokenUses } = environmentOf(options);
  const eventStreams = createEventStreams(hub, keepAliveMs, options.socketLimits?.streamsPerUser);
  const gateway = gatewayOf(environment, options, eventStreams);
  const { executor, contexts, origins } = gateway;
  const documents = options.documents ?? new SentDocuments();
  const followers: Follower[] = [tokenUses, ...features.flatMap(({ follow }) => follow?.(gateway) ?? [])];
  const state = { isLeaving: false };
  const queues = features.flatMap((feature) => feature.queues ?? []);
  const series = [...seriesOf({ ...gateway, hub, queues }), ...followers.flatMap(({ metrics: own = [] }) => own)];
  metrics?.add(series);
  const routes = routesOf(gateway, options, { documents, eventStreams, followers, series, state });
  const isolated = environment.integrationsUrl;
  const hostAndHeaders = new HostAndHeaders({
    allowedHosts,
    address: environment,
    pathOfHost: partOf("pathOfHost")(gateway),
    isolated: isolated === undefined ? undefined : { url: isolated, answersAt: (path) => routes.isIsolated(path) },
  });
  const requests = new Requests({ routes, origins, hostAndHeaders, log, metrics, tracing, writeTimeoutMs, state });
  const contextOf = contexts.ofSocket.bind(contexts);
  const limits = socketLimits;
  const graphql = new GraphqlSockets({ executor, documents, hub, log, contextOf, limits, metrics, tracing });
  const sockets = { graphql, hostAndHeaders, origins, contexts, log, keepAliveMs };
  const { contextFor } = gateway;
  return { environment, contextFor, hub, documents, eventStreams, followers, routes, requests, sockets };
}

interface Answering {
  readonly documents: SentDocuments;
  readonly eventStreams: EventStreams;
  readonly followers: readonly Follower[];
  readonly series: readonly Series[];
  readonly state: { readonly isLeaving: boolean };
}

function routesOf(
  gateway: ReturnType<typeof gatewayOf>,
  options: AppOptions,
  { documents, series, ...beside }: Answering,
) {
  const { executor, contexts, database, viewers, files, log } = gateway;
  const { graphiql = false, demoToken, maxFileSize = 25_000_000, takesBatches = false } = options;
  const ofPage = contexts.ofPage.bind(contexts);
  const application = homeAddress({ publicUrl: "", appUrl: gateway.appUrl });
  const shown = { schema: executor.schema, graphiql, demoToken, application, series };
  const pages = createPages({ database, viewers, ofPage, ...shown });
  const contextOf = contexts.ofAnyone.bind(contexts);
  const parts = { executor, documents, log, files, streams: beside.eventStreams, graphiql: pages.graphiql };
  const graphql = new GraphqlHandler({ ...parts, contextOf, maxFileSize, takesBatches });
  const rest = { methods: null, answers: jsonAnswers, handle: createRestHandler(gateway.rest, contexts) };
  return new Routes([
    { path: "/graphql", methods: null, handle: graphql.handle.bind(graphql) },
    { path: "/v1", ...rest },
    { path: "/v1/", ...rest },
    ...healthRoutes({ ...gateway, ...beside }),
    ...[...Object.entries(pages.at), ...pages.below].map(([path, handle]) => ({ path, handle })),
    pageAssets,
    ...applicationRoutes(gateway, { files, maxFileSize }),
    ...features.flatMap(({ http }) => http?.(gateway) ?? []),
  ]);
}

/** Makes the application over an open, migrated database. Closing it leaves the database open. */
export function createApp(options: AppOptions) {
  const { environment, contextFor, hub, documents, eventStreams, followers, routes, requests, sockets } =
    compose(options);
  const { feed, replicas, costQuotas, background } = environment;
  const http = new HttpServer(requests);
  const closeSockets = serveWebSocket(http.server, sockets);
  return {
    /** Charges background work to the user that caused it. */
    charge: chargeTo(costQuotas),
    /** The routes; paths with a trailing slash are prefixes. */
    places: routes.paths,
    /** Makes the context of an operation of a viewer, like that of requests. */
    contextFor,
    /** Starts listening. Rejects with the system's error, such as EADDRINUSE. */
    async listen({ host, port }: { host: string; port: number }) {
      await feed.start();
      await replicas?.start();
      hub.start();
      for (const follower of followers) follower.start(feed);
      const bound = await http.listen(host, port);
      environment.publicUrl ||= bound.url;
      return bound;
    },
    /**
     * From now on `/readyz` is 503 and every response closes its connection. Requests are served as before. Settles
     * when the long work has ended that other processes can continue.
     */
    async leave(): Promise<void> {
      requests.leave();
      await Promise.all([background.leave(), ...followers.map((follower) => follower.leave?.())]);
    },
    /** Stops accepting, lets requests finish for `graceMs`, sends committed events to streams, closes them (1001). */
    close: async ({ graceMs = 10_000 }: { graceMs?: number } = {}) => {
      const leaving = { graceMs, flush: () => feed.flush() };
      await Promise.all([
        closeSockets(leaving),
        eventStreams.close(leaving),
        background.close(), // requests may wait for it
        http.close(graceMs).then(() => background.close()), // work that the last requests started
      ]);
      hub.stop();
      documents.close();
      await Promise.all([feed.stop(), replicas?.stop()]);
      await Promise.all(followers.map((follower) => follower.stop()));
    },
  };
}

/** The application under `/app`, unless APP_URL names another one; objects without a page are shown as data. */
function applicationRoutes(gateway: Gateway, formFiles: FormFiles): HttpRoute[] {
  const { executor, contexts, appUrl } = gateway;
  const methods = ["GET", "HEAD", "POST"];
  const contextOf = (exchange: Exchange) => contexts.ofPage(exchange);
  const { show: otherwise, loggedPath } = appPages(
    executor,
    contextOf,
    features.flatMap(({ pages = [] }) => pages),
  );
  const serve = servePages(
    features.flatMap(({ appPages: rows = [] }) => rows),
    { ...gateway, formFiles },
  );
  const senderOf = (exchange: Exchange) => contexts.ofRequest(exchange);
  const elsewhere = appUrl === undefined ? null : applicationElsewhere(startOfTemplate(appUrl));
  const handle = async (exchange: Exchange) => {
    if (elsewhere) return sendShown(exchange, elsewhere);
    const { path, request } = exchange;
    const returnTo = loggedPath(path) === path ? { returnTo: request.url ?? path } : {};
    return serve(exchange, { contextOf, senderOf, path, given: {}, otherwise, ...returnTo });
  };
  return [
    { path: "/app", methods, handle },
    { path: "/app/", loggedPath, methods, handle },
  ];
}
