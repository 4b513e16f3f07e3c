// Compares the roles in a database before and after migrations, so that the log says when an upgrade changes rights.
import pg from "pg";

interface RoleColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
}

/** Columns with a role for content, of tables with a primary key. */
const roleColumns = `
  SELECT c.table_name AS table, c.column_name AS column, array_agg(a.attname::text ORDER BY a.attnum) AS key
  FROM information_schema.columns c
  JOIN pg_index i ON i.indrelid = format('%I.%I', c.table_schema, c.table_name)::regclass AND i.indisprimary
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
  WHERE c.table_schema = current_schema() AND c.udt_name = 'Role'
  GROUP BY c.table_name, c.column_name ORDER BY 1, 2`;

/** Whether a migration may change rows: others keep all roles. */
export const mayChangeRows = (script: string): boolean => /\b(?:update|insert|merge)\b/i.test(script);

/** Keeps the roles for {@link describeRoleChanges} on the same connection. */
export async function keepRoles(client: pg.Client): Promise<void> {
  await client.query(`CREATE TEMP TABLE kept_roles (place text, key jsonb, role text)`);
  for (const { table, column, key } of await columnsOf(client)) {
    const place = pg.escapeLiteral(`${table}.${column}`);
    const [name, role] = [table, column].map((one) => pg.escapeIdentifier(one));
    await client.query(`INSERT INTO kept_roles SELECT ${place}, ${keyOf(key)}, t.${role} FROM ${name} t`);
  }
}

/** Sentences about the roles that differ from the kept ones, by column. A role of a new row is not one of them. */
export async function describeRoleChanges(client: pg.Client): Promise<string[]> {
  const changes: string[] = [];
  for (const { table, column, key } of await columnsOf(client)) {
    const place = `${table}.${column}`;
    const [name, role] = [table, column].map((one) => pg.escapeIdentifier(one));
    const { rows } = await client.query<{ raised: number; lowered: number }>(
      `SELECT count(*) FILTER (WHERE r.before IS NULL OR r.after > r.before)::int AS raised,
         count(*) FILTER (WHERE r.after IS NULL OR r.after < r.before)::int AS lowered
       FROM (SELECT t.${role} AS after, k.role::"Role" AS before FROM kept_roles k
         JOIN ${name} t ON ${keyOf(key)} = k.key WHERE k.place = ${pg.escapeLiteral(place)}) r
       WHERE r.after IS DISTINCT FROM r.before`,
    );
    const { raised, lowered } = rows[0] ?? { raised: 0, lowered: 0 };
    if (raised + lowered > 0)
      changes.push(
        `the migrations have raised ${raised} and lowered ${lowered} roles in ${place}: review who has access`,
      );
  }
  await client.query("DROP TABLE kept_roles");
  return changes;
}

const columnsOf = async (client: pg.Client): Promise<RoleColumn[]> =>
  (await client.query<RoleColumn>(roleColumns)).rows;

const keyOf = (key: readonly string[]): string =>
  `jsonb_build_array(${key.map((column) => `t.${pg.escapeIdentifier(column)}`).join()})`;
