// How the parts of the application are put together: what every operation gets, the hub of subscriptions, and the
// handler of each transport.
import type { Logger } from "pino";
import { systemClock } from "#src/base/time.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { TokenUses } from "#src/access/token-uses.ts";
import { Viewers } from "#src/access/viewers.ts";
import { VisitorTokens } from "#src/access/visitor-tokens.ts";
import { type OperationLimits, operationLimits, quotas } from "#src/base/limits.ts";
import { Secrets } from "#src/base/secrets.ts";
import { type Allowance, messageAllowance } from "#src/db/connection/budget.ts";
import { Replicas } from "#src/db/replicas/replicas.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { CostQuotas } from "#src/domain/quota.ts";
import { chargeTo } from "#src/domain/charge.ts";
import { Feed } from "#src/events/event-log.ts";
import { comparePositions, type OutboxPosition } from "#src/events/outbox-position.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import { createExecutor, type Executor } from "#src/graph/run/execute.ts";
import { SentDocuments } from "#src/graph/documents/sent-documents.ts";
import { Background } from "#src/jobs/background.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { txtRecordReader } from "#src/net/txt-records.ts";
import type { SignInEnvironment } from "#src/access/sign-in.ts";
import { schema } from "#src/schema.ts";
import { computing } from "#src/server/computing.ts";
import { deriving } from "#src/server/deriving.ts";
import { Doors } from "#src/server/http/host-and-headers.ts";
import { createEventStreams } from "#src/server/graphql/event-stream.ts";
import { GraphqlSockets } from "#src/server/graphql/sockets.ts";
import { Hub } from "#src/server/live/hub.ts";
import { type Origins, originRule } from "#src/http/origins.ts";
import { MissingFiles } from "#src/server/process/missing-files.ts";
import { RequestOrigins } from "#src/http/client-address.ts";
import { RequestContexts } from "#src/server/http/request-contexts.ts";
import { createIntegrationRuns } from "#src/server/integration-runs.ts";
import { translating } from "#src/server/translating.ts";
import { routed } from "#src/server/http/routes.ts";
import type { AppOptions } from "#src/server/process/app-options.ts";

/** What all operations have in common. */
function environmentOf(options: AppOptions) {
  const { database, files, log, clock = systemClock, viewerAge, patienceMs, pollMs } = options;
  const { appUrl, publishedUrl, integrationsUrl } = options;
  const { translator, fetch = createSafeFetch(), secrets = new Secrets([]), wakeups = silentWakeups } = options;
  const uses = new TokenUses(database.vital, log);
  const viewers = new Viewers(database, clock, { maxAge: viewerAge, uses });
  const feed = new Feed({ database, wakeups, log, pollMs, heldMs: options.heldMs });
  const visitorTokens = new VisitorTokens({ database, clock, secrets, fetch, maxAge: viewerAge });
  const background = new Background({ patienceMs });
  const { readTxtRecords = txtRecordReader(), emails } = options;
  const work = { fetch, readTxtRecords, translator, background, emails };
  const shared = { database, files, secrets, viewers, uses, visitorTokens, feed, ...work };
  const { rightsAge } = options;
  return { ...shared, ...limitsOf(options), clock, log, appUrl, publishedUrl, integrationsUrl, rightsAge };
}

/**
 * Makes the parts of the application, none of which does anything before the server listens. `isLeaving` says whether
 * it is about to stop.
 */
export function wire(options: AppOptions, isLeaving: () => boolean) {
  const address = { url: options.publicUrl ?? "" };
  const publicUrl = () => address.url;
  const { documents = new SentDocuments(), hidesSuggestions = false, allowedHosts, socketLimits: limits } = options;
  const environment = environmentOf(options);
  const asked = { executor: options.executor ?? executorOf(environment.operationLimits, hidesSuggestions), documents };
  const { uses, feed, background, log, costQuotas } = environment;
  const { checkpointMs, trustedProxies = [], requestTimeoutMs: limitMs = 15_000, metrics, tracing } = options;
  const reached = { publicUrl, requestOrigins: new RequestOrigins({ trustedProxies, log }) };
  const contextFor = (viewer: Viewer, requestId: string, allowance?: Allowance): Context =>
    makeContext({ ...environment, replicas, publicUrl: address.url, limitMs }, viewer, requestId, allowance);
  const hub = hubOf(environment, checkpointMs, publicUrl);
  const replicas = replicasOf(options, environment, hub);
  const missingFiles = new MissingFiles({ ...environment, lookMs: options.filesLookMs });
  const eventStreams = createEventStreams(hub, options.keepAliveMs, options.socketLimits?.streamsPerUser);
  const origins = originsOf(options, publicUrl, log);
  const runs = createIntegrationRuns({ ...options, ...environment, ...reached, executor: asked.executor, contextFor });
  const asking = { environment: { ...environment, replicas }, origins, ...reached };
  const ways = { origins, contexts: new RequestContexts({ ...asking, contextFor: runs.contextFor }) };
  const signIn = signInOf(options, environment, publicUrl);
  const beside = { replicas, missingFiles, signIn, ...asked, eventStreams, isLeaving, publicUrlNow: publicUrl };
  return {
    feed,
    documents,
    replicas,
    background,
    costQuotas,
    hub,
    following: [uses, missingFiles, ...workBehind(environment, options), runs.delivering],
    eventStreams,
    ...ways,
    doors: new Doors({ ...environment, allowedHosts, publicUrl }),
    ...routed({ ...options, ...environment, ...ways, ...beside, around: runs.beside }),
    sockets: new GraphqlSockets({ ...asked, hub, log, contextOf: ways.contexts.ofSocket, limits, metrics, tracing }),
    deliveries: runs.deliveries,
    /** Says where the server listens: that is the address for links when no other was given. */
    listensAt: (url: string) => void (address.url ||= url),
  };
}

/** Delivers events to subscriptions, whose messages are charged to their users. */
function hubOf(
  environment: ReturnType<typeof environmentOf>,
  checkpointMs: number | undefined,
  publicUrl: () => string,
) {
  const { costQuotas } = environment;
  const contextOf = (viewer: Viewer) =>
    makeContext({ ...environment, costQuotas: undefined, publicUrl: publicUrl() }, viewer, "stream", messageAllowance);
  const charge = ({ userId, tokenId }: Viewer, points: number) =>
    costQuotas.spend(costQuotas.quotaOf(userId), tokenId, points);
  return new Hub({ ...environment, schema, checkpointMs, contextOf, charge });
}

const executorOf = (limits: OperationLimits, hidesSuggestions: boolean): Executor =>
  createExecutor(schema, { limits, hidesSuggestions });

/** Which pages of other origins may call. */
function originsOf(options: AppOptions, publicUrl: () => string, log: Logger): Origins {
  const { allowedOrigins: allowed = [], allowsLoopbackOrigins: allowsLoopback = false } = options;
  return originRule({ allowed, publicUrl, allowsLoopback, log });
}

/** The limits of callers, and what counts against them. */
function limitsOf({ costStore, ...given }: AppOptions) {
  const ofOperations = { ...operationLimits, ...given.operationLimits };
  const costQuotas = new CostQuotas({ ...given.trafficLimits, estimate: ofOperations.estimate }, costStore);
  return { operationLimits: ofOperations, quotas: { ...quotas, ...given.quotas }, costQuotas };
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
  translating({ ...environment, charge: chargeTo(environment.costQuotas) }, translationMs),
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
