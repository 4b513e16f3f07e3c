// The configuration: nothing else reads the environment. Its variables are in one table, for checking and for --help.
import { resolve } from "node:path";
import type { z } from "zod";
import { limitVariables } from "#src/config/limit-variables.ts";
import type { OperationLimits, Quotas, TrafficLimits } from "#src/base/limits.ts";
import type { Variable } from "#src/config/variable.ts";
import { variables } from "#src/config/variables.ts";

/** One or more variables are bad; the message has a line for each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export type Config = Readonly<ReturnType<typeof readConfig>>;

/** Reads and checks the environment. An empty variable counts as not set. Throws {@link ConfigError}. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const problems: string[] = [];
  const read = readerOf(environment, problems);
  const dataDir = read("DATA_DIR", variables.DATA_DIR);
  const config = {
    port: read("PORT", variables.PORT),
    host: read("HOST", variables.HOST),
    dataDir,
    filesDir: read("FILES_DIR", variables.FILES_DIR) ?? resolve(dataDir, "files"),
    s3: s3Settings(read),
    maxFileSize: read("MAX_FILE_SIZE", variables.MAX_FILE_SIZE),
    ...databaseSettings(read),
    secretsKeys: read("SECRETS_KEY", variables.SECRETS_KEY),
    requestTimeoutMs: read("REQUEST_TIMEOUT", variables.REQUEST_TIMEOUT) * 1000,
    redisUrl: read("REDIS_URL", variables.REDIS_URL),
    ...frontendSettings(read, problems),
    allowedFetchHosts: read("ALLOWED_FETCH_HOSTS", variables.ALLOWED_FETCH_HOSTS) ?? [],
    trustedProxies: read("TRUSTED_PROXIES", variables.TRUSTED_PROXIES) ?? [],
    smtpUrl: read("SMTP_URL", variables.SMTP_URL),
    mailFrom: read("MAIL_FROM", variables.MAIL_FROM),
    translation: engineSettings(read),
    ...limitSettings(read),
    socketsPerToken: read("SOCKETS_PER_TOKEN", variables.SOCKETS_PER_TOKEN),
    drainMs: read("DRAIN_SECONDS", variables.DRAIN_SECONDS) * 1000,
    stopGraceMs: read("STOP_GRACE_SECONDS", variables.STOP_GRACE_SECONDS) * 1000,
    metricsPort: read("METRICS_PORT", variables.METRICS_PORT),
    metricsHost: read("METRICS_HOST", variables.METRICS_HOST),
    tracing: tracingSettings(read),
    logLevel: read("LOG_LEVEL", variables.LOG_LEVEL),
    environment: read("NODE_ENV", variables.NODE_ENV),
    /** Without a slash at the end. */
    publicUrl: read("PUBLIC_URL", variables.PUBLIC_URL)?.replace(/\/+$/, ""),
    appUrl: read("APP_URL", variables.APP_URL),
    publishedUrl: read("PUBLISHED_URL", variables.PUBLISHED_URL),
    integrationsUrl: read("INTEGRATIONS_URL", variables.INTEGRATIONS_URL),
    /** Whether `npm start` runs this process, and passes the signals on to it. */
    isRunByNpm: environment["npm_lifecycle_event"] === "start",
  };
  requireOwnHost(config, problems);
  if (problems.length > 0) throw new ConfigError(`bad configuration:\n${problems.join("\n")}`);
  return config;
}

/** Endpoints of integrations share their host with nothing else. */
function requireOwnHost(
  {
    integrationsUrl,
    host,
    ...config
  }: Record<"integrationsUrl" | "publicUrl" | "appUrl" | "publishedUrl", string | undefined> & { host: string },
  problems: string[],
): void {
  const { publicUrl = `http://${host}`, appUrl = publicUrl, publishedUrl = publicUrl } = config;
  const hosts = [publicUrl, appUrl, publishedUrl].map((url) => URL.parse(url)?.hostname);
  if (integrationsUrl !== undefined && hosts.includes(new URL(integrationsUrl).hostname))
    problems.push("  INTEGRATIONS_URL must have another host than PUBLIC_URL, APP_URL and PUBLISHED_URL");
}

/** Reads a variable, or says what is wrong with it. */
function readerOf(environment: NodeJS.ProcessEnv, problems: string[]) {
  return <Schema extends z.ZodType>(name: string, { schema, fallback, wants, isSecret }: Variable<Schema>) => {
    const given = environment[name] || fallback;
    const result = schema.safeParse(given);
    if (!result.success)
      problems.push(`  ${name} must be ${wants}${isSecret ? "" : `, but is ${JSON.stringify(given)}`}`);
    return result.data as z.output<Schema>; // only used when there is no problem
  };
}

/** The variables as a table for people. */
export function describeConfig(): string {
  const rows = Object.entries<Variable>(variables).map(([name, { about, fallback }]) => {
    return `  ${name.padEnd(28)}${about}${fallback === undefined ? "" : ` Default: ${fallback}.`}`;
  });
  return rows.join("\n");
}

/** Reads a variable. */
type Read = <Schema extends z.ZodType>(name: string, variable: Variable<Schema>) => z.output<Schema>;

/** PostgreSQL, and how it is used. */
function databaseSettings(read: Read) {
  return {
    databaseUrl: read("DATABASE_URL", variables.DATABASE_URL),
    databaseDirectUrl: read("DATABASE_DIRECT_URL", variables.DATABASE_DIRECT_URL),
    databaseReadUrls: read("DATABASE_READ_URL", variables.DATABASE_READ_URL) ?? [],
    isPrepared: read("PREPARED_STATEMENTS", variables.PREPARED_STATEMENTS) === "on",
    poolSize: read("POOL_SIZE", variables.POOL_SIZE),
    statementTimeoutMs: read("STATEMENT_TIMEOUT", variables.STATEMENT_TIMEOUT) * 1000,
  };
}

/** Which frontends may call, which documents of theirs are taken, and whether several at once. */
function frontendSettings(read: Read, problems: string[]) {
  const files = read("TRUSTED_DOCUMENTS_FILES", variables.TRUSTED_DOCUMENTS_FILES);
  const isOnly = read("TRUSTED_DOCUMENTS", variables.TRUSTED_DOCUMENTS) === "only";
  if (isOnly && files === undefined)
    problems.push("  TRUSTED_DOCUMENTS=only needs manifests: name them in TRUSTED_DOCUMENTS_FILES");
  const takesBatches = read("BATCHING", variables.BATCHING) === "on";
  return {
    allowedOrigins: read("ALLOWED_ORIGINS", variables.ALLOWED_ORIGINS) ?? [],
    allowedHosts: read("ALLOWED_HOSTS", variables.ALLOWED_HOSTS),
    graphiql: read("GRAPHIQL", variables.GRAPHIQL),
    trustedDocumentsFiles: files,
    trustedDocumentsOnly: isOnly,
    takesBatches,
  };
}

type LimitName = keyof typeof limitVariables;

/** What installations of integrations may do in a minute. */
const installationSettings = (limit: (name: LimitName) => number): TrafficLimits["installations"] => ({
  points: limit("INSTALLATION_POINTS"),
  fetches: limit("INSTALLATION_FETCHES"),
  requests: limit("INSTALLATION_REQUESTS"),
  requestsOfClient: limit("CLIENT_REQUESTS"),
});

/** What callers may ask for. */
function limitSettings(read: Read) {
  const limit = (name: LimitName) => read(name, limitVariables[name]);
  return {
    operationLimits: {
      documentBytes: limit("MAX_DOCUMENT_BYTES"),
      tokens: limit("MAX_DOCUMENT_TOKENS"),
      levels: limit("MAX_NESTING"),
      estimate: limit("MAX_ESTIMATE"),
      values: limit("MAX_VALUES"),
      answerBytes: limit("MAX_ANSWER_BYTES"),
    } satisfies OperationLimits,
    trafficLimits: {
      atOncePerUser: limit("OPERATIONS_PER_USER"),
      atOnce: limit("OPERATIONS_AT_ONCE"),
      waitingPerUser: limit("OPERATIONS_WAITING"),
      workWaitingPerUser: limit("WORK_WAITING"),
      pointsPerMinute: limit("POINTS_PER_MINUTE"),
      installations: installationSettings(limit),
      samlAnswersPerMinute: limit("SAML_ANSWERS_PER_MINUTE"),
    } satisfies TrafficLimits,
    cacheMegabytes: limit("CACHE_MB"),
    quotas: {
      tokensPerUser: limit("TOKENS_PER_USER"),
      spaces: limit("SPACES_PER_ORGANIZATION"),
      organizations: limit("ORGANIZATIONS_PER_USER"),
      invitations: limit("INVITES_PER_ORGANIZATION"),
      invitationEmailsPerDay: limit("EMAILS_PER_USER"),
      invitationEmailsOfOrganizationPerDay: limit("EMAILS_PER_ORGANIZATION"),
      fileBytes: limit("FILE_BYTES_PER_SPACE"),
      importsPerDay: limit("IMPORTS_PER_DAY"),
      ofImport: {
        bytes: limit("IMPORT_BYTES"),
        files: limit("IMPORT_FILES"),
        pages: limit("IMPORT_PAGES"),
        seconds: limit("IMPORT_SECONDS"),
      },
    } satisfies Quotas,
  };
}

/** The bucket of files; undefined where they are in a folder. */
function s3Settings(read: Read) {
  const place = read("FILES_URL", variables.FILES_URL);
  const endpoint = read("S3_ENDPOINT", variables.S3_ENDPOINT);
  const region = read("S3_REGION", variables.S3_REGION);
  const hasSignedDownloads = read("S3_SIGNED_DOWNLOADS", variables.S3_SIGNED_DOWNLOADS) === "on";
  return place && { ...place, endpoint, region, hasSignedDownloads };
}

/** The engine that translates; undefined when none is set. */
function engineSettings(read: Read) {
  const address = read("TRANSLATION_URL", variables.TRANSLATION_URL);
  const key = read("TRANSLATION_KEY", variables.TRANSLATION_KEY);
  const wordsPerMonth = read("TRANSLATION_WORDS", variables.TRANSLATION_WORDS);
  return address ? { ...address, ...(key !== undefined && { key }), wordsPerMonth } : undefined;
}

/** Where traces go; undefined when none do. */
function tracingSettings(read: Read) {
  const endpoint = read("OTEL_EXPORTER_OTLP_ENDPOINT", variables.OTEL_EXPORTER_OTLP_ENDPOINT);
  const headers = read("OTEL_EXPORTER_OTLP_HEADERS", variables.OTEL_EXPORTER_OTLP_HEADERS) ?? {};
  const serviceName = read("OTEL_SERVICE_NAME", variables.OTEL_SERVICE_NAME);
  const sampler = read("OTEL_TRACES_SAMPLER", variables.OTEL_TRACES_SAMPLER);
  const part = read("OTEL_TRACES_SAMPLER_ARG", variables.OTEL_TRACES_SAMPLER_ARG);
  const isParentBased = sampler.startsWith("parentbased_");
  const ratio = sampler.endsWith("ratio") ? part : Number(sampler.endsWith("always_on"));
  return endpoint === undefined ? undefined : { endpoint, headers, serviceName, isParentBased, ratio };
}
