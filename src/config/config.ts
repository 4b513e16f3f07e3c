// The configuration: nothing else reads the environment. One table of variables is used for checking and `--help`.
import { resolve } from "node:path";
import type { z } from "zod";
import type { OperationLimits, Quotas, TrafficLimits } from "#src/base/limits.ts";
import { withUser } from "#src/config/database-url.ts";
import type { Variable } from "#src/config/variable.ts";
import { variables } from "#src/config/variables.ts";

/** One or more variables are invalid; the message has a line for each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export type Config = Readonly<ReturnType<typeof readConfig>>;

/** The environment with other values of some variables, which the command line sets. */
export const withVariables = (given: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...process.env, ...given });

/** Reads and checks the environment. An empty variable counts as not set. Throws {@link ConfigError}. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const problems: string[] = [];
  const read = readerOf(environment, problems);
  const dataDir = read("DATA_DIR");
  const config = {
    port: read("PORT"),
    workers: read("WORKERS"),
    memoryMegabytes: read("MEMORY_MB"),
    host: read("HOST"),
    dataDir,
    filesDir: read("FILES_DIR") ?? resolve(dataDir, "files"),
    s3: s3Settings(read),
    maxFileSize: read("MAX_FILE_SIZE"),
    ...databaseSettings(read, environment["PGUSER"]),
    secretsKeys: read("SECRETS_KEY"),
    requestTimeoutMs: read("REQUEST_TIMEOUT") * 1000,
    redisUrl: read("REDIS_URL"),
    ...frontendSettings(read, problems),
    allowedFetchHosts: read("ALLOWED_FETCH_HOSTS") ?? [],
    trustedProxies: read("TRUSTED_PROXIES") ?? [],
    ...peopleSettings(read, problems),
    translation: engineSettings(read),
    ...limitSettings(read),
    socketsPerToken: read("SOCKETS_PER_TOKEN"),
    drainMs: read("DRAIN_SECONDS") * 1000,
    stopGraceMs: read("STOP_GRACE_SECONDS") * 1000,
    ...metricsSettings(read),
    tracing: tracingSettings(read),
    logLevel: read("LOG_LEVEL"),
    environment: read("NODE_ENV"),
    /** Without a slash at the end. */
    publicUrl: read("PUBLIC_URL")?.replace(/\/+$/, ""),
    appUrl: read("APP_URL"),
    publishedUrl: read("PUBLISHED_URL"),
    integrationsUrl: read("INTEGRATIONS_URL"),
    /** Whether `npm start` runs this process and forwards signals to it. */
    isRunByNpm: environment["npm_lifecycle_event"] === "start",
  };
  requireOwnHost(config, problems);
  if (problems.length > 0) throw new ConfigError(`bad configuration:\n${problems.join("\n")}`);
  return config;
}

/** Requires that endpoints of integrations share their host with nothing else. */
function requireOwnHost(
  config: Record<"integrationsUrl" | "publicUrl" | "appUrl" | "publishedUrl", string | undefined> & { host: string },
  problems: string[],
): void {
  const { integrationsUrl, publicUrl = `http://${config.host}`, appUrl = publicUrl, publishedUrl = publicUrl } = config;
  const hosts = [publicUrl, appUrl, publishedUrl].map((url) => URL.parse(url)?.hostname);
  if (integrationsUrl !== undefined && hosts.includes(new URL(integrationsUrl).hostname))
    problems.push("  INTEGRATIONS_URL must have another host than PUBLIC_URL, APP_URL and PUBLISHED_URL");
}

type Read = <Name extends keyof typeof variables>(name: Name) => z.output<(typeof variables)[Name]["schema"]>;

/** Reads variables, and collects the problems of invalid ones. */
function readerOf(environment: NodeJS.ProcessEnv, problems: string[]): Read {
  return (name) => {
    const { schema, fallback, wants, isSecret }: Variable = variables[name];
    const given = environment[name] || fallback;
    const result = schema.safeParse(given);
    if (!result.success)
      problems.push(`  ${name} must be ${wants}${isSecret ? "" : `, but is ${JSON.stringify(given)}`}`);
    return result.data as never; // only used without problems
  };
}

/** The variables as a table for `--help`. */
export function describeConfig(): string {
  const describe = ([name, { about, fallback }]: [string, Variable]) =>
    `  ${name.padEnd(28)}${about}${fallback === undefined ? "" : ` Default: ${fallback}.`}`;
  return Object.entries<Variable>(variables).map(describe).join("\n");
}

function databaseSettings(read: Read, user?: string) {
  const address = read("DATABASE_URL");
  return {
    databaseUrl: address && withUser(address, user),
    databaseDirectUrl: read("DATABASE_DIRECT_URL"),
    databaseReadUrls: read("DATABASE_READ_URL") ?? [],
    isPrepared: read("PREPARED_STATEMENTS") === "on",
    poolSize: read("POOL_SIZE"),
    statementTimeoutMs: read("STATEMENT_TIMEOUT") * 1000,
  };
}

const metricsSettings = (read: Read) => ({ metricsPort: read("METRICS_PORT"), metricsHost: read("METRICS_HOST") });

/** Settings of frontends: allowed origins and hosts, trusted documents, batches. */
function frontendSettings(read: Read, problems: string[]) {
  const files = read("TRUSTED_DOCUMENTS_FILES");
  const isOnly = read("TRUSTED_DOCUMENTS") === "only";
  if (isOnly && files === undefined)
    problems.push("  TRUSTED_DOCUMENTS=only requires manifests: set TRUSTED_DOCUMENTS_FILES");
  return {
    allowedOrigins: read("ALLOWED_ORIGINS") ?? [],
    allowedHosts: read("ALLOWED_HOSTS"),
    graphiql: read("GRAPHIQL"),
    trustedDocumentsFiles: files,
    trustedDocumentsOnly: isOnly,
    takesBatches: read("BATCHING") === "on",
    isSubgraph: read("SUBGRAPH") === "on",
  };
}

/** How people get e-mail and sign in. */
function peopleSettings(read: Read, problems: string[]) {
  return {
    smtpUrl: read("SMTP_URL"),
    mailFrom: read("MAIL_FROM"),
    openIdProvider: openIdSettings(read, problems),
  };
}

function openIdSettings(read: Read, problems: string[]) {
  const [issuer, clientId] = [read("OIDC_ISSUER"), read("OIDC_CLIENT_ID")];
  if ((issuer === undefined) !== (clientId === undefined))
    problems.push("  OIDC_ISSUER and OIDC_CLIENT_ID require each other: set both, or neither");
  if (issuer === undefined || clientId === undefined) return undefined;
  return { issuer, clientId, clientSecret: read("OIDC_CLIENT_SECRET") ?? null, label: read("OIDC_LABEL") };
}

function limitSettings(read: Read) {
  return {
    operationLimits: {
      documentBytes: read("MAX_DOCUMENT_BYTES"),
      tokens: read("MAX_DOCUMENT_TOKENS"),
      levels: read("MAX_NESTING"),
      estimate: read("MAX_ESTIMATE"),
      values: read("MAX_VALUES"),
      answerBytes: read("MAX_ANSWER_BYTES"),
    } satisfies OperationLimits,
    trafficLimits: {
      atOncePerUser: read("OPERATIONS_PER_USER"),
      atOnce: read("OPERATIONS_AT_ONCE"),
      waitingPerUser: read("OPERATIONS_WAITING"),
      workWaitingPerUser: read("WORK_WAITING"),
      pointsPerMinute: read("POINTS_PER_MINUTE"),
      installations: {
        points: read("INSTALLATION_POINTS"),
        fetches: read("INSTALLATION_FETCHES"),
        requests: read("INSTALLATION_REQUESTS"),
        requestsOfClient: read("CLIENT_REQUESTS"),
      },
      samlAnswersPerMinute: read("SAML_ANSWERS_PER_MINUTE"),
    } satisfies TrafficLimits,
    cacheMegabytes: read("CACHE_MB"),
    quotas: quotaSettings(read),
  };
}

function quotaSettings(read: Read): Quotas {
  return {
    tokensPerUser: read("TOKENS_PER_USER"),
    spaces: read("SPACES_PER_ORGANIZATION"),
    organizations: read("ORGANIZATIONS_PER_USER"),
    invitations: read("INVITES_PER_ORGANIZATION"),
    invitationEmailsPerDay: read("EMAILS_PER_USER"),
    invitationEmailsOfOrganizationPerDay: read("EMAILS_PER_ORGANIZATION"),
    fileBytes: read("FILE_BYTES_PER_SPACE"),
    importsPerDay: read("IMPORTS_PER_DAY"),
    ofImport: {
      bytes: read("IMPORT_BYTES"),
      files: read("IMPORT_FILES"),
      pages: read("IMPORT_PAGES"),
      seconds: read("IMPORT_SECONDS"),
    },
  };
}

/** The bucket of files; undefined if files are kept in a folder. */
function s3Settings(read: Read) {
  const [place, endpoint, region] = [read("FILES_URL"), read("S3_ENDPOINT"), read("S3_REGION")];
  const hasSignedDownloads = read("S3_SIGNED_DOWNLOADS") === "on";
  return place && { ...place, endpoint, region, hasSignedDownloads };
}

/** The translation engine; undefined if not configured. */
function engineSettings(read: Read) {
  const [address, key] = [read("TRANSLATION_URL"), read("TRANSLATION_KEY")];
  const wordsPerMonth = read("TRANSLATION_WORDS");
  return address ? { ...address, ...(key !== undefined && { key }), wordsPerMonth } : undefined;
}

/** The collector of traces; undefined if tracing is off. */
function tracingSettings(read: Read) {
  const endpoint = read("OTEL_EXPORTER_OTLP_ENDPOINT");
  const headers = read("OTEL_EXPORTER_OTLP_HEADERS") ?? {};
  const serviceName = read("OTEL_SERVICE_NAME");
  const sampler = read("OTEL_TRACES_SAMPLER");
  const part = read("OTEL_TRACES_SAMPLER_ARG");
  const isParentBased = sampler.startsWith("parentbased_");
  const ratio = sampler.endsWith("ratio") ? part : Number(sampler.endsWith("always_on"));
  return endpoint === undefined ? undefined : { endpoint, headers, serviceName, isParentBased, ratio };
}
