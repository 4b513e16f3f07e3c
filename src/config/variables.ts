// The table of all environment variables: how each is read, and what it is for.
import { resolve } from "node:path";
import { z } from "zod";
import { serversOf } from "#src/config/database-url.ts";
import { limitVariables } from "#src/config/limit-variables.ts";
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
  PORT: whole({ least: 0, most: 65_535, fallback: "4000", about: "The port to listen on; 0 takes a free one." }),
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
  FILES_URL: variable({
    schema: parsed((text) => {
      const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? [];
      return bucket === undefined ? null : { bucket, prefix: prefix.replaceAll(/^\/+|\/+$/g, "") };
    }),
    about:
      "The bucket of uploaded files, instead of a folder, with what their keys begin with; FILES_DIR then holds what is being received. Credentials are taken from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from where Amazon's own programs take them.",
    wants: "an address like s3://bucket/prefix",
  }),
  S3_ENDPOINT: variable({
    schema: z.url({ protocol: /^https?$/ }).optional(),
    about: "The server of FILES_URL, where it is not Amazon's: one that speaks S3.",
    wants: "an address like https://storage.example.com",
  }),
  S3_REGION: variable({
    schema: z.string().regex(/^[\w-]+$/),
    fallback: "us-east-1",
    about: "The region of the bucket.",
    wants: "a name like eu-central-1",
  }),
  S3_SIGNED_DOWNLOADS: onOff(
    "With on, downloads are redirected to signed addresses of the bucket, good for 5 minutes, where browsers reach it; else docgraph passes them on.",
  ),
  MAX_FILE_SIZE: whole({ most: 2_000_000_000, fallback: "25000000", about: "The most bytes of an uploaded file." }),
  DATABASE_URL: variable({
    schema: databaseUrl.optional(),
    about:
      "A PostgreSQL to use instead of the embedded one. Nothing is seeded there. With several hosts it is the one that takes writes.",
    wants:
      "an address like postgres://user:password@host:5432/database, perhaps with several host:port with commas between",
    isSecret: true,
  }),
  DATABASE_DIRECT_URL: variable({
    schema: databaseUrl.optional(),
    about:
      "PostgreSQL itself, where DATABASE_URL leads to a pooler that lends sessions for one transaction at a time: for migrations, wake-ups and jobs.",
    wants: "an address like postgres://user:password@host:5432/database",
    isSecret: true,
  }),
  DATABASE_READ_URL: variable({
    schema: listOf((url) => z.url({ protocol: /^postgres(ql)?$/ }).safeParse(url).success),
    about:
      "Replicas of the database that queries read from while they are at most 5 seconds behind: PostgreSQL itself, not a pooler.",
    wants: "addresses like postgres://user:password@host:5432/database with commas between",
    isSecret: true,
  }),
  PREPARED_STATEMENTS: onOff(
    "With off, statements are not prepared: for poolers that forget them, such as PgBouncer before 1.21.",
    "on",
  ),
  POOL_SIZE: whole({
    least: 2,
    most: 1000,
    fallback: "10",
    about: "How many connections to the database requests may use at a time; docgraph has up to ten more of its own.",
  }),
  STATEMENT_TIMEOUT: seconds({ fallback: "10", about: "How many seconds a statement of the database may take." }),
  REQUEST_TIMEOUT: seconds({
    fallback: "15",
    about: "How many seconds an operation may take in all; then it is answered with what there is, and TIMEOUT.",
  }),
  REDIS_URL: variable({
    schema: z.url({ protocol: /^rediss?$/ }).optional(),
    about:
      "A Redis that carries wake-ups between several gateways, counts the points of users for all of them, and keeps the persisted queries that they share; without it PostgreSQL carries the wake-ups.",
    wants: "an address like redis://host:6379",
    isSecret: true,
  }),
  ALLOWED_ORIGINS: variable({
    schema: listOf((origin) => origin === "*" || isOrigin(origin)),
    about:
      "Other origins whose pages may call from a browser: a list with commas between, or * for all. Outside of production localhost may, too.",
    wants: "origins like https://docs.example.com with commas between, or *",
  }),
  TRUSTED_DOCUMENTS_FILES: variable({
    schema: listOf().transform((paths) => paths?.map((path) => resolve(path))),
    about:
      "The manifests of the documents of frontends, which clients name by their ids: files, or folders of them, with commas between. npm run documents makes one.",
    wants: "paths with commas between",
  }),
  TRUSTED_DOCUMENTS: variable({
    schema: z.enum(["also", "only"]),
    fallback: "also",
    about: "With only, GraphQL takes no other documents than those of TRUSTED_DOCUMENTS_FILES; /v1 stays as it is.",
    wants: "also or only",
  }),
  BATCHING: onOff("With on, a request of GraphQL may hold up to 10 operations, as a JSON array."),
  ALLOWED_HOSTS: variable({
    schema: listOf((host) => /^(\*|[\w.-]+(:\d{1,5})?|\[[\da-f:]+\](:\d{1,5})?)$/i.test(host)).transform((hosts) =>
      hosts?.map((host) => host.toLowerCase()),
    ),
    about:
      "Names of hosts by which docgraph is asked, beside localhost and that of PUBLIC_URL: a list with commas between, or * for all. By default * where HOST is more than this machine, and none where it is not: so no page on the web can rebind a name of its own to it.",
    wants: "hosts like docs.example.com or docs.example.com:8080 with commas between, or *",
  }),
  GRAPHIQL: variable({
    schema: z.enum(["on", "off"]).optional(),
    about: "Whether GraphiQL is served at /graphql to browsers. By default everywhere but in production.",
    wants: "on or off",
  }),
  SECRETS_KEY: variable({
    schema: parsed(readSecretsKeys),
    about:
      "The key of secrets in the database: 32 random bytes in base64, the same on all gateways. A new one goes before the old one, with a comma between. By default one in DATA_DIR; none with DATABASE_URL.",
    wants: "32 bytes in base64 or as 64 hexadecimal digits, or several such keys with commas between",
    isSecret: true,
  }),
  ALLOWED_FETCH_HOSTS: variable({
    schema: listOf((host) => /^[\w.:-]+(\/\d{1,3})?$/.test(host)),
    about:
      "Hosts and networks that docgraph may read from although they are not public: a list with commas between. By default none.",
    wants: "hosts, addresses or networks like wiki.example.com, 10.1.0.0/16 with commas between",
  }),
  TRUSTED_PROXIES: variable({
    schema: listOf((text) => z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).safeParse(text).success),
    about:
      "Proxies before docgraph, which say in X-Forwarded-For for whom they ask; the audit log and limits go by that. A list with commas between. By default none: behind a proxy, limits then count all clients as one.",
    wants: "addresses or networks like 10.1.0.5, 10.2.0.0/16 with commas between",
  }),
  SMTP_URL: variable({
    schema: z
      .url({ protocol: /^smtps?$/ })
      .refine((text) => URL.parse(text)?.hostname !== "")
      .optional(),
    about:
      "The server that sends e-mail: smtp://, or smtps:// for TLS from the beginning. If unset, sign-in links are shown in development where the log goes to a terminal, and disabled in production.",
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
    schema: parsed(readTranslationUrl),
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
  TRANSLATION_WORDS: whole({
    least: 0,
    most: 1_000_000_000,
    fallback: "1000000",
    about: "The most words that are sent to the engine for an organization in a month.",
  }),
  ...limitVariables,
  SOCKETS_PER_TOKEN: whole({
    fallback: "1000",
    about:
      "How many WebSockets may be open at once with one token, and how many streams of server-sent events of one user.",
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
    schema: parsed(readOtlpHeaders),
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
  OTEL_TRACES_SAMPLER: variable({
    schema: z.enum(samplers),
    fallback: "parentbased_traceidratio",
    about:
      "Which requests are traced: all, none or a part. With parentbased_ a caller's traceparent decides for its own, up to 10 a second.",
    wants: `one of ${samplers.join(", ")}`,
  }),
  OTEL_TRACES_SAMPLER_ARG: variable({
    schema: z.coerce.number().min(0).max(1),
    fallback: "0.01",
    about: "Which part that is, from 0 to 1.",
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
    about:
      "In production there is no demo, no GraphiQL unless GRAPHIQL is on, and no suggestion of names in errors; localhost is an origin as others are, and the start is logged instead of printed.",
    wants: "development, production or test",
  }),
  PUBLIC_URL: variable({
    schema: z.url({ protocol: /^https?$/ }).optional(),
    about: "The address under which clients reach docgraph, for links in answers. By default made from HOST and PORT.",
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
      "The origin of public endpoints of integrations: another host than those of PUBLIC_URL, APP_URL and PUBLISHED_URL, which leads to docgraph too, and answers nothing else. If unset, endpoints are at PUBLIC_URL, without redirects to other origins, scripts and forms.",
    wants: "an address without a path, like https://integrations.example.net",
  }),
  APP_URL: variable({
    schema: parsed((text) => readTemplate(text, { ending: "{path}", needs: ["{path}"] })),
    about:
      "Where the application for people is, for urls.app and invite links: an address with {path}, which is added when missing, and perhaps {id}. By default /app of docgraph.",
    wants: "an address like https://app.example.com/{path}, with {path} and perhaps {id}, each once and after the host",
  }),
  PUBLISHED_URL: variable({
    schema: parsed((text) => readTemplate(text, { ending: "{id}/{path}", needs: ["{id}", "{path}"] })),
    about:
      "Where spaces and sites are published, for urls.published: an address with {id} and {path}, which are added when both are missing. By default /published of docgraph.",
    wants: "an address like https://docs.example.com/{id}/{path}, with {id} and {path}, each once and after the host",
  }),
};

/** Reads `name=value,name=value` with percent-encoded values (OTEL_EXPORTER_OTLP_HEADERS); null if invalid. */
function readOtlpHeaders(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const pair of text.split(",")) {
    const [, name, value] = /^\s*([!#$%&'*+.^`|~\w-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) return null;
    try {
      headers[name] = decodeURIComponent(value);
    } catch {
      return null;
    }
    if (!/^[\x20-\x7E]*$/.test(headers[name])) return null;
  }
  return headers;
}

/** Whether the text is scheme, host and perhaps port, as browsers write it into the header Origin. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
