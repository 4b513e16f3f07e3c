// The table of all environment variables: how each is parsed, and its description.
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { serversOf } from "#src/config/database-url.ts";
import { limitVariables } from "#src/config/limit-variables.ts";
import { openIdVariables } from "#src/config/open-id-variables.ts";
import { readOtlpHeaders } from "#src/config/otlp-headers.ts";
import { readTranslationUrl } from "#src/config/translation-url.ts";
import { listOf, onOff, parsed, seconds, variable, whole } from "#src/config/variable.ts";
import { readSecretsKeys } from "#src/config/secrets-key.ts";
import { readTemplate } from "#src/base/public-urls.ts";

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const databaseUrl = z.string().refine((text) => serversOf(text) !== null);

const samplers = [
  "parentbased_traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "traceidratio",
  "always_on",
  "always_off",
] as const;

export const variables = {
  PORT: whole({ least: 0, most: 65_535, fallback: "4000", about: "The port to listen on; 0 picks a free one." }),
  WORKERS: variable({
    schema: z
      .literal("auto")
      .transform(() => availableParallelism())
      .or(z.coerce.number().int().min(1).max(64)),
    fallback: "1",
    about:
      "How many gateways share the port, each in a process with a core of its own; 'auto' takes one for each core.",
    wants: "a whole number from 1 to 64, or auto",
  }),
  MEMORY_MB: variable({
    schema: z.coerce.number().int().min(512).optional(),
    about:
      "The memory of all gateways that share the port, without PostgreSQL, in megabytes. If unset, that of the container or three quarters of the machine, less 400 for the embedded PostgreSQL.",
    wants: "a whole number from 512",
  }),
  HOST: variable({
    schema: z.string().regex(/^[\w.:-]+$/),
    fallback: "127.0.0.1",
    about: "The address to listen on; 0.0.0.0 listens on every network interface.",
    wants: "an IP address or a host name",
  }),
  DATA_DIR: variable({
    schema: z.string().transform((path) => resolve(path)),
    fallback: ".data",
    about: "The folder of the embedded PostgreSQL and of uploaded files.",
    wants: "a path",
  }),
  FILES_DIR: variable({
    schema: z
      .string()
      .transform((path) => resolve(path))
      .optional(),
    about: "The folder of uploaded files; all gateways of one database share it. If unset, `files` in DATA_DIR.",
    wants: "a path",
  }),
  FILES_URL: variable({
    schema: parsed((text) => {
      const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? [];
      return bucket === undefined ? null : { bucket, prefix: prefix.replaceAll(/^\/+|\/+$/g, "") };
    }),
    about:
      "The S3 bucket of uploaded files, used instead of a folder, and the prefix of their keys; FILES_DIR then only holds uploads in progress. Credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the default sources of the AWS SDK.",
    wants: "an address like s3://bucket/prefix",
  }),
  S3_ENDPOINT: variable({
    schema: z.url({ protocol: /^https?$/ }).optional(),
    about: "The endpoint of FILES_URL if it is another S3-compatible server than Amazon's.",
    wants: "an address like https://storage.example.com",
  }),
  S3_REGION: variable({
    schema: z.string().regex(/^[\w-]+$/),
    fallback: "us-east-1",
    about: "The region of the bucket.",
    wants: "a name like eu-central-1",
  }),
  S3_SIGNED_DOWNLOADS: onOff(
    "Whether downloads are redirected to signed URLs of the bucket, valid for 5 minutes; browsers must be able to reach it. With off, docgraph streams the files.",
  ),
  MAX_FILE_SIZE: whole({
    most: 2_000_000_000,
    fallback: "25000000",
    about: "The maximum size of an uploaded file, in bytes.",
  }),
  DATABASE_URL: variable({
    schema: databaseUrl.optional(),
    about:
      "The PostgreSQL to use instead of the embedded one; it is never seeded. With several hosts, the one that accepts writes is used.",
    wants:
      "an address like postgres://user:password@host:5432/database, with several host:port separated by commas if needed",
    isSecret: true,
  }),
  DATABASE_DIRECT_URL: variable({
    schema: databaseUrl.optional(),
    about:
      "The PostgreSQL server itself, if DATABASE_URL is a pooler in transaction mode: for migrations, wake-ups and jobs.",
    wants: "an address like postgres://user:password@host:5432/database",
    isSecret: true,
  }),
  DATABASE_READ_URL: variable({
    schema: listOf((url) => z.url({ protocol: /^postgres(ql)?$/ }).safeParse(url).success),
    about:
      "Read replicas that queries use while they are at most 5 seconds behind: the servers themselves, not a pooler.",
    wants: "addresses like postgres://user:password@host:5432/database, separated by commas",
    isSecret: true,
  }),
  PREPARED_STATEMENTS: onOff(
    "Whether statements are prepared. Set off for poolers that do not support prepared statements, such as PgBouncer before 1.21.",
    "on",
  ),
  POOL_SIZE: whole({
    least: 2,
    most: 1000,
    fallback: "10",
    about: "How many database connections requests may use concurrently; docgraph uses up to ten more itself.",
  }),
  STATEMENT_TIMEOUT: seconds({ fallback: "10", about: "How many seconds a database statement may take." }),
  REQUEST_TIMEOUT: seconds({
    fallback: "15",
    about: "How many seconds an operation may take; then fields without a result return the error TIMEOUT.",
  }),
  REDIS_URL: variable({
    schema: z.url({ protocol: /^rediss?$/ }).optional(),
    about:
      "A Redis that carries wake-ups between gateways, counts the points of users across them, and stores the persisted queries that they share. If unset, PostgreSQL carries the wake-ups.",
    wants: "an address like redis://host:6379",
    isSecret: true,
  }),
  ALLOWED_ORIGINS: variable({
    schema: listOf((origin) => origin === "*" || isOrigin(origin)),
    about:
      "Other origins whose pages may call docgraph from a browser: a list separated by commas, or * for all. Outside of production, localhost is always allowed.",
    wants: "origins like https://docs.example.com separated by commas, or *",
  }),
  TRUSTED_DOCUMENTS_FILES: variable({
    schema: listOf().transform((paths) => paths?.map((path) => resolve(path))),
    about:
      "The manifests of trusted documents, which clients send by id: files or folders, separated by commas. npm run documents makes a manifest.",
    wants: "paths separated by commas",
  }),
  TRUSTED_DOCUMENTS: variable({
    schema: z.enum(["also", "only"]),
    fallback: "also",
    about:
      "With only, GraphQL accepts only the documents of TRUSTED_DOCUMENTS_FILES; with also, any document. /v1 is not affected.",
    wants: "also or only",
  }),
  BATCHING: onOff("Whether a GraphQL request may contain a JSON array of up to 10 operations."),
  SUBGRAPH: onOff(
    "Whether GraphQL has the fields `_service` and `_entities` of Apollo Federation 2, with which a gateway makes docgraph a part of a larger graph.",
  ),
  ALLOWED_HOSTS: variable({
    schema: listOf((host) => /^(\*|[\w.-]+(:\d{1,5})?|\[[\da-f:]+\](:\d{1,5})?)$/i.test(host)).transform((hosts) =>
      hosts?.map((host) => host.toLowerCase()),
    ),
    about:
      "Further host names that docgraph serves, besides localhost and the host of PUBLIC_URL: a list separated by commas, or * for all. If unset: none when HOST is a loopback address, which prevents DNS rebinding; else *.",
    wants: "hosts like docs.example.com or docs.example.com:8080 separated by commas, or *",
  }),
  GRAPHIQL: variable({
    schema: z.enum(["on", "off"]).optional(),
    about: "Whether GraphiQL is served to browsers at /graphql. If unset, on except in production.",
    wants: "on or off",
  }),
  SECRETS_KEY: variable({
    schema: parsed(readSecretsKeys),
    about:
      "The encryption key of secrets in the database: 32 random bytes in base64, the same on all gateways. To rotate, put the new key before the old one, separated by a comma. If unset, a key is created in DATA_DIR; with DATABASE_URL, secrets cannot be stored.",
    wants: "32 bytes in base64 or as 64 hexadecimal digits, or several such keys separated by commas",
    isSecret: true,
  }),
  ALLOWED_FETCH_HOSTS: variable({
    schema: listOf((host) => /^[\w.:-]+(\/\d{1,3})?$/.test(host)),
    about:
      "Hosts and networks that docgraph may fetch from although they are not public: a list separated by commas. If unset, none.",
    wants: "hosts, addresses or networks like wiki.example.com, 10.1.0.0/16 separated by commas",
  }),
  TRUSTED_PROXIES: variable({
    schema: listOf((text) => z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).safeParse(text).success),
    about:
      "The proxies in front of docgraph whose X-Forwarded-For is trusted for the client address in limits and the audit log: a list separated by commas. If unset, none: behind a proxy, limits then count all clients as one.",
    wants: "addresses or networks like 10.1.0.5, 10.2.0.0/16 separated by commas",
  }),
  SMTP_URL: variable({
    schema: z
      .url({ protocol: /^smtps?$/ })
      .refine((text) => URL.parse(text)?.hostname !== "")
      .optional(),
    about:
      "The mail server: smtp://, or smtps:// for TLS from the start of the connection. If unset, sign-in links are shown in development if the log goes to a terminal, and disabled in production.",
    wants: "an address like smtps://user:password@mail.example.com:465, with special characters percent-encoded",
    isSecret: true,
  }),
  MAIL_FROM: variable({
    schema: z.string().regex(/^([^<>@",;:\\\p{C}]+ <[^\s<>@",;:\\\p{C}]+@[\w.-]+>|[^\s<>@",;:\\\p{C}]+@[\w.-]+)$/u),
    fallback: "docgraph@localhost",
    about: "The sender address of e-mails; the mail server must accept it.",
    wants: "an address like docs@example.com, or Docs <docs@example.com>",
  }),
  ...openIdVariables,
  TRANSLATION_URL: variable({
    schema: parsed(readTranslationUrl),
    about:
      "The translation engine and its kind: apertium+http://host:2737, libretranslate+https://host, or openai+https://host/v1?model=name for chat completions. If unset, translation is off.",
    wants:
      "an address like apertium+http://host:2737, libretranslate+https://host or openai+https://host/v1?model=name, without a password: set that in TRANSLATION_KEY",
    isSecret: true,
  }),
  TRANSLATION_KEY: variable({
    schema: z
      .string()
      .regex(/^[\x21-\x7E]+$/)
      .optional(),
    about: "The API key of the engine of TRANSLATION_URL, if it requires one.",
    wants: "a key of letters, digits and signs, without blanks",
    isSecret: true,
  }),
  TRANSLATION_WORDS: whole({
    least: 0,
    most: 1_000_000_000,
    fallback: "1000000",
    about: "The maximum number of words sent to the engine per organization and month.",
  }),
  ...limitVariables,
  SOCKETS_PER_TOKEN: whole({
    fallback: "1000",
    about: "How many WebSockets one token may have open concurrently, and how many event streams (SSE) one user may.",
  }),
  DRAIN_SECONDS: seconds({
    least: 0,
    fallback: "0",
    about:
      "How many seconds docgraph still serves requests after SIGTERM, while /readyz returns 503: longer than a load balancer takes to notice.",
  }),
  STOP_GRACE_SECONDS: seconds({
    fallback: "10",
    about: "How many seconds requests, streams and jobs in progress may take to finish when docgraph is stopped.",
  }),
  METRICS_PORT: variable({
    schema: z.coerce.number().int().min(0).max(65_535).optional(),
    about: "The port of /metrics, for Prometheus; 0 picks a free port. If unset, metrics are off.",
    wants: "a whole number from 0 to 65535",
  }),
  METRICS_HOST: variable({
    schema: z.string().regex(/^[\w.:-]+$/),
    fallback: "127.0.0.1",
    about: "The address of /metrics, which requires no token: one that only your monitoring can reach.",
    wants: "an IP address or a host name",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable({
    schema: z.url({ protocol: /^https?$/ }).optional(),
    about: "The OTLP/HTTP collector that receives traces. If unset, tracing is off.",
    wants: "an address like http://127.0.0.1:4318",
    isSecret: true,
  }),
  OTEL_EXPORTER_OTLP_HEADERS: variable({
    schema: parsed(readOtlpHeaders),
    about:
      "Headers sent to the collector, such as its key: name=value separated by commas, with values percent-encoded.",
    wants: "headers like x-api-key=abc,x-team=docs",
    isSecret: true,
  }),
  OTEL_SERVICE_NAME: variable({
    schema: z.string().max(100),
    fallback: "docgraph",
    about: "The service name of the traces.",
    wants: "a name of at most 100 characters",
  }),
  OTEL_TRACES_SAMPLER: variable({
    schema: z.enum(samplers),
    fallback: "parentbased_traceidratio",
    about:
      "Which requests are traced: all, none or a part. With parentbased_, the traceparent of a caller decides for its own requests, up to 10 per second.",
    wants: `one of ${samplers.join(", ")}`,
  }),
  OTEL_TRACES_SAMPLER_ARG: variable({
    schema: z.coerce.number().min(0).max(1),
    fallback: "0.01",
    about: "The part of the requests that the traceidratio samplers trace, from 0 to 1.",
    wants: "a number from 0 to 1",
  }),
  LOG_LEVEL: variable({
    schema: z.enum(logLevels),
    fallback: "info",
    about: `The minimum level of logged messages: ${logLevels.join(", ")}.`,
    wants: `one of ${logLevels.join(", ")}`,
  }),
  NODE_ENV: variable({
    schema: z.enum(["development", "production", "test"]),
    fallback: "development",
    about:
      "In production, there is neither the demo nor GraphiQL (unless GRAPHIQL is on), errors suggest no names, localhost is not an allowed origin, and the start is logged as JSON instead of printed.",
    wants: "development, production or test",
  }),
  PUBLIC_URL: variable({
    schema: z.url({ protocol: /^https?$/ }).optional(),
    about: "The URL at which clients reach docgraph, for links in responses. If unset, made from HOST and PORT.",
    wants: "an address like https://docs.example.com",
  }),
  INTEGRATIONS_URL: variable({
    schema: z
      .url({ protocol: /^https?$/ })
      .transform((text) => new URL(text))
      .refine(({ href, origin }) => href === `${origin}/`)
      .transform(({ origin }) => origin)
      .optional(),
    about:
      "The origin of the public endpoints of integrations, which also leads to docgraph: a host other than those of PUBLIC_URL, APP_URL and PUBLISHED_URL, used for nothing else. If unset, endpoints are at PUBLIC_URL, without redirects to other origins, scripts and forms.",
    wants: "an address without a path, like https://integrations.example.net",
  }),
  APP_URL: variable({
    schema: parsed((text) => readTemplate(text, { ending: "{path}", needs: ["{path}"] })),
    about:
      "The URL of the application for people, for urls.app and invite links: an address with {path}, which is appended if missing, and optionally {id}. If unset, /app of docgraph.",
    wants:
      "an address like https://app.example.com/{path}, with {path} and optionally {id}, each once and after the host",
  }),
  PUBLISHED_URL: variable({
    schema: parsed((text) => readTemplate(text, { ending: "{id}/{path}", needs: ["{id}", "{path}"] })),
    about:
      "The URL of published spaces and sites, for urls.published: an address with {id} and {path}, which are appended if both are missing. If unset, /published of docgraph.",
    wants: "an address like https://docs.example.com/{id}/{path}, with {id} and {path}, each once and after the host",
  }),
};

/** Whether the text is a scheme, host and optional port, as browsers send it in the header Origin. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
