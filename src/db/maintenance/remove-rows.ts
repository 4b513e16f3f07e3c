// Removing everything below a row, in small steps: what the database would remove with the row by one statement, which
// takes as long as there is much. The tables are those of the catalogue: a new one is removed from with the others.
import { type Database, identifier, joinSql, type Queries, type Sql, sql } from "#src/db/connection/database.ts";

/** Runs a statement that removes in a transaction of its own, or refuses to. Answers how many rows it has removed. */
export type Step = (deletion: Sql) => Promise<number>;

/** The most rows of a table that one step removes, and how many the first one does. */
const [mostAtOnce, firstAtOnce] = [2_000, 100];

/** What a step should take, in milliseconds: what others have written meanwhile is told when it is done. */
const stepMs = 200;

/** How rows of one table refer to those of another. */
interface Reference {
  readonly from: string;
  readonly columns: readonly string[];
  readonly to: string;
  readonly toColumns: readonly string[];
  /** What happens to them when that row goes: they go with it, they lose the reference, or they keep it there. */
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

/** Everything that refers to rows, by the table that it refers to. */
type References = ReadonlyMap<string, readonly Reference[]>;

/**
 * Removes all rows below one, with what is below them, the lowest first: what foreign keys would remove with it. The
 * row itself stays, with the few below it that it keeps by a reference of its own, and the rows of the tables that
 * `leave` names. Each table has the primary key `id`, but for those that nothing is below. Can be ended at any time,
 * and begun again.
 */
export async function removeBelow(
  { query }: Pick<Queries, "query">,
  step: Step,
  row: { readonly table: string; readonly id: string; readonly leave: readonly string[] },
  most = mostAtOnce,
): Promise<void> {
  const references = (await query<Reference>(readReferences)).filter(({ from }) => !row.leave.includes(from));
  const removal = new Removal(
    { query, step, most },
    Map.groupBy(references, ({ to }) => to),
  );
  await removal.below(row.table, [row.id]);
}

class Removal {
  readonly #by: Pick<Queries, "query"> & { step: Step; most: number };
  readonly #references: References;
  /** How many rows of each table the next step removes. */
  readonly #sizes = new Map<string, number>();

  constructor(by: Pick<Queries, "query"> & { step: Step; most: number }, references: References) {
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

  /** Rows that nothing is below. */
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
    // At most a few for each row above, which go with that.
    const others = await find(sql`true`);
    if (others.length > 0) await this.below(table, others);
  }

  #sizeOf(table: string): number {
    return this.#sizes.get(table) ?? Math.min(firstAtOnce, this.#by.most);
  }

  /** Removes rows, and has the next step remove as many as take the time that it should, or twice as many at most. */
  async #step(table: string, deletion: Sql): Promise<number> {
    const begun = performance.now();
    const [size, count] = [this.#sizeOf(table), await this.#by.step(deletion)];
    // Fewer rows than it could have removed say nothing of how long more of them take.
    const fits = size * Math.min(count < size ? 1 : 2, stepMs / (performance.now() - begun));
    this.#sizes.set(table, Math.max(1, Math.min(Math.floor(fits), this.#by.most)));
    return count;
  }

  #goWith(table: string): readonly Reference[] {
    return (this.#references.get(table) ?? []).filter(({ from, then }) => then === "go" && from !== table);
  }

  /** Tables of which rows go with those of another: first those that refer to the next. */
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

  /** That row `c` of a table is kept by no other. */
  #isFree(table: string): Sql {
    const keeping = (this.#references.get(table) ?? []).filter(({ then }) => then === "keep");
    const conditions = keeping.map(
      (reference) => sql`not exists (select from ${identifier(reference.from)} k where ${isSame("k", reference, "c")})`,
    );
    // One by one: a condition of several by "or" would be answered from the whole tables.
    return joinSql([sql`true`, ...conditions], " and ");
  }
}

/** Whether a row refers to another, given the names by which a statement knows them. */
function isSame(one: string, { columns, toColumns }: Reference, other: string): Sql {
  return joinSql(
    columns.map((column, at) => sql`${identifier(one, column)} = ${identifier(other, toColumns[at] ?? "")}`),
    " and ",
  );
}

/** The most rows removed by one statement. */
const batch = 10_000;

/** Runs a `delete` that removes at most so many rows until there are no more. Answers how many it has removed. */
export async function removeInBatches(
  database: Pick<Database, "query">,
  deletion: (most: number) => Sql,
): Promise<number> {
  let total = 0;
  for (let count = batch; count === batch; total += count) {
    const removed = await database.query<{ count: number }>(
      sql`with gone as (${deletion(batch)} returning 1) select count(*)::int from gone`,
    );
    count = removed[0]?.count ?? 0;
  }
  return total;
}
