// The database: one `pg` pool, used by prepared statements on hot reads and by Prisma for everything else.
import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { DomainError } from "#src/base/errors.ts";
import { instantFromPostgres } from "#src/base/time.ts";
import { preparedNames } from "#src/db/prepared-names.ts";
import { statementTimeOut } from "#src/db/time-out.ts";
import type { Rows } from "#src/db/wire/rows.ts";
import { Wires } from "#src/db/wire/wires.ts";
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

/** A text with `$1`, `$2` and so on, and their values. */
export type Statement = Pick<Sql, "text" | "values">;

export interface Database {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  /**
   * Runs a prepared statement; timestamps come as ISO text ({@link instantFromPostgres}), bigint as number. An answer
   * that takes longer than `limitMs` is an error, and the connection, which may be dead, is dropped.
   */
  query<Row extends object>(statement: Statement, options?: { limitMs?: number | undefined }): Promise<Row[]>;
  /**
   * As {@link query}, with the rows as the bytes that PostgreSQL sent, which may be given back by `free`; objects where
   * that is not possible.
   */
  rows(statement: Statement): Promise<Rows | object[]>;
  /** The connections of {@link rows}; null without any. */
  readonly wires: Wires | null;
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

/** Throws for a text that PostgreSQL cannot hold (character_not_in_repertoire, untranslatable_character). */
function refuseUnstorable(error: unknown): never {
  if (error instanceof pg.DatabaseError && (error.code === "22021" || error.code === "22P05"))
    throw new DomainError("INVALID_INPUT", "Text must not contain NUL characters.");
  throw error;
}

/** Whether connections do not keep what was prepared (invalid_sql_statement_name, duplicate_prepared_statement). */
function isUnprepared(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === "26000" || error.code === "42P05");
}

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
  statement_timeout: statementTimeOut,
  // Events wait for open transactions: one of a gateway that lost its connection must not hold them up for longer than
  // any transaction takes.
  idle_in_transaction_session_timeout: 25_000,
  plan_cache_mode: "force_generic_plan",
  jit: "off",
} as const;

export interface DatabaseOptions {
  /** May name a socket directory (`?host=`). */
  readonly url: string;
  readonly poolSize?: number;
  /** Whether {@link Database.rows} has connections of its own. */
  readonly wires?: boolean;
}

/** Opens the pool. Nothing is connected before the first statement. */
export function openDatabase({ url, poolSize = 10, wires: hasWires = true }: DatabaseOptions): Database {
  const pool = openPool(url, poolSize);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: false }),
    log: [{ emit: "event", level: "query" }],
    // Changes of one organization's content tree wait for each other, and so for a connection, longer than the 2 and 5
    // seconds of Prisma.
    transactionOptions: { maxWait: 15_000, timeout: 20_000 },
  });
  prisma.$on("query", countStatement);
  const wires = hasWires ? new Wires({ config: sessionConfig(url), most: 4, answerLimitMs }) : null;
  const nameOf = preparedNames();
  async function query<Row extends object>({ text, values }: Statement, limitMs?: number): Promise<Row[]> {
    const name = nameOf(text);
    const limit = limitMs !== undefined && { query_timeout: limitMs };
    const { rows } = await pool.query<Row>({ ...(name && { name }), text, values, types: hotTypes, ...limit });
    return rows;
  }
  return {
    pool,
    prisma,
    wires,
    async query<Row extends object>(statement: Statement, { limitMs }: { limitMs?: number | undefined } = {}) {
      countStatement();
      return query<Row>(statement, limitMs).catch(refuseUnstorable);
    },
    rows(statement) {
      countStatement();
      return rowsOn(wires, statement, () => query(statement)).catch(refuseUnstorable);
    },
    async close() {
      await prisma.$disconnect();
      await Promise.all([pool.end(), wires?.close()]);
    },
  };
}

/** Runs a statement on `wires`, or by `query` where they cannot. */
async function rowsOn(
  wires: Wires | null,
  statement: Statement,
  query: () => Promise<object[]>,
): Promise<Rows | object[]> {
  const { text, values } = statement;
  if (!wires?.takes(text)) return query();
  try {
    return await wires.query(text, values);
  } catch (error) {
    if (!isUnprepared(error)) throw error;
    void wires.close();
    return query();
  }
}

function sessionConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: 30_000, // of the pool also for a free one
    options: Object.entries(sessionSettings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" "),
  };
}

/** The server ends statements before that: a connection without an answer is dead. */
const answerLimitMs = 35_000;

function openPool(url: string, size: number): pg.Pool {
  const pool = new pg.Pool({
    ...sessionConfig(url),
    max: size,
    idleTimeoutMillis: 60_000,
    query_timeout: answerLimitMs,
  });
  // The pool replaces a lost idle connection; the next statement fails if the server is gone.
  pool.on("error", () => {});
  // Also while no query listens: a client without a listener would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
