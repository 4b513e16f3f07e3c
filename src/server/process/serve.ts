// What the process does when its database runs, part by part: migrations, demo data, server, jobs, graceful stop. No
// logic beyond putting these together.
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "#src/config/config.ts";
import { databasePathOf } from "#src/config/database-url.ts";
import type { Secrets } from "#src/base/secrets.ts";
import { provideSecrets } from "#src/config/secrets-key.ts";
import { forgetIdempotencyKeys } from "#src/domain/idempotency.ts";
import { DatabaseClock } from "#src/db/connection/database-clock.ts";
import { migrate } from "#src/db/maintenance/migrate.ts";
import { PostgresWakeups } from "#src/events/postgres-wakeups.ts";
import type { Wakeups } from "#src/events/wakeups.ts";
import { trimOutbox } from "#src/events/trim-outbox.ts";
import { features, partOf } from "#src/features/index.ts";
import { type SharedTexts, SentDocuments, type SentDocumentsOptions } from "#src/graph/documents/sent-documents.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { openFileStore } from "#src/files/open-store.ts";
import { loggedMail, type Mail } from "#src/net/mail.ts";
import { txtRecordReader } from "#src/net/txt-records.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { Emails } from "#src/jobs/emails.ts";
import { resealSecrets } from "#src/jobs/reseal-secrets.ts";
import type { Job } from "#src/jobs/job.ts";
import { startJobsInTime } from "#src/jobs/start-jobs.ts";
import { createApp } from "#src/server/process/app.ts";
import { banner, type BannerFacts, howToSetUp } from "#src/server/process/banner.ts";
import { allowedHostsOf } from "#src/server/http/host-and-headers.ts";
import { openDatabases } from "#src/server/process/databases.ts";
import type { DatabaseSource } from "#src/server/process/database-source.ts";
import { demoTokenFile, type PrepareDemo } from "#src/server/process/demo.ts";
import { freeMemoryWhenIdle } from "#src/server/process/idle-memory.ts";
import { observe } from "#src/server/process/observability.ts";
import { stopOnSignals } from "#src/server/process/lifecycle.ts";

/**
 * How long, in milliseconds, it serves at least when it leaves: clients that use their connections again and again hear
 * meanwhile that these close, and what is still idle after that is closed without a word.
 */
const leastDrainMs = 250;

/** What serving needs, which is there before. */
export interface Serving {
  readonly config: Config;
  readonly log: Logger;
  readonly source: DatabaseSource;
  readonly prepareDemo: PrepareDemo;
  readonly taken: Pick<SentDocumentsOptions, "trusted" | "trustedOnly">;
  readonly isShared: boolean;
}

/** Serves until a signal ends it. Rejects with what a person can mend, or a bug. */
export async function serve({ config, log, source, prepareDemo, taken, isShared }: Serving): Promise<void> {
  const files = await openTidyStore(config);
  await migrate(source.directUrl, { log: (message) => log.info(message), isShared });
  const { database, readReplicas, ...databases } = await openDatabases(config, source);
  const clock = new DatabaseClock({ database, log });
  await clock.start();
  const demoToken = await prepareDemo(database, files);
  const wakeups = await wakeupsOf(config, source.directUrl, log);
  const [graceMs, drainMs] = [config.stopGraceMs, Math.max(config.drainMs, leastDrainMs)];
  const [emails, costStore] = [emailsOf(await mailOf(config, log)), await costStoreOf(config, source.directUrl)];
  const settings = { ...settingsOf(config), demoToken, emails, costStore };
  const fetch = createSafeFetch({ allowedHosts: config.allowedFetchHosts });
  const [secrets, translator] = [await provideSecrets(config), partOf("translator")(config)];
  const { observers, ...observing } = await observe(config, log);
  const documents = new SentDocuments({ ...taken, shared: await sharedTextsOf(config, source.directUrl, log) });
  const parts = { database, readReplicas, clock, files, fetch, translator, secrets, wakeups, documents, log };
  const app = createApp({ ...parts, ...observers, ...settings });
  const { url } = await app.listen({ host: config.host, port: config.port });
  const work = { fetch, translator, charge: app.charge, readTxtRecords: txtRecordReader() };
  const stopping = new AbortController(); // of the jobs, for which the start does not wait
  const observed = { onRun: observers.metrics?.job, tracing: observers.tracing };
  const queue = { url: source.directUrl, jobs: jobsOf(secrets), emails, isTimeRight: () => clock.look(), ...observed };
  const jobs = startJobsInTime({ ...queue, ...work, database: databases.ofJobs, files, clock, log }, stopping.signal);
  const leave = async () => {
    stopping.abort();
    clock.stop();
    app.leave();
    const closed = wait(drainMs).then(() => app.close({ graceMs }));
    databases.cutIn(drainMs + graceMs);
    await Promise.all([closed, jobs.then((running) => running?.stop({ graceMs, senders: closed }))]);
    await Promise.all([databases.close(), observing.stop(), settings.costStore?.close()]);
    await source.stop();
  };
  stopOnSignals(leave, { log, limitMs: drainMs + graceMs + 20_000, withParent: config.isRunByNpm });
  const isEmpty = (await database.prisma.organization.findFirst({ select: { id: true } })) === null;
  announce(config, log, { url, data: source.description, demoToken, isEmpty });
  await jobs;
  freeMemoryWhenIdle();
}

async function openTidyStore(config: Config): Promise<FileStore> {
  const files = await openFileStore(config);
  await files.tidy();
  return files;
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

function announce(config: Config, log: Logger, facts: Omit<BannerFacts, "demoTokenFile" | "isTerminal">): void {
  const { environment, publicUrl, trustedProxies, integrationsUrl } = config;
  // docgraph itself speaks http alone.
  if (publicUrl?.startsWith("https:") && trustedProxies.length === 0)
    log.warn(
      "PUBLIC_URL is https, so a proxy is before docgraph, and TRUSTED_PROXIES names none: limits count all clients as one. Name the proxy's address or network there.",
    );
  if (environment === "production") {
    if (integrationsUrl === undefined) log.warn(sharedOrigin);
    log.info({ address: facts.url, data: facts.data }, "docgraph is ready");
    if (facts.isEmpty) log.warn(`nobody can use docgraph yet: ${howToSetUp}`);
  } else
    process.stdout.write(banner({ ...facts, demoTokenFile: demoTokenFile(config), isTerminal: process.stdout.isTTY }));
}

const sharedOrigin =
  "INTEGRATIONS_URL is not set: public endpoints of integrations share the origin of docgraph, and may not redirect to other origins, run scripts or send forms. Set it to a host of their own.";

/** The client of Redis is only loaded where there is one. */
async function wakeupsOf({ redisUrl }: Config, url: string, log: Logger): Promise<Wakeups> {
  if (redisUrl === undefined) return new PostgresWakeups({ url, log });
  const { RedisWakeups } = await import("#src/events/redis-wakeups.ts");
  return new RedisWakeups({ url: redisUrl, name: databasePathOf(url), log });
}

/** Where gateways share the documents of clients, if they do. */
async function sharedTextsOf({ redisUrl }: Config, url: string, log: Logger): Promise<SharedTexts | undefined> {
  if (redisUrl === undefined) return undefined;
  const { redisDocuments } = await import("#src/server/process/redis-documents.ts");
  return redisDocuments({ url: redisUrl, name: databasePathOf(url), log });
}

/** Counts the points of users for all gateways that share a Redis; undefined if each counts alone. */
async function costStoreOf({ redisUrl }: Config, url: string) {
  if (redisUrl === undefined) return undefined;
  const { costsInRedis } = await import("#src/domain/redis-quota.ts");
  return costsInRedis({ url: redisUrl, name: databasePathOf(url) });
}

/** All features send theirs by one way. */
const emailsOf = (mail: Mail | undefined): Emails | undefined =>
  mail &&
  new Emails(
    mail,
    features.flatMap(({ emails = [] }) => emails),
  );

/** The client of SMTP is only loaded where there is a server. */
async function mailOf({ smtpUrl, mailFrom, environment }: Config, log: Logger): Promise<Mail | undefined> {
  if (smtpUrl !== undefined) return (await import("#src/net/smtp-mail.ts")).smtpMail(smtpUrl, mailFrom);
  return environment === "production" ? undefined : loggedMail(log, { showsText: process.stdout.isTTY });
}

/** What the application takes of the configuration as it is. */
function settingsOf({
  requestTimeoutMs,
  publicUrl,
  appUrl,
  publishedUrl,
  integrationsUrl,
  maxFileSize,
  allowedOrigins,
  trustedProxies,
  socketsPerToken,
  trustedDocumentsOnly,
  takesBatches,
  environment,
  operationLimits,
  trafficLimits,
  quotas,
  ...given
}: Config) {
  const isDevelopment = environment !== "production";
  return {
    graphiql: !trustedDocumentsOnly && (given.graphiql === undefined ? isDevelopment : given.graphiql === "on"),
    hidesSuggestions: !isDevelopment,
    allowedHosts: allowedHostsOf(given.allowedHosts, given.host),
    allowsLoopbackOrigins: isDevelopment,
    takesBatches,
    requestTimeoutMs,
    publicUrl,
    appUrl,
    publishedUrl,
    integrationsUrl,
    maxFileSize,
    allowedOrigins,
    trustedProxies,
    operationLimits,
    trafficLimits,
    quotas,
    socketLimits: { socketsPerToken, streamsPerUser: socketsPerToken },
  };
}
