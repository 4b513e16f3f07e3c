// The parts of the process after the migrations: demo, metrics and tracing (whose libraries are only loaded if
// configured), server, jobs, graceful stop. It only connects these.
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { type Config, ConfigError } from "#src/config/config.ts";
import { databasePathOf } from "#src/config/database-url.ts";
import type { Secrets } from "#src/base/secrets.ts";
import { provideSecrets } from "#src/config/secrets-key.ts";
import { forgetIdempotencyKeys } from "#src/domain/idempotency.ts";
import { warnOfFewConnections } from "#src/db/connection/connection-need.ts";
import type { Database } from "#src/db/connection/database.ts";
import { DatabaseClock } from "#src/db/connection/database-clock.ts";
import { PostgresWakeups, type Wakeups } from "#src/events/wakeups.ts";
import { trimOutbox } from "#src/events/segments.ts";
import { features, partOf } from "#src/features/index.ts";
import { SentDocuments, type SentDocumentsOptions, type SharedTexts } from "#src/graph/documents/sent-documents.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { loggedMail, type Mail } from "#src/net/mail.ts";
import { txtRecordReader } from "#src/net/txt-records.ts";
import { createReach, loopback, type Tunnels } from "#src/net/reach.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { Emails } from "#src/jobs/emails.ts";
import { resealSecrets } from "#src/jobs/reseal-secrets.ts";
import type { Job } from "#src/jobs/job.ts";
import { startJobsInTime } from "#src/jobs/start-jobs.ts";
import { createApp } from "#src/server/process/app.ts";
import { allowedHostsOf, HostAndHeaders } from "#src/server/http/host-and-headers.ts";
import { openDatabases } from "#src/server/process/databases.ts";
import type { DatabaseSource } from "#src/server/process/database-source.ts";
import { demoTokenFile, type PrepareDemo } from "#src/server/process/demo.ts";
import type { MetricsText } from "#src/server/process/metrics.ts";
import { costsInPrimary, isWorker, type ReadyFacts } from "#src/server/process/worker.ts";
import { freeMemoryWhenIdle, stopOnSignals } from "#src/server/process/lifecycle.ts";
import { readFile } from "node:fs/promises";

/** How long, in ms, it serves at least during shutdown: meanwhile responses close the connections of clients. */
const leastDrainMs = 250;

export interface Serving {
  readonly config: Config;
  readonly log: Logger;
  readonly source: DatabaseSource;
  readonly prepareDemo: PrepareDemo;
  readonly taken: Pick<SentDocumentsOptions, "trusted" | "trustedOnly">;
  readonly files: FileStore;
  /** Called once, when the gateway serves. */
  readonly announceReady: (facts: ReadyFacts) => void;
}

/** Serves until a signal ends it. Rejects with an error that a person can fix, or a bug. */
export async function serve({ config, log, source, files, prepareDemo, taken, announceReady }: Serving): Promise<void> {
  const { database, readReplicas, ...databases } = await openDatabases(config, source);
  if (!isWorker()) await warnOfFewConnections({ database, log }, config, source);
  const clock = new DatabaseClock({ database, log });
  await clock.start();
  const demoToken = await prepareDemo(database, files);
  const wakeups = await wakeupsOf(config, source.directUrl, log);
  const [graceMs, drainMs] = [config.stopGraceMs, Math.max(config.drainMs, leastDrainMs)];
  const [emails, costStore] = [emailsOf(await mailOf(config, log)), await costStoreOf(config, source.directUrl)];
  const settings = { ...settingsOf(config), demoToken, emails, costStore };
  const fetch = createSafeFetch({ allowedHosts: config.allowedFetchHosts });
  const tunnels = tunnelsOf(config);
  const [secrets, translator] = [await provideSecrets(config), partOf("translator")(config)];
  const { observers, ...observing } = await observe(config, log);
  const documents = new SentDocuments({ ...taken, shared: await sharedTextsOf(config, source.directUrl, log) });
  const parts = { database, readReplicas, clock, files, fetch, tunnels, translator, secrets, wakeups, documents, log };
  const app = createApp({ ...parts, ...observers, ...settings });
  const { url } = await app.listen({ host: config.host, port: config.port });
  const work = { fetch, translator, charge: app.charge, wakeups, readTxtRecords: txtRecordReader() };
  const stopping = new AbortController(); // of the jobs, which the start does not wait for
  const observed = { onRun: observers.metrics?.job, tracing: observers.tracing };
  const queue = { url: source.directUrl, jobs: jobsOf(secrets), emails, isTimeRight: () => clock.look(), ...observed };
  const jobs = startJobsInTime({ ...queue, ...work, database: databases.ofJobs, files, clock, log }, stopping.signal);
  const leave = async () => {
    stopping.abort();
    clock.stop();
    const [released, closed] = [app.leave(), wait(drainMs).then(() => app.close({ graceMs }))];
    databases.cutIn(drainMs + graceMs);
    await Promise.all([closed, jobs.then((running) => running?.stop({ graceMs, senders: closed, released }))]);
    await Promise.all([databases.close(), observing.stop(), settings.costStore?.close()]);
    await source.stop();
  };
  // A worker ends with its primary process, to which npm forwards signals.
  const withParent = config.isRunByNpm && !isWorker();
  stopOnSignals(leave, { log, limitMs: drainMs + graceMs + 20_000, withParent });
  announceReady({ url, data: source.description, demoToken, ...(await readState(database)) });
  await jobs;
  freeMemoryWhenIdle();
}

async function readState(database: Database): Promise<Pick<ReadyFacts, "isEmpty" | "warnings">> {
  const isEmpty = (await database.prisma.organization.findFirst({ select: { id: true } })) === null;
  const warnings = await Promise.all(features.map(async ({ warnings: read }) => read?.(database) ?? []));
  return { isEmpty, warnings: warnings.flat() };
}

/** Outside of production, tunnels may be on this machine. */
function tunnelsOf({ environment, allowedFetchHosts }: Config): Tunnels {
  const allowedHosts = environment === "production" ? allowedFetchHosts : [...allowedFetchHosts, ...loopback];
  return { fetch: createSafeFetch({ allowedHosts }), mayReach: createReach({ allowedHosts }) };
}

function jobsOf(secrets: Secrets): Job[] {
  const sealed = features.flatMap(({ secrets: columns = [] }) => columns);
  return [
    trimOutbox,
    forgetIdempotencyKeys,
    resealSecrets(secrets, sealed),
    ...features.flatMap(({ jobs = [] }) => jobs),
  ];
}

/** Says where the gateway is, and what its operator should know. */
export function announce(config: Config, log: Logger, facts: ReadyFacts): void {
  const { environment, publicUrl, trustedProxies } = config;
  // docgraph itself only speaks http.
  if (publicUrl?.startsWith("https:") && trustedProxies.length === 0)
    log.warn(
      "PUBLIC_URL is https, so docgraph is behind a proxy, but TRUSTED_PROXIES is not set: limits count all clients as one. Set it to the proxy's address or network.",
    );
  if (environment === "production") {
    for (const [value, warning] of missingSettings(config)) if (value === undefined) log.warn(warning);
    for (const warning of facts.warnings) log.warn(warning);
    log.info({ address: facts.url, data: facts.data }, "docgraph is ready");
    if (facts.isEmpty) log.warn(`docgraph has no users yet: ${howToSetUp}`);
  } else
    process.stdout.write(banner({ ...facts, demoTokenFile: demoTokenFile(config), isTerminal: process.stdout.isTTY }));
}

/** Settings that production needs, with what does not work without each. */
function missingSettings({ databaseUrl, secretsKeys, smtpUrl, publicUrl, integrationsUrl }: Config) {
  return [
    [publicUrl, "PUBLIC_URL is not set: links in emails and responses lead to the address that docgraph listens on."],
    [smtpUrl, "SMTP_URL is not set: no emails are sent, so people cannot sign in by email and are not notified."],
    [
      databaseUrl === undefined ? [] : secretsKeys,
      "SECRETS_KEY is not set: secrets, such as those of integrations, cannot be stored. Set it to 32 random bytes in base64.",
    ],
    [integrationsUrl, sharedOrigin],
  ] as const;
}

const sharedOrigin =
  "INTEGRATIONS_URL is not set: public endpoints of integrations share the origin of docgraph, and may not redirect to other origins, run scripts or send forms. Set it to a separate host.";

/** The Redis client is only loaded if configured. */
async function wakeupsOf({ redisUrl }: Config, url: string, log: Logger): Promise<Wakeups> {
  if (redisUrl === undefined) return new PostgresWakeups({ url, log });
  const { RedisWakeups } = await import("#src/events/redis-wakeups.ts");
  return new RedisWakeups({ url: redisUrl, name: databasePathOf(url), log });
}

async function sharedTextsOf({ redisUrl }: Config, url: string, log: Logger): Promise<SharedTexts | undefined> {
  if (redisUrl === undefined) return undefined;
  const { redisDocuments } = await import("#src/server/process/redis.ts");
  return redisDocuments({ url: redisUrl, name: databasePathOf(url), log });
}

/** Counts the points of users across all gateways of a Redis, or all workers; undefined if each counts alone. */
async function costStoreOf({ redisUrl }: Config, url: string) {
  if (redisUrl === undefined) return isWorker() ? costsInPrimary() : undefined;
  const { costsInRedis } = await import("#src/server/process/redis.ts");
  return costsInRedis({ url: redisUrl, name: databasePathOf(url) });
}

const emailsOf = (mail: Mail | undefined): Emails | undefined =>
  mail &&
  new Emails(
    mail,
    features.flatMap(({ emails = [] }) => emails),
  );

/** The SMTP client is only loaded if configured. */
async function mailOf({ smtpUrl, mailFrom, environment }: Config, log: Logger): Promise<Mail | undefined> {
  if (smtpUrl !== undefined) return (await import("#src/net/smtp-mail.ts")).smtpMail(smtpUrl, mailFrom);
  return environment === "production" ? undefined : loggedMail(log, { showsText: process.stdout.isTTY });
}

function settingsOf({ environment, graphiql, socketsPerToken, trustedDocumentsOnly, ...config }: Config) {
  const { publicUrl, appUrl, publishedUrl, integrationsUrl, allowedOrigins, trustedProxies } = config;
  const {
    openIdProvider,
    requestTimeoutMs,
    maxFileSize,
    takesBatches,
    isSubgraph,
    operationLimits,
    trafficLimits,
    quotas,
  } = config;
  const addresses = { publicUrl, appUrl, publishedUrl, integrationsUrl, allowedOrigins, trustedProxies };
  const limits = {
    openIdProvider,
    requestTimeoutMs,
    maxFileSize,
    takesBatches,
    isSubgraph,
    operationLimits,
    trafficLimits,
    quotas,
  };
  const isDevelopment = environment !== "production";
  return {
    ...addresses,
    ...limits,
    graphiql: !trustedDocumentsOnly && (graphiql === undefined ? isDevelopment : graphiql === "on"),
    hidesSuggestions: !isDevelopment,
    allowedHosts: allowedHostsOf(config.allowedHosts, config.host),
    allowsLoopbackOrigins: isDevelopment,
    socketLimits: { socketsPerToken, streamsPerUser: socketsPerToken },
  };
}

interface BannerFacts extends ReadyFacts {
  readonly demoTokenFile: string;
  /** Whether a person reads the output: files and other programs get no token. */
  readonly isTerminal: boolean;
}

const howToSetUp =
  'create the first organization and its admin with: npm run -s setup -- --organization "Acme" --email me@example.com';

const query =
  "{ organizations { nodes { title spaces(first: 3) { nodes { title changeRequests(first: 3) { nodes { number subject comments { totalCount } } } } } } } }";

export function banner({ url, data, isEmpty, ...facts }: BannerFacts): string {
  const [shown, inShell] = demoTokenIn(facts);
  const rows = [
    ["Start", `${url}/`],
    ["Docs", `${url}/docs`],
    ["GraphQL", `${url}/graphql   (GraphiQL in a browser)`],
    ["REST", `${url}/v1`],
    ["WebSocket", `${url.replace(/^http/, "ws")}/graphql`],
    ["Data", data],
    ["Token", shown ?? (isEmpty ? howToSetUp : "create one with: npm run -s token -- <email>")],
  ] as const;
  const table = rows.map(([name, value]) => `  ${name.padEnd(11)}${value}`).join("\n");
  return `
  docgraph is ready

${table}

  Try it:
  curl -s ${url}/graphql -H "authorization: Bearer ${inShell}" -H "content-type: application/json" -d '${JSON.stringify({ query })}'
`;
}

/** The token of the demo as shown, and as part of the command to paste. */
function demoTokenIn({ demoToken, demoTokenFile: file, isTerminal }: Omit<BannerFacts, "url" | "data" | "isEmpty">) {
  if (demoToken === undefined) return [undefined, "$TOKEN"] as const;
  return isTerminal ? ([demoToken, demoToken] as const) : ([`${file}   (in this file)`, `$(cat '${file}')`] as const);
}

type Settings = Pick<Config, "metricsPort" | "metricsHost" | "tracing" | "allowedHosts" | "publicUrl">;

/** Starts the configured metrics endpoint. Throws ConfigError if its port is not available. */
export async function observe(settings: Settings, log: Logger) {
  const version = await readVersion();
  const tracing = await trace(settings, version, log);
  const listening = await startMetrics(settings, version, log);
  return {
    observers: { metrics: listening?.metrics, tracing },
    async stop() {
      await Promise.all([listening?.server?.close(), tracing?.stop()]);
    },
  };
}

async function startMetrics(settings: Settings, version: string, log: Logger) {
  if (settings.metricsPort === undefined) return undefined;
  const { Metrics } = await import("#src/server/process/metrics.ts");
  const metrics = new Metrics({ version });
  if (!isWorker()) return { metrics, server: await listenForMetrics(metrics, settings, log) };
  metrics.share();
  return { metrics, server: undefined };
}

/** Serves /metrics at the configured port. Throws ConfigError if it is not available. */
export async function listenForMetrics(metrics: MetricsText, settings: Omit<Settings, "tracing">, log: Logger) {
  const { metricsPort: port = 0, metricsHost: host } = settings;
  const { serveMetrics } = await import("#src/server/process/metrics.ts");
  const hostAndHeaders = metricsHosts(settings);
  const server = await serveMetrics(metrics, { host, port, hostAndHeaders, log }).catch(
    ({ code }: NodeJS.ErrnoException) => {
      throw new ConfigError(
        `/metrics cannot listen on port ${port} of ${host} (${code}): set METRICS_PORT or METRICS_HOST to other values`,
      );
    },
  );
  log.info({ address: server.url }, "metrics endpoint listening");
  return server;
}

/** The hosts of the gateway itself, and the address of the metrics. */
function metricsHosts({
  allowedHosts: listed,
  metricsHost: host,
  publicUrl = "",
}: Omit<Settings, "tracing">): HostAndHeaders {
  const names = allowedHostsOf(listed, host);
  const own = host.includes(":") ? `[${host}]` : host;
  return new HostAndHeaders({ allowedHosts: names && [...names, own], address: { publicUrl } });
}

async function trace({ tracing }: Settings, version: string, log: Logger) {
  if (!tracing) return undefined;
  const { Tracing } = await import("#src/server/process/tracing.ts");
  return new Tracing({ ...tracing, version, log });
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
