// Fills tables with rows that are waiting: none is due, expired or old, and those of one number refer to each other.
import type pg from "pg";

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** The first value of an enum. */
  readonly first: string | null;
  readonly isRequired: boolean;
}

const readColumns = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
    (select e.enumlabel from pg_enum e where e.enumtypid = a.atttypid order by e.enumsortorder limit 1) as first,
    a.attnotnull and not a.atthasdef and a.attidentity = '' as "isRequired"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attgenerated = '' and c.relname not like '\\_prisma%' order by c.relname, a.attnum`;

const dropChecks = `do $$ declare c record; begin
  for c in select conrelid::regclass as "table", conname as name from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace
  loop execute format('alter table %s drop constraint %I', c."table", c.name); end loop; end $$`;

/** Columns that are filled though they may be null: the time at which something is due, and what is computed later. */
const isState = /(dueAt|DueAt|Until|expiresAt|nextTryAt|^oid)$/;

/** Values of row `n` by type; others are made of {@link Column.first}. */
const valuesOf: Readonly<Record<string, string>> = {
  text: "'x' || n",
  integer: "n",
  bigint: "n",
  "double precision": "n",
  real: "n",
  boolean: "false",
  jsonb: "'{}'",
  json: "'{}'",
  bytea: "decode(md5(n::text), 'hex')",
  date: "now()",
  "text[]": "'{}'",
  tsvector: "''",
};

function valueOf({ name, type, first }: Column): string {
  if (type.startsWith("timestamp")) return isState.test(name) ? "now() + interval '9 years'" : "now()";
  return valuesOf[type] ?? `'${first}'`;
}

/** Fills all tables but some, without their triggers, constraints between tables and statistics. */
export async function fillTables(
  pool: pg.Pool,
  filling: {
    readonly count: number;
    readonly except: readonly string[];
    /** Values of some columns: `Table.column`. */
    readonly values: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const client = await pool.connect();
  await client.query(dropChecks);
  const { rows } = await client.query<Column>(readColumns);
  await client.query("set session_replication_role = replica");
  for (const [table, columns] of Map.groupBy(rows, (column) => column.table)) {
    if (filling.except.includes(table)) continue;
    const filled = columns.filter(({ isRequired, name }) => isRequired || isState.test(name));
    const values = filled.map((column) => filling.values[`${table}.${column.name}`] ?? valueOf(column));
    const names = filled.map(({ name }) => `"${name}"`).join();
    await client.query(
      `insert into "${table}" (${names}) select ${values.join()} from generate_series(1, ${filling.count}) n`,
    );
  }
  client.release(true);
}
