// The database: one `pg` pool, used by prepared statements on hot reads and by Prisma for everything else.
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { BoundedMap } from "#src/base/bounded-map.ts";
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
   * Runs a prepared statement; timestamps come as ISO text ({@link instantFromPostgres}), bigint as number. An answer
   * that takes longer than `limitMs` is an error, and the connection, which may be dead, is dropped.
   */
  query<Row extends object>(statement: Sql, options?: { limitMs?: number | undefined }): Promise<Row[]>;
  close(): Promise<void>;
}

/** Counts the statements of what runs inside {@link meterStatements}. */
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

/** The most statements kept prepared on a connection: later ones run unprepared, so hostile documents fill nothing. */
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

/** Settings of every session; times are in milliseconds. */
const sessionSettings = {
  timezone: "UTC",
  statement_timeout: 30_000,
  // Events wait for open transactions: one of a gateway that lost its connection must not hold them up for longer than
  // any transaction takes.
  idle_in_transaction_session_timeout: 25_000,
  plan_cache_mode: "force_generic_plan",
  jit: "off",
} as const;

/** Opens the pool. `url` may name a socket directory (`?host=`). Nothing is connected before the first statement. */
export function openDatabase({ url, poolSize = 10 }: { url: string; poolSize?: number }): Database {
  const pool = openPool(url, poolSize);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: false }),
    log: [{ emit: "event", level: "query" }],
    // Changes of one organization's content tree wait for each other, and so for a connection, longer than the 2 and 5
    // seconds of Prisma.
    transactionOptions: { maxWait: 15_000, timeout: 20_000 },
  });
  prisma.$on("query", countStatement);
  const nameOf = preparedNames();
  return {
    pool,
    prisma,
    async query<Row extends object>(
      { text, values }: Sql,
      { limitMs }: { limitMs?: number | undefined } = {},
    ): Promise<Row[]> {
      countStatement();
      const name = nameOf(text);
      const limit = limitMs !== undefined && { query_timeout: limitMs };
      try {
        const { rows } = await pool.query<Row>({ ...(name && { name }), text, values, types: hotTypes, ...limit });
        return rows;
      } catch (error) {
        if (isUnstorableText(error)) throw new DomainError("INVALID_INPUT", "Text must not contain NUL characters.");
        throw error;
      }
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

function openPool(url: string, size: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 30_000, // also for a free one
    query_timeout: 35_000, // the server ends statements before that: a connection without an answer is dead
    options: Object.entries(sessionSettings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" "),
  });
  // The pool replaces a lost idle connection; the next statement fails if the server is gone.
  pool.on("error", () => {});
  // Also while no query listens: a client without a listener would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** The names of prepared statements by their texts; undefined beyond {@link preparedLimit}. */
function preparedNames(): (text: string) => string | undefined {
  const names = new BoundedMap<string, string>(preparedLimit);
  return (text) => {
    const known = names.get(text);
    if (known || names.isFull) return known; // none is forgotten: connections keep what was prepared
    const name = createHash("sha1").update(text).digest("base64url");
    names.keep(text, name);
    return name;
  };
}
