// Query plans of statements: the indexes they read, and the number of rows they touch.
import pg from "pg";
import { vi } from "vitest";
import { type Database, statementOf } from "#src/db/connection/database.ts";
import type { TestApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

/** The work of one statement. */
export interface Work {
  /** The indexes that were read, each once. */
  readonly indexes: readonly string[];
  /** Rows read from tables and indexes, and rows discarded by filters. */
  readonly rows: number;
  /** Rows that were sorted; rows read in index order are not. */
  readonly sorted: number;
  /** Rows that were read in vain: removed by a filter, the condition of a join or a recheck. */
  readonly removed: number;
}

interface Step {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Function Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly Step[];
}

/** The beginnings of statements that read a page of a list, and trees of pages. */
export const statementsOf = { lists: 'select p.ord::int as "$parent", t.*', trees: "with recursive walk" } as const;

/**
 * Runs an operation that must succeed, and returns the work of its only statement with this beginning, by its generic
 * plan.
 */
export async function workOf(app: TestApp, { token }: Person, document: string, beginning: string): Promise<Work> {
  const sent = [vi.spyOn(app.database, "rows"), vi.spyOn(app.database, "query")];
  await app.as(token).query(document);
  const statements = sent.flatMap(({ mock }) => mock.calls.map(([statement]) => statementOf(statement)));
  for (const spy of sent) spy.mockRestore();
  // By their texts: the comparison with interpreted execution sends a statement again.
  const meant = new Map(statements.map((statement) => [statement.text, statement] as const));
  for (const text of meant.keys()) if (!text.startsWith(beginning)) meant.delete(text);
  const [statement] = meant.values();
  if (!statement || meant.size > 1) throw new Error(`${meant.size} statements "${beginning}" are sent by ${document}`);
  return workOfStatement(app.database, statement.text, statement.values);
}

/** Runs a statement without its effects, and returns its work by its generic plan. */
export async function workOfStatement({ pool }: Database, text: string, values: readonly unknown[]): Promise<Work> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(`prepare meant as ${text}`);
    const given = values.length > 0 ? `(${values.map(literal).join()})` : "";
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Step }] }>(
      `explain (analyze, timing off, format json) execute meant${given}`,
    );
    const steps = [...stepsOf(rows[0]?.["QUERY PLAN"][0].Plan)];
    return {
      indexes: [...new Set(steps.flatMap((step) => step["Index Name"] ?? []))],
      rows: steps.reduce((sum, step) => sum + rowsOf(step), 0),
      sorted: steps.reduce((sum, step) => sum + sortedBy(step), 0),
      removed: steps.reduce((sum, step) => sum + removedBy(step), 0),
    };
  } finally {
    await client.query("rollback");
    // A prepared statement outlives its transaction, and does not exist if it could not be prepared.
    await client.query(
      "do $$ begin if exists (select from pg_prepared_statements where name = 'meant') then deallocate meant; end if; end $$",
    );
    client.release();
  }
}

/** A value as SQL, typed by its position in the statement. */
function literal(value: unknown): string {
  if (value === null) return "null";
  // Untyped, as values are sent: it may be an array of an enum.
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join()}}`);
  return pg.escapeLiteral(typeof value === "string" ? value : JSON.stringify(value));
}

function* stepsOf(step: Step | undefined): Generator<Step> {
  if (!step) return;
  yield step;
  for (const below of step.Plans ?? []) yield* stepsOf(below);
}

/** Rows sorted by a step. */
function sortedBy({ "Node Type": type, Plans: [input] = [] }: Step): number {
  return type.includes("Sort") && input ? Math.round(input["Actual Rows"] * input["Actual Loops"]) : 0;
}

/** Rows read by a table or index scan; 0 for other steps. */
function rowsOf(step: Step): number {
  if (step["Relation Name"] === undefined && step["Index Name"] === undefined) return 0;
  return Math.round(step["Actual Rows"] * step["Actual Loops"]) + removedBy(step);
}

/** Locks are left out: `pg_locks` lists those of the whole server, of the tests that run at the same time, too. */
function removedBy(step: Step): number {
  if (step["Function Name"] === "pg_lock_status") return 0;
  const filter = (step["Rows Removed by Filter"] ?? 0) + (step["Rows Removed by Index Recheck"] ?? 0);
  return Math.round((filter + (step["Rows Removed by Join Filter"] ?? 0)) * step["Actual Loops"]);
}
