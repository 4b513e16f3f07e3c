// The tables of a database as a backup sees them, from PostgreSQL's catalog, without those of the scheduler.
import type pg from "pg";

export interface Table {
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly string[];
}

/** Partitions of the outbox belong to one database: a restored event goes to the current partition. */
const ownTables = ["_prisma_migrations", "OutboxSegment"] as const;
const ownColumn = { table: "OutboxEvent", column: "segment" } as const;

/** All tables of the schema, by name: those of docgraph, and of other software that shares it. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and (c.relname, a.attname) <> ($2, $3)
     group by c.relname order by c.relname collate "C"`,
    [ownTables, ownColumn.table, ownColumn.column],
  );
  return rows;
}

/** The sequences of ids, with the last value of each. */
export async function readSequences(client: pg.ClientBase): Promise<{ name: string; value: number | null }[]> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' order by 1`,
  );
  return rows.map(({ name, value }) => ({ name, value: value === null ? null : Number(value) }));
}

/** The migrations that were applied, oldest first. */
export async function readAppliedMigrations(client: pg.ClientBase): Promise<{ name: string; checksum: string }[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `select migration_name as name, checksum from "_prisma_migrations"
     where finished_at is not null and rolled_back_at is null order by migration_name`,
  );
  return rows;
}

/** The text of a COPY of a table's rows, with those of its partitions. */
export function copyStatement(client: pg.ClientBase, table: Table, direction: "to stdout" | "from stdin"): string {
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(", ");
  const name = client.escapeIdentifier(table.name);
  return direction === "to stdout"
    ? `copy (select ${columns} from ${name}) to stdout`
    : `copy ${name} (${columns}) from stdin`;
}
