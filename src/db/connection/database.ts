// The database: a `pg` pool for prepared reads and Prisma, and a small one for vital statements while it is full.
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { DomainError } from "#src/base/errors.ts";
import { instantFromPostgres } from "#src/base/time.ts";
import type { PooledClient } from "#src/db/connection/client.ts";
import { loadOf, observe, type PoolLoad, StatementCounts } from "#src/db/connection/observe.ts";
import { preparedChanges, preparedNames, preparedReads } from "#src/db/connection/prepared-names.ts";
import { openPool, type PoolLimits, sessionConfig } from "#src/db/connection/pool.ts";
import { isCrowded } from "#src/db/connection/database-errors.ts";
import { currentLimit, withinLimit } from "#src/db/connection/time-limit.ts";
import { Rows } from "#src/db/connection/wire/rows.ts";
import { Current } from "#src/runtime/current.ts";
import { HeldUpError } from "#src/db/connection/wire/wire.ts";
import { Wires } from "#src/db/connection/wire/wires.ts";
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

/** A text with the placeholders `$1`, `$2` and so on, and their values. */
export type Statement = Pick<Sql, "text" | "values">;

/** Composed SQL as it is sent: an array that it names several times, such as the rights of a caller, goes once. */
export function statementOf(statement: Statement | Sql): Statement {
  if (!("strings" in statement)) return statement;
  const { strings } = statement;
  let [text = ""] = strings;
  const values: unknown[] = [];
  for (const [index, value] of statement.values.entries()) {
    const known = Array.isArray(value) ? values.indexOf(value) : -1;
    text += `$${known < 0 ? values.push(value) : known + 1}${strings[index + 1]}`;
  }
  return { text, values };
}

export interface Queries {
  /** Runs a prepared statement; timestamps are returned as ISO text, bigint as number. Fails after `limitMs`. */
  query<Row extends object>(statement: Statement, options?: { limitMs?: number | undefined }): Promise<Row[]>;
}

/** Reads from a database. Statements of an operation are awaited within its time limit (time-limit.ts). */
export interface Reads extends Queries {
  /** Runs on separate connections: for tokens, the feed and health, which must work while requests fill the pool. */
  readonly vital: Queries;
  /** As {@link query}, but rows are PostgreSQL's bytes, returned by `free`; objects where that is not possible. */
  rows(statement: Statement): Promise<Rows | object[]>;
  /** The connections of {@link rows}; null without any. */
  readonly wires: Wires | null;
  readonly counts: StatementCounts;
  loads(): PoolLoad[];
  /** Ends the connections when the running statements are done. */
  close(): Promise<void>;
  /** Ends the connections at once: running and later statements fail. */
  cut(): void;
}

export interface Database extends Reads {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
}

/** Counts the statements of the work inside {@link meterStatements}. */
export interface StatementMeter {
  readonly statements: number;
  countStatement(): void;
  /** Counts the rows of a result; only of our own reads, not of Prisma's. */
  countRows(count: number): void;
}

/** Counts statements and rows. */
export class StatementCounter implements StatementMeter {
  statements = 0;
  rows = 0;

  countStatement(): void {
    this.statements += 1;
  }

  countRows(count: number): void {
    this.rows += count;
  }
}

/** The meter of the current async context: entered by {@link meterStatements}, or with others by `runWith`. */
export const meters = new Current<StatementMeter>();

/** Runs `work`, counting in `meter` the statements that it and everything it awaits sends. */
export function meterStatements<Result>(meter: StatementMeter, work: () => Result): Result {
  return meters.run(meter, work);
}

/** Counts a statement that is sent; the returned function takes the number of its rows. */
function countStatement(): (rows: number) => void {
  const meter = meters.value;
  if (!meter) return uncounted;
  meter.countStatement();
  return (rows) => meter.countRows(rows);
}

const uncounted = (): void => {};

/** Throws for a text that PostgreSQL cannot store (character_not_in_repertoire, untranslatable_character). */
function refuseUnstorable(error: unknown): never {
  if (error instanceof pg.DatabaseError && (error.code === "22021" || error.code === "22P05"))
    throw new DomainError("INVALID_INPUT", "Text must not contain NUL characters.");
  throw error;
}

/** Whether connections lose prepared statements (invalid_sql_statement_name, duplicate_prepared_statement). */
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
  }) as typeof pg.types.getTypeParser, // one function cannot implement the overloads
};

export interface DatabaseOptions extends Partial<PoolLimits> {
  /** May name a socket directory (`?host=`). */
  readonly url: string;
  /** Whether {@link Database.rows} has connections of its own, where sessions are its own, too. */
  readonly wires?: boolean;
  readonly isPrepared?: boolean | undefined;
}

/** Connections for {@link Database.rows}, and for {@link Database.vital}. */
const [wireCount, vitalCount] = [4, 3];

/** Opens a database. Connects at the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const { pool, reads } = openPools(options);
  const nameOf = namesOf(options, preparedChanges);
  const statementNameGenerator = ({ sql: text }: { sql: string }) => nameOf(text) ?? "";
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: false, statementNameGenerator }),
    log: [{ emit: "event", level: "query" }],
    // Changes of one content tree wait for each other longer than Prisma's defaults of 2 and 5 seconds.
    transactionOptions: { maxWait: 15_000, timeout: 20_000 },
  });
  prisma.$on("query", () => void countStatement());
  const close = async () => {
    await prisma.$disconnect();
    await reads.close();
  };
  return { ...reads, pool, prisma, close };
}

/** Opens a database that is only read from. Connects at the first statement. */
export const openReads = (options: DatabaseOptions): Reads => openPools(options).reads;

function openPools({ url, wires: wanted = true, isPrepared = true, ...limits }: DatabaseOptions) {
  const pool = openPool(url, limits);
  const vitalPool = openPool(url, { ...limits, poolSize: vitalCount });
  const hasWires = wanted && isPrepared && (limits.settingsFrom ?? "parameters") === "parameters";
  const wires = hasWires ? new Wires({ ...sessionConfig(url, limits), most: wireCount }) : null;
  const counts = new StatementCounts();
  for (const each of [pool, vitalPool]) {
    each.on("connect", (client) => observe(client as PooledClient, counts));
    if (wires) each.onCrowded = () => wires.giveBack();
  }
  const query = queryOn(pool, namesOf({ isPrepared }));
  const reads: Reads = {
    wires,
    counts,
    loads: () => [loadOf("requests", pool), loadOf("vital", vitalPool), ...(wires ? [wires.load] : [])],
    vital: { query: queryOn(vitalPool, namesOf({ isPrepared })) },
    query,
    rows: (statement) => rowsOn({ wires, counts }, statement, () => query<object>(statement)),
    close: async () => void (await Promise.all([pool.end(), vitalPool.end(), wires?.close()])),
    cut() {
      for (const each of [pool, vitalPool, wires]) each?.cut();
    },
  };
  return { pool, reads };
}

/** The names under which statements are prepared; statements without a name are not prepared. */
const namesOf = ({ isPrepared = true }: Pick<DatabaseOptions, "isPrepared">, limits = preparedReads) =>
  isPrepared ? preparedNames(limits) : () => undefined;

/** Runs statements on a pool, prepared if they have names. */
function queryOn(pool: pg.Pool, nameOf: (text: string) => string | undefined): Queries["query"] {
  return <Row extends object>(statement: Statement, { limitMs }: { limitMs?: number | undefined } = {}) => {
    const { text, values } = statementOf(statement);
    const answered = countStatement();
    const name = nameOf(text);
    const limit = limitMs !== undefined && { query_timeout: limitMs };
    const asked = { ...(name && { name }), text, values, types: hotTypes, ...limit };
    const send = async () => {
      const { rows } = await pool.query<Row>(asked).catch(refuseUnstorable);
      answered(rows.length);
      return rows;
    };
    return withinLimit(text, send);
  };
}

/** Runs a statement on `wires`, or else by `query`: both within the time limit of the operation. */
function rowsOn(
  { wires, counts }: Pick<Reads, "wires" | "counts">,
  statement: Statement,
  query: () => Promise<object[]>,
): Promise<Rows | object[]> {
  const { text, values } = statementOf(statement);
  const limit = currentLimit();
  const refusal = limit?.refusalOf(text);
  if (refusal) return Promise.reject(refusal);
  if (!wires?.takes(text)) return query();
  const counted = countStatement();
  const answered = counts.begin(text);
  return wires.query(text, values).then(
    (rows) => {
      answered();
      counted(rows.count);
      return rows;
    },
    (error: unknown) => {
      answered(error);
      limit?.noteLate(text, error);
      if (error instanceof HeldUpError || isCrowded(error)) return query(); // the pool waits, and tries again
      if (!isUnprepared(error)) return refuseUnstorable(error);
      void wires.close();
      return query();
    },
  );
}
