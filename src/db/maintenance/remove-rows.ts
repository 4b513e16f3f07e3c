// Deletes many rows in small steps: all rows below one, by PostgreSQL's catalog, or those that match a condition.
import { identifier, joinSql, type Queries, type Sql, sql } from "#src/db/connection/database.ts";

/** Runs a deleting statement in a transaction of its own, or refuses. Returns how many rows it has deleted. */
export type Step = (deletion: Sql) => Promise<number>;

/** The most rows of a table that one step deletes, and how many the first one does. */
const [mostAtOnce, firstAtOnce] = [2_000, 100];

/** The intended duration of a step, in milliseconds: events of others that were written meanwhile wait for its end. */
const stepMs = 200;

/** How rows of one table refer to those of another. */
interface Reference {
  readonly from: string;
  readonly columns: readonly string[];
  readonly to: string;
  readonly toColumns: readonly string[];
  /** Their action when that row is deleted: they are deleted, lose the reference, or prevent the deletion. */
  readonly then: "go" | "lose" | "keep";
}

const readReferences = sql`
  select f.relname as "from", t.relname as "to",
    (select json_agg(a.attname order by k.place) from unnest(c.conkey) with ordinality k(number, place)
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number) as columns,
    (select json_agg(a.attname order by k.place) from unnest(c.confkey) with ordinality k(number, place)
      join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number) as "toColumns",
    case c.confdeltype when 'c' then 'go' when 'n' then 'lose' when 'd' then 'lose' else 'keep' end as "then"
  from pg_constraint c join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
  where c.contype = 'f' and f.relnamespace = current_schema()::regnamespace order by f.relname, c.conname`;

/**
 * Deletes the rows that foreign keys would delete with a row, the lowest first. The row stays, with the few below it
 * that it keeps by a reference of its own, and the tables of `leave`. Each referenced table has the primary key `id`.
 * Can be interrupted and repeated at any time.
 */
export async function removeBelow(
  { query }: Pick<Queries, "query">,
  step: Step,
  row: { readonly table: string; readonly id: string; readonly leave: readonly string[] },
  most = mostAtOnce,
): Promise<void> {
  const references = (await query<Reference>(readReferences)).filter(({ from }) => !row.leave.includes(from));
  const byTable = Map.groupBy(references, ({ to }) => to);
  await new Removal({ query, step, most }, byTable).below(row.table, [row.id]);
}

type By = Pick<Queries, "query"> & { readonly step: Step; readonly most: number };

class Removal {
  readonly #by: By;
  /** Keyed by the table that they refer to. */
  readonly #references: ReadonlyMap<string, readonly Reference[]>;
  /** How many rows of each table the next step deletes. */
  readonly #sizes = new Map<string, number>();

  constructor(by: By, references: ReadonlyMap<string, readonly Reference[]>) {
    this.#by = by;
    this.#references = references;
  }

  async below(table: string, ids: readonly string[]): Promise<void> {
    const all = this.#inOrder(table).map((reference) => ({
      table: reference.from,
      rows: sql`${identifier(reference.from)} c join ${identifier(table)} p on ${isSame("c", reference, "p")}
        where p.id = any(${[...ids]}::text[])`,
    }));
    if (all.length === 0) return;
    const [found] = await this.#by.query<{ are: boolean[] }>(
      sql`select array[${joinSql(all.map(({ rows }) => sql`exists (select from ${rows})`))}] as are`,
    );
    for (const [at, { table: from, rows }] of all.entries())
      if (found?.are[at])
        await (this.#goWith(from).length === 0 ? this.#removeLowest(from, rows) : this.#remove(from, rows));
  }

  /** Rows that no other row refers to. */
  async #removeLowest(table: string, rows: Sql): Promise<void> {
    for (;;) {
      const most = this.#sizeOf(table);
      const some = sql`select c.ctid from ${rows} and ${this.#isFree(table)} limit ${most}::int`;
      const count = await this.#step(table, sql`delete from ${identifier(table)} where ctid = any(array(${some}))`);
      if (count < most) return;
    }
  }

  async #remove(table: string, rows: Sql): Promise<void> {
    const { query } = this.#by;
    const find = async (condition: Sql): Promise<string[]> =>
      (await query<{ id: string }>(sql`select c.id from ${rows} and ${condition}`)).map(({ id }) => id);
    const free = this.#isFree(table);
    for (let isMore = true; isMore;) {
      const most = this.#sizeOf(table);
      const ids = await find(sql`${free} limit ${most}::int`);
      isMore = ids.length === most;
      if (ids.length === 0) break;
      await this.below(table, ids);
      await this.#step(table, sql`delete from ${identifier(table)} where id = any(${ids}::text[])`);
    }
    // At most a few for each row above, which are deleted with it.
    const others = await find(sql`true`);
    if (others.length > 0) await this.below(table, others);
  }

  #sizeOf(table: string): number {
    return this.#sizes.get(table) ?? Math.min(firstAtOnce, this.#by.most);
  }

  /** Deletes rows, and sizes the next step so that it takes the intended time, or at most twice as many rows. */
  async #step(table: string, deletion: Sql): Promise<number> {
    const begun = performance.now();
    const [size, count] = [this.#sizeOf(table), await this.#by.step(deletion)];
    // Fewer rows than it could have deleted do not show how long more of them take.
    const fits = size * Math.min(count < size ? 1 : 2, stepMs / (performance.now() - begun));
    this.#sizes.set(table, Math.max(1, Math.min(Math.floor(fits), this.#by.most)));
    return count;
  }

  #goWith(table: string): readonly Reference[] {
    return (this.#references.get(table) ?? []).filter(({ from, then }) => then === "go" && from !== table);
  }

  /** Tables whose rows are deleted with those of another: first those that refer to the next. */
  #inOrder(table: string): readonly Reference[] {
    const goWith = this.#goWith(table);
    const ordered: Reference[] = [];
    const seen = new Set<Reference>();
    const add = (reference: Reference): void => {
      if (seen.has(reference)) return;
      seen.add(reference);
      const before = (this.#references.get(reference.from) ?? []).filter(({ then }) => then !== "go");
      for (const other of goWith) if (before.some(({ from }) => from === other.from)) add(other);
      ordered.push(reference);
    };
    for (const reference of goWith) add(reference);
    return ordered;
  }

  /** The condition that row `c` of a table is kept by no other. */
  #isFree(table: string): Sql {
    const keeping = (this.#references.get(table) ?? []).filter(({ then }) => then === "keep");
    const conditions = keeping.map(
      (reference) => sql`not exists (select from ${identifier(reference.from)} k where ${isSame("k", reference, "c")})`,
    );
    // Separate conditions: one with several joined by "or" would scan the whole tables.
    return joinSql([sql`true`, ...conditions], " and ");
  }
}

/** The condition that a row refers to another, given their aliases in a statement. */
function isSame(one: string, { columns, toColumns }: Reference, other: string): Sql {
  const same = (column: string, at: number) =>
    sql`${identifier(one, column)} = ${identifier(other, toColumns[at] ?? "")}`;
  return joinSql(columns.map(same), " and ");
}

/** The most rows that {@link removeOlder} deletes by one statement. */
const batch = 1_000;

/**
 * Deletes the rows whose time is before another, the oldest first, in batches. Returns their number. The column needs
 * an index: by its order, and a limit well below the number of rows, the planner uses it without statistics, too.
 */
export async function removeOlder(
  { query }: Pick<Queries, "query">,
  rows: { readonly table: string; readonly column: string; readonly before: Date },
): Promise<number> {
  const [table, time] = [identifier(rows.table), identifier(rows.column)];
  const isOlder = sql`t.${time} < ${rows.before.toISOString()}::timestamptz`;
  // The condition is repeated for rows that were changed meanwhile.
  const removal = sql`with gone as (
      delete from ${table} t where t.ctid = any(array(
        select t.ctid from ${table} t where ${isOlder} order by t.${time} limit ${batch}::int)) and ${isOlder} returning 1)
    select count(*)::int from gone`;
  let total = 0;
  for (let count = batch; count === batch; total += count)
    count = (await query<{ count: number }>(removal))[0]?.count ?? 0;
  return total;
}
