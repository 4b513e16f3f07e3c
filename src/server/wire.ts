// How the parts of the application are put together: what every operation gets, the hub of subscriptions, and the
// handler of each transport.
import type { Logger } from "pino";
import { DomainError } from "#src/base/errors.ts";
import { type Clock, systemClock } from "#src/base/time.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { TokenUses } from "#src/access/token-uses.ts";
import { Viewers } from "#src/access/viewers.ts";
import { VisitorTokens } from "#src/access/visitor-tokens.ts";
import { Secrets } from "#src/base/secrets.ts";
import { messageAllowance } from "#src/db/budget.ts";
import type { Database } from "#src/db/database.ts";
import { type Replica, Replicas } from "#src/db/replicas.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { Feed } from "#src/events/feed.ts";
import { comparePositions, type OutboxPosition } from "#src/events/outbox-position.ts";
import { silentWakeups, type Wakeups } from "#src/events/wakeups.ts";
import { createExecutor, type Executor } from "#src/graph/execute.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { Background } from "#src/jobs/background.ts";
import { Letters } from "#src/jobs/letters.ts";
import type { Mail } from "#src/net/mail.ts";
import { createSafeFetch, type SafeFetch } from "#src/net/safe-fetch.ts";
import type { Translator } from "#src/base/translator.ts";
import { features } from "#src/features/index.ts";
import type { SignInEnvironment } from "#src/access/sign-in.ts";
import { samlPathStart } from "#src/features/saml/model/addresses.ts";
import { specPathStart } from "#src/features/openapi/model/addresses.ts";
import { createRest } from "#src/rest/rest.ts";
import { schema } from "#src/schema.ts";
import { demoQuery } from "#src/server/demo-query.ts";
import { createAppPages } from "#src/server/people/app-pages.ts";
import { createPublishedPages } from "#src/server/people/published-pages.ts";
import { computing } from "#src/server/computing.ts";
import { deriving } from "#src/server/deriving.ts";
import { createDownloads } from "#src/server/downloads.ts";
import { createSessionRequests } from "#src/server/auth/session-requests.ts";
import { createSignInPages } from "#src/server/auth/sign-in-pages.ts";
import { createEventStreams, type EventStreams } from "#src/server/event-stream.ts";
import { type Handler, sendError } from "#src/server/exchange.ts";
import { GraphqlHandler } from "#src/server/graphql.ts";
import { GraphqlSockets, type SocketLimits } from "#src/server/graphql-sockets.ts";
import { Hub } from "#src/server/live/hub.ts";
import { answerCors, type Origins, originRule } from "#src/server/origins.ts";
import { MissingFiles } from "#src/server/missing-files.ts";
import { RequestContexts } from "#src/server/request-contexts.ts";
import { createRestHandler } from "#src/server/rest.ts";
import { createSamlPages } from "#src/server/saml.ts";
import { createIntegrationImages } from "#src/server/integration-images.ts";
import { createIntegrationRuns } from "#src/server/integration-runs.ts";
import { translating } from "#src/server/translating.ts";
import type { Watchers } from "#src/server/watched.ts";
import { createPages } from "#src/server/pages.ts";
import { createSpecDocuments } from "#src/server/spec-documents.ts";

export interface AppOptions extends Watchers {
  readonly database: Database;
  /** Copies of the database that queries may read from; none by default. */
  readonly readReplicas?: readonly Replica[] | undefined;
  /** How far behind one of them may be, in milliseconds; 5 seconds by default. */
  readonly mostBehindMs?: number | undefined;
  /** Where uploaded files are kept. */
  readonly files: FileStore;
  /** The most bytes of an uploaded file; 25 MB by default. */
  readonly maxFileSize?: number | undefined;
  /** The way to other servers; by default to public ones only. */
  readonly fetch?: SafeFetch;
  /** Translates texts; without it there are no new translations. */
  readonly translator?: Translator | undefined;
  /** How long, in milliseconds, an operation may take; 15 seconds by default. */
  readonly requestTimeoutMs?: number | undefined;
  /** How long, in milliseconds, a request waits for long work that it began; a minute by default. */
  readonly patienceMs?: number;
  /** Seals the secrets in the database; by default there is no key, and none can be kept. */
  readonly secrets?: Secrets;
  /** How gateways on one database wake each other; by default they do not. */
  readonly wakeups?: Wakeups;
  readonly log: Logger;
  readonly clock?: Clock;
  /** The address for links; by default the one that the server listens on. */
  readonly publicUrl?: string | undefined;
  /** Templates of addresses of frontends, as {@link Links} takes them; by default docgraph's own pages. */
  readonly appUrl?: string | undefined;
  readonly publishedUrl?: string | undefined;
  /** Whether GraphiQL is served; `demoToken` is filled in there for who asks on this machine. */
  readonly graphiql?: boolean;
  readonly demoToken?: string | undefined;
  /** How long, in milliseconds, a viewer is kept in memory; 0 for tests that change rights in the database. */
  readonly viewerAge?: number | undefined;
  /** Origins of pages that may call from a browser, beside the gateway's own; `*` for any. */
  readonly allowedOrigins?: readonly string[];
  /** Whether pages of this machine may call as well, whatever their port. */
  readonly allowsLoopbackOrigins?: boolean;
  /** Addresses and networks of proxies, which say in `X-Forwarded-For` for whom they ask. None by default. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** The way to people by e-mail; without one nobody signs in by a link. */
  readonly mail?: Mail | undefined;
  /** How long, in milliseconds, it waits before each further try to send an e-mail. */
  readonly letterWaitsMs?: readonly number[];
  readonly socketLimits?: Partial<SocketLimits>;
  /** How often clients of sockets and streams are pinged, in milliseconds. */
  readonly keepAliveMs?: number;
  /** How long, in milliseconds, a client may read nothing of an HTTP answer until its connection is cut. */
  readonly writeTimeoutMs?: number;
  /** How often the feed of events looks without being woken, in milliseconds. */
  readonly pollMs?: number;
  /** How long events wait for one transaction until it is told who holds them, in milliseconds. */
  readonly heldMs?: number;
  /** How often a stream without events gets a `Checkpoint`, in milliseconds. */
  readonly checkpointMs?: number;
  /** How often it looks for the files that the database names, in milliseconds; once a minute by default. */
  readonly filesLookMs?: number;
  /** How often events are looked for that installations wait for, in milliseconds; null: others deliver them. */
  readonly deliveryMs?: number | null;
  /** How long, in milliseconds, a translation waits after an edit of its source; null: others run translations. */
  readonly translationMs?: number | null;
  /** Another executor of the same schema, for comparing runs by plans with those field by field. */
  readonly executor?: Executor;
}

/** What all operations have in common. */
function environmentOf(options: AppOptions) {
  const { database, files, log, clock = systemClock, viewerAge, appUrl, publishedUrl, patienceMs, pollMs } = options;
  const { translator, fetch = createSafeFetch(), secrets = new Secrets([]), wakeups = silentWakeups } = options;
  const uses = new TokenUses(database.vital, log);
  const viewers = new Viewers(database, clock, { maxAge: viewerAge, uses });
  const feed = new Feed({ database, wakeups, log, pollMs, heldMs: options.heldMs });
  const visitorTokens = new VisitorTokens({ database, clock, secrets, fetch, maxAge: viewerAge });
  const background = new Background({ patienceMs });
  const { mail, letterWaitsMs: waitsMs } = options;
  const letters = mail && new Letters({ mail, background, log, waitsMs });
  const work = { fetch, translator, background, letters };
  const shared = { database, files, secrets, viewers, uses, visitorTokens, feed, ...work };
  return { ...shared, clock, log, appUrl, publishedUrl };
}

/**
 * Makes the parts of the application, none of which does anything before the server listens. `isLeaving` says whether
 * it is about to stop.
 */
export function wire(options: AppOptions, isLeaving: () => boolean) {
  const address = { url: options.publicUrl ?? "" };
  const publicUrl = () => address.url;
  const executor = options.executor ?? createExecutor(schema);
  const environment = environmentOf(options);
  const { viewers, uses, feed, background, clock, log } = environment;
  const { checkpointMs, trustedProxies = [], requestTimeoutMs: limitMs = 15_000 } = options;
  const contextFor = (viewer: Viewer, requestId: string): Context =>
    makeContext({ ...environment, replicas, publicUrl: address.url, limitMs }, viewer, requestId);
  const streamContext = (viewer: Viewer) =>
    makeContext({ ...environment, publicUrl: address.url }, viewer, "stream", messageAllowance);
  const hub = new Hub({ schema, feed, viewers, clock, log, checkpointMs, contextOf: streamContext });
  const replicas = replicasOf(options, environment, hub);
  const eventStreams = createEventStreams(hub, options.keepAliveMs);
  const { allowedOrigins: allowed = [], allowsLoopbackOrigins: allowsLoopback = false } = options;
  const origins = originRule({ allowed, publicUrl, allowsLoopback, log });
  const runs = createIntegrationRuns({ ...options, ...environment, executor, contextFor });
  const way = { environment: { ...environment, replicas }, origins, trustedProxies, publicUrl };
  const contexts = new RequestContexts({ ...way, contextFor: runs.contextFor });
  const signIn = signInOf(options, environment, publicUrl);
  const doors = { origins, contexts };
  const missingFiles = new MissingFiles({ ...environment, lookMs: options.filesLookMs });
  const beside = { replicas, missingFiles, signIn, executor, eventStreams, isLeaving };
  const { socketLimits: limits, metrics, tracing } = options;
  return {
    feed,
    replicas,
    background,
    hub,
    following: [uses, missingFiles, ...workBehind(environment, options), runs.delivering],
    eventStreams,
    ...doors,
    handle: runs.beside(routed({ ...options, ...environment, ...doors, ...beside, publicUrlNow: publicUrl })),
    sockets: new GraphqlSockets({ executor, hub, log, contextOf: contexts.ofSocket, limits, metrics, tracing }),
    deliveries: runs.deliveries,
    /** Says where the server listens: that is the address for links when no other was given. */
    listensAt: (url: string) => void (address.url ||= url),
  };
}

/** The replicas that queries may read from; undefined where there are none. */
function replicasOf(
  { readReplicas = [], mostBehindMs }: AppOptions,
  { database, feed, log }: ReturnType<typeof environmentOf>,
  hub: Hub,
): Replicas<OutboxPosition> | undefined {
  if (readReplicas.length === 0) return undefined;
  return new Replicas({
    primary: database,
    replicas: readReplicas,
    log,
    mark: () => feed.position,
    heardBy: (caller) => hub.heardBy(caller),
    // What was heard before the database went back is not there any more.
    isIn: (mark, heard) => mark.epoch !== heard.epoch || comparePositions(mark, heard) >= 0,
    mostBehindMs,
  });
}

/** What goes on by itself when something has changed. */
const workBehind = (environment: ReturnType<typeof environmentOf>, { translationMs }: AppOptions) => [
  deriving(environment.database, environment.log),
  computing(environment),
  translating(environment, translationMs),
];

/** What signing in needs: a browser may come back to docgraph, to the application and to the allowed origins. */
function signInOf(
  { allowedOrigins = [], appUrl }: AppOptions,
  { database, viewers, feed, clock }: ReturnType<typeof environmentOf>,
  publicUrl: () => string,
): () => SignInEnvironment {
  const apps = appUrl === undefined ? [] : [new URL(appUrl.replace(/\{.*$/s, "")).origin];
  const origins = [...apps, ...allowedOrigins.filter((origin) => origin !== "*")];
  return () => ({ database, viewers, feed, clock, publicUrl: publicUrl(), origins });
}

interface Routed extends AppOptions {
  readonly feed: Feed;
  readonly replicas: Replicas<OutboxPosition> | undefined;
  readonly missingFiles: MissingFiles;
  readonly background: Background;
  readonly letters: Letters | undefined;
  readonly signIn: () => SignInEnvironment;
  readonly secrets: Secrets;
  readonly executor: Executor;
  readonly eventStreams: EventStreams;
  readonly origins: Origins;
  readonly contexts: RequestContexts;
  readonly publicUrlNow: () => string;
  readonly isLeaving: () => boolean;
}

/** The handler of every path. */
function routed(options: Routed): Handler {
  const { files, executor, contexts } = options;
  const pages = {
    ...createPages(options),
    ...createSessionRequests({ contexts, publicUrl: options.publicUrlNow }),
    ...createSignInPages(options),
  };
  const appPage = createAppPages(executor, contexts.ofPage);
  const publishedPage = createPublishedPages(executor, contexts.ofPage);
  const specDocument = createSpecDocuments({ ...options, clock: options.clock ?? systemClock });
  const samlPage = createSamlPages({ ...options, originOf: contexts.originOf });
  const routes = features.flatMap((feature) => feature.routes);
  const rest = createRestHandler(createRest(executor, routes), contexts);
  const graphql = new GraphqlHandler({
    executor,
    streams: options.eventStreams,
    contextOf: contexts.ofAnyone,
    log: options.log,
    files,
    maxFileSize: options.maxFileSize ?? 25_000_000,
    graphiql: options.graphiql ? { token: options.demoToken, query: demoQuery } : null,
  });
  const below: readonly Place[] = [
    ["/v1/", rest],
    ["/files/", createDownloads(options)],
    [specPathStart, specDocument],
    ["/integrations/", createIntegrationImages(options)],
    [samlPathStart, samlPage],
    ["/app/", appPage],
    ["/published/", publishedPage],
  ];
  const at: Readonly<Record<string, Handler>> = { ...pages, "/graphql": (exchange) => graphql.handle(exchange) };
  return async (exchange) => {
    const [place, handler] = placeOf(exchange.path, at, below);
    exchange.watched.operation = place;
    if (!answerCors(exchange.request, exchange.response, options.origins)) await handler(exchange);
  };
}

/** A path, or the beginning of some, with who answers there. */
type Place = readonly [place: string, handler: Handler];

function placeOf(path: string, at: Readonly<Record<string, Handler>>, below: readonly Place[]): Place {
  const handler = Object.hasOwn(at, path) ? at[path] : undefined;
  if (handler) return [path, handler];
  return below.find(([start]) => path.startsWith(start)) ?? ["nothing", answerNothing];
}

const answerNothing: Handler = async ({ response }) => {
  sendError(response, new DomainError("NOT_FOUND", "There is nothing at this path: / lists the addresses."));
};
