// The configuration: nothing else reads the environment. One table has all variables, for checking and for --help.
import { resolve } from "node:path";
import { z } from "zod";
import { readOtlpHeaders } from "#src/base/otlp-headers.ts";
import { readTranslationUrl } from "#src/base/translation-url.ts";
import { seconds, template, type Variable, variable } from "#src/base/variable.ts";
import { readSecretsKeys } from "#src/base/secrets-key.ts";

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const variables = {
  PORT: variable({
    schema: z.coerce.number().int().min(0).max(65_535),
    fallback: "4000",
    about: "The port to listen on; 0 takes a free one.",
    wants: "a whole number from 0 to 65535",
  }),
  HOST: variable({
    schema: z.string().regex(/^[\w.:-]+$/),
    fallback: "127.0.0.1",
    about: "The address to listen on; 0.0.0.0 for every network.",
    wants: "an IP address or a host name",
  }),
  DATA_DIR: variable({
    schema: z.string().transform((path) => resolve(path)),
    fallback: ".data",
    about: "The folder of the embedded PostgreSQL, and of files.",
    wants: "a path",
  }),
  FILES_DIR: variable({
    schema: z
      .string()
      .transform((path) => resolve(path))
      .optional(),
    about: "The folder of uploaded files; gateways on one database share it. By default `files` in DATA_DIR.",
    wants: "a path",
  }),
  MAX_FILE_SIZE: variable({
    schema: z.coerce.number().int().min(1).max(2_000_000_000),
    fallback: "25000000",
    about: "The most bytes of an uploaded file.",
    wants: "a whole number from 1 to 2000000000",
  }),
  DATABASE_URL: variable({
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    about: "A PostgreSQL to use instead of the embedded one. Nothing is seeded there.",
    wants: "an address like postgres://user:password@host:5432/database",
    isSecret: true,
  }),
  POOL_SIZE: variable({
    schema: z.coerce.number().int().min(2).max(1000),
    fallback: "10",
    about: "How many connections to the database requests may use at a time; docgraph has up to ten more of its own.",
    wants: "a whole number from 2 to 1000",
  }),
  STATEMENT_TIMEOUT: seconds({ fallback: "10", about: "How many seconds a statement of the database may take." }),
  REQUEST_TIMEOUT: seconds({
    fallback: "15",
    about: "How many seconds an operation may take in all; then it is answered with what there is, and TIMEOUT.",
  }),
  REDIS_URL: variable({
    schema: z.url({ protocol: /^rediss?$/ }).optional(),
    about: "A Redis that carries wake-ups between several gateways; without it PostgreSQL does.",
    wants: "an address like redis://host:6379",
    isSecret: true,
  }),
  ALLOWED_ORIGINS: variable({
    schema: z
      .string()
      .transform((text) => text.split(",").map((origin) => origin.trim()))
      .refine((origins) => origins.every((origin) => origin === "*" || isOrigin(origin)))
      .optional(),
    about: "Other origins whose pages may call from a browser: a list with commas between, or * for all.",
    wants: "origins like https://docs.example.com with commas between, or *",
  }),
  SECRETS_KEY: variable({
    schema: z
      .string()
      .transform((text, problem) => {
        const keys = readSecretsKeys(text);
        if (keys === null) problem.addIssue("holds no keys");
        return keys ?? [];
      })
      .optional(),
    about:
      "The key of secrets in the database: 32 random bytes in base64, the same on all gateways. A new one goes before the old one, with a comma between. By default one in DATA_DIR; none with DATABASE_URL.",
    wants: "32 bytes in base64 or as 64 hexadecimal digits, or several such keys with commas between",
    isSecret: true,
  }),
  ALLOWED_FETCH_HOSTS: variable({
    schema: z
      .string()
      .transform((text) => text.split(",").map((host) => host.trim()))
      .refine((hosts) => hosts.every((host) => /^[\w.:-]+(\/\d{1,3})?$/.test(host)))
      .optional(),
    about:
      "Hosts and networks that docgraph may read from although they are not public: a list with commas between. By default none.",
    wants: "hosts, addresses or networks like wiki.example.com, 10.1.0.0/16 with commas between",
  }),
  TRUSTED_PROXIES: variable({
    schema: z
      .string()
      .transform((text) => text.split(",").map((network) => network.trim()))
      .refine((networks) =>
        networks.every((network) => z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).safeParse(network).success),
      )
      .optional(),
    about:
      "Proxies before docgraph, which say in X-Forwarded-For for whom they ask; the audit log and limits go by that. A list with commas between. By default none.",
    wants: "addresses or networks like 10.1.0.5, 10.2.0.0/16 with commas between",
  }),
  SMTP_URL: variable({
    schema: z
      .url({ protocol: /^smtps?$/ })
      .refine((text) => URL.parse(text)?.hostname !== "")
      .optional(),
    about:
      "The server that sends e-mail: smtp://, or smtps:// for TLS from the beginning. Without it links to sign in stand in the log, and in production none are sent.",
    wants: "an address like smtps://user:password@mail.example.com:465, with %40 and such for special characters",
    isSecret: true,
  }),
  MAIL_FROM: variable({
    schema: z.string().regex(/^([^<>@",;:\\\p{C}]+ <[^\s<>@",;:\\\p{C}]+@[\w.-]+>|[^\s<>@",;:\\\p{C}]+@[\w.-]+)$/u),
    fallback: "docgraph@localhost",
    about: "In whose name e-mail is sent: an address that the server takes.",
    wants: "an address like docs@example.com, or Docs <docs@example.com>",
  }),
  TRANSLATION_URL: variable({
    schema: z
      .string()
      .transform((text, problem) => {
        const address = readTranslationUrl(text);
        if (address === null) problem.addIssue("is no address of an engine");
        return address;
      })
      .optional(),
    about:
      "The engine that translates, with its kind before the address: apertium+http://host:2737, libretranslate+https://host, or openai+https://host/v1?model=name for chat completions. By default none.",
    wants:
      "an address like apertium+http://host:2737, libretranslate+https://host or openai+https://host/v1?model=name, without a password: that goes into TRANSLATION_KEY",
    isSecret: true,
  }),
  TRANSLATION_KEY: variable({
    schema: z
      .string()
      .regex(/^[\x21-\x7E]+$/)
      .optional(),
    about: "The key that the engine of TRANSLATION_URL wants, if it does.",
    wants: "a key of letters, digits and signs, without blanks",
    isSecret: true,
  }),
  TRANSLATION_WORDS: variable({
    schema: z.coerce.number().int().min(0).max(1_000_000_000),
    fallback: "1000000",
    about: "The most words that are sent to the engine for an organization in a month.",
    wants: "a whole number from 0 to 1000000000",
  }),
  SOCKETS_PER_TOKEN: variable({
    schema: z.coerce.number().int().min(1),
    fallback: "1000",
    about: "How many WebSockets may be open at once with one token.",
    wants: "a whole number from 1 on",
  }),
  DRAIN_SECONDS: seconds({
    least: 0,
    fallback: "0",
    about:
      "How long docgraph still serves when it is stopped, while /readyz is 503: longer than a balancer takes to notice.",
  }),
  STOP_GRACE_SECONDS: seconds({
    fallback: "10",
    about: "How long requests, streams and jobs in progress may take to finish when docgraph is stopped.",
  }),
  METRICS_PORT: variable({
    schema: z.coerce.number().int().min(0).max(65_535).optional(),
    about: "The port of /metrics, for Prometheus; 0 takes a free one. Without it there is none.",
    wants: "a whole number from 0 to 65535",
  }),
  METRICS_HOST: variable({
    schema: z.string().regex(/^[\w.:-]+$/),
    fallback: "127.0.0.1",
    about: "The address of /metrics, which wants no token: one that only those who watch docgraph reach.",
    wants: "an IP address or a host name",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable({
    schema: z.url({ protocol: /^https?$/ }).optional(),
    about: "The collector that traces are sent to, by OTLP over HTTP. Without it nothing is traced.",
    wants: "an address like http://127.0.0.1:4318",
    isSecret: true,
  }),
  OTEL_EXPORTER_OTLP_HEADERS: variable({
    schema: z
      .string()
      .transform((text, problem) => {
        const headers = readOtlpHeaders(text);
        if (headers === null) problem.addIssue("is no list of headers");
        return headers ?? {};
      })
      .optional(),
    about: "Headers for the collector, such as its key: name=value with commas between, values with %2C and such.",
    wants: "headers like x-api-key=abc,x-team=docs",
    isSecret: true,
  }),
  OTEL_SERVICE_NAME: variable({
    schema: z.string().max(100),
    fallback: "docgraph",
    about: "The name under which the traces are kept.",
    wants: "a name of at most 100 characters",
  }),
  OTEL_TRACES_SAMPLER_ARG: variable({
    schema: z.coerce.number().min(0).max(1),
    fallback: "0.01",
    about: "Which part of the requests is traced, from 0 to 1. A caller's traceparent decides for its own.",
    wants: "a number from 0 to 1",
  }),
  LOG_LEVEL: variable({
    schema: z.enum(logLevels),
    fallback: "info",
    about: `How much to log: ${logLevels.join(", ")}.`,
    wants: `one of ${logLevels.join(", ")}`,
  }),
  NODE_ENV: variable({
    schema: z.enum(["development", "production", "test"]),
    fallback: "development",
    about: "In production there is no GraphiQL, and the start is logged instead of printed.",
    wants: "development, production or test",
  }),
  PUBLIC_URL: variable({
    schema: z.url({ protocol: /^https?$/ }).optional(),
    about: "The address under which clients reach docgraph, for links in answers. By default made from HOST and PORT.",
    wants: "an address like https://docs.example.com",
  }),
  APP_URL: variable({
    schema: template({ ending: "{path}", needs: ["{path}"] }),
    about:
      "Where the application for people is, for urls.app and invite links: an address with {path}, which is added when missing, and perhaps {id}. By default /app of docgraph.",
    wants: "an address like https://app.example.com/{path}, with {path} and perhaps {id}, each once and after the host",
  }),
  PUBLISHED_URL: variable({
    schema: template({ ending: "{id}/{path}", needs: ["{id}", "{path}"] }),
    about:
      "Where spaces and sites are published, for urls.published: an address with {id} and {path}, which are added when both are missing. By default /published of docgraph.",
    wants: "an address like https://docs.example.com/{id}/{path}, with {id} and {path}, each once and after the host",
  }),
};

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
    maxFileSize: read("MAX_FILE_SIZE", variables.MAX_FILE_SIZE),
    databaseUrl: read("DATABASE_URL", variables.DATABASE_URL),
    secretsKeys: read("SECRETS_KEY", variables.SECRETS_KEY),
    poolSize: read("POOL_SIZE", variables.POOL_SIZE),
    statementTimeoutMs: read("STATEMENT_TIMEOUT", variables.STATEMENT_TIMEOUT) * 1000,
    requestTimeoutMs: read("REQUEST_TIMEOUT", variables.REQUEST_TIMEOUT) * 1000,
    redisUrl: read("REDIS_URL", variables.REDIS_URL),
    allowedOrigins: read("ALLOWED_ORIGINS", variables.ALLOWED_ORIGINS) ?? [],
    allowedFetchHosts: read("ALLOWED_FETCH_HOSTS", variables.ALLOWED_FETCH_HOSTS) ?? [],
    trustedProxies: read("TRUSTED_PROXIES", variables.TRUSTED_PROXIES) ?? [],
    smtpUrl: read("SMTP_URL", variables.SMTP_URL),
    mailFrom: read("MAIL_FROM", variables.MAIL_FROM),
    translation: engineSettings(read),
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
    /** Whether `npm start` runs this process, and passes the signals on to it. */
    isRunByNpm: environment["npm_lifecycle_event"] === "start",
  };
  if (problems.length > 0) throw new ConfigError(`bad configuration:\n${problems.join("\n")}`);
  return config;
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
  const ratio = read("OTEL_TRACES_SAMPLER_ARG", variables.OTEL_TRACES_SAMPLER_ARG);
  return endpoint === undefined ? undefined : { endpoint, headers, serviceName, ratio };
}

/** Whether the text is scheme, host and perhaps port, as browsers write it into the header Origin. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
