// The configuration: nothing else reads the environment. One table has all variables, for checking and for --help.
import { resolve } from "node:path";
import { z } from "zod";
import { readTemplate } from "#src/base/links.ts";

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly fallback?: string;
  readonly about: string;
  /** For the message about a bad value: what would be a good one. */
  readonly wants: string;
  /** The value may hold a password, and is never printed. */
  readonly isSecret?: true;
}

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
  SOCKETS_PER_TOKEN: variable({
    schema: z.coerce.number().int().min(1),
    fallback: "1000",
    about: "How many WebSockets may be open at once with one token.",
    wants: "a whole number from 1 on",
  }),
  STOP_GRACE_SECONDS: variable({
    schema: z.coerce.number().int().min(1).max(3600),
    fallback: "10",
    about: "How long requests, streams and jobs in progress may take to finish when docgraph is stopped.",
    wants: "a whole number from 1 to 3600",
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
  function read<Schema extends z.ZodType>(name: string, { schema, fallback, wants, isSecret }: Variable<Schema>) {
    const given = environment[name] || fallback;
    const result = schema.safeParse(given);
    if (!result.success)
      problems.push(`  ${name} must be ${wants}${isSecret ? "" : `, but is ${JSON.stringify(given)}`}`);
    return result.data as z.output<Schema>; // only used when there is no problem
  }
  const dataDir = read("DATA_DIR", variables.DATA_DIR);
  const config = {
    port: read("PORT", variables.PORT),
    host: read("HOST", variables.HOST),
    dataDir,
    filesDir: read("FILES_DIR", variables.FILES_DIR) ?? resolve(dataDir, "files"),
    maxFileSize: read("MAX_FILE_SIZE", variables.MAX_FILE_SIZE),
    databaseUrl: read("DATABASE_URL", variables.DATABASE_URL),
    redisUrl: read("REDIS_URL", variables.REDIS_URL),
    allowedOrigins: read("ALLOWED_ORIGINS", variables.ALLOWED_ORIGINS) ?? [],
    socketsPerToken: read("SOCKETS_PER_TOKEN", variables.SOCKETS_PER_TOKEN),
    stopGraceMs: read("STOP_GRACE_SECONDS", variables.STOP_GRACE_SECONDS) * 1000,
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

/** The variables as a table for people. */
export function describeConfig(): string {
  const rows = Object.entries<Variable>(variables).map(([name, { about, fallback }]) => {
    return `  ${name.padEnd(20)}${about}${fallback === undefined ? "" : ` Default: ${fallback}.`}`;
  });
  return rows.join("\n");
}

/** Whether the text is scheme, host and perhaps port, as browsers write it into the header Origin. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** A template of addresses, as {@link readTemplate} reads it. */
function template(form: Parameters<typeof readTemplate>[1]) {
  return z
    .string()
    .transform((text, problem) => {
      const read = readTemplate(text, form);
      if (read === undefined) problem.addIssue("is no template of addresses");
      return read;
    })
    .optional();
}

function variable<Schema extends z.ZodType>(of: Variable<Schema>): Variable<Schema> {
  return of;
}
