// The database: one `pg` pool, used by prepared statements on hot reads and by Prisma for everything else.
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { DomainError } from "#src/base/errors.ts";
import { instantFromPostgres } from "#src/base/time.ts";
import { Prisma, PrismaClient } from "#src/generated/prisma/client.ts";

/** A piece of SQL with its values, composed with the tagged template {@link sql}. */
export type Sql = Prisma.Sql;
export const sql = Prisma.sql;
export const joinSql = Prisma.join;
export const emptySql = Prisma.empty;

/** A quoted identifier. Names come from the code, never from input. */
export function identifier(...path: string[]): Sql {
  return Prisma.raw(path.map((name) => `"${name.replaceAll('"', '""')}"`).join("."));
}

/** SQL text from the code. Never give it input. */
export const rawSql = Prisma.raw;

export interface Database {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  /**
   * Runs a prepared statement; timestamps come as ISO text ({@link instantFromPostgres}), bigint as number. An answer that takes longer than `limitMs`
   * is an error, and the connection, which may be dead, is dropped.
   */
  query<Row extends object>(statement: Sql, options?: { limitMs?: number | undefined }): Promise<Row[]>;
  close(): Promise<void>;
}

/** Counts the statements of whatever runs inside {@link meterStatements}. */
export interface StatementMeter {
  statements: number;
}

const meters = new AsyncLocalStorage<StatementMeter>();

/** Runs `work`, counting in `meter` the statements that it and everything it awaits sends. */
export function meterStatements<Result>(meter: StatementMeter, work: () => Result): Result {
  return meters.run(meter, work);
}

function countStatement(): void {
  const meter = meters.getStore();
  if (meter) meter.statements += 1;
}

/** Whether PostgreSQL refused a text that it cannot hold (character_not_in_repertoire, untranslatable_character). */
function isUnstorableText(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === "22021" || error.code === "22P05");
}

/** How many statement texts are kept prepared on each connection; later ones run unprepared, so that hostile documents cannot fill the server. */
const preparedLimit = 1000;

const timestamptz = 1184;
const int8 = 20;
const hotTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (oid === timestamptz) return instantFromPostgres;
    if (oid === int8) return Number;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser, // the overloads of the library's type cannot be written as one function
};

/** Of every session, in milliseconds where it is a time. */
const sessionSettings = {
  timezone: "UTC",
  statement_timeout: 30_000,
  // A gateway that is cut off in the middle of a transaction must not hold up the events of all others for longer than any transaction takes.
  idle_in_transaction_session_timeout: 25_000,
  plan_cache_mode: "force_generic_plan",
  jit: "off",
} as const;

/** Opens the pool. `url` may name a socket directory (`?host=`). Nothing is connected before the first statement. */
export function openDatabase(options: { url: string; poolSize?: number }): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 30_000, // also for a free one
    query_timeout: 35_000, // the server answers before, by its own limit: a connection that says nothing is dead
    options: Object.entries(sessionSettings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" "),
  });
  pool.on("error", () => {}); // a lost idle connection is replaced by the pool; the next statement tells if the server is gone
  pool.on("connect", (client) => client.on("error", () => {})); // also between the pool's hands and those of who asked for it
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: false }),
    log: [{ emit: "event", level: "query" }],
    // Changes of one organization's content tree wait for each other, and so for a connection, longer than the 2 and 5 seconds of Prisma.
    transactionOptions: { maxWait: 15_000, timeout: 20_000 },
  });
  prisma.$on("query", countStatement);
  const names = new Map<string, string>();

  function preparedName(text: string): string | undefined {
    const known = names.get(text);
    if (known || names.size >= preparedLimit) return known;
    const name = createHash("sha1").update(text).digest("base64url");
    names.set(text, name);
    return name;
  }

  return {
    pool,
    prisma,
    async query<Row extends object>(
      statement: Sql,
      { limitMs }: { limitMs?: number | undefined } = {},
    ): Promise<Row[]> {
      countStatement();
      const text = statement.text;
      const name = preparedName(text);
      try {
        const result = await pool.query<Row>({
          ...(name && { name }),
          text,
          values: statement.values,
          types: hotTypes,
          ...(limitMs !== undefined && { query_timeout: limitMs }),
        });
        return result.rows;
      } catch (error) {
        throw isUnstorableText(error)
          ? new DomainError("INVALID_INPUT", "Text must not contain NUL characters.")
          : error;
      }
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
