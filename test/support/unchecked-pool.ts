// A connection that writes rows of worlds without foreign key checks, which are half of the cost. One test writes every
// world with the checks (test/platform/world-rows.test.ts).
import pg from "pg";
import { nameTriggers } from "#test/support/sort-names.ts";

/** The pool to give to createWorld. It does not keep a worker from ending. */
export async function uncheckedPool(databaseUrl: string): Promise<{ readonly pool: pg.Pool }> {
  const options = "-c session_replication_role=replica"; // only triggers that are always enabled
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, allowExitOnIdle: true, options });
  const { rows } = await pool.query<{ text: string }>(
    `
    select format('alter table %s enable always trigger %I', tgrelid::regclass, tgname) as text
    from pg_trigger where not tgisinternal and not tgname = any($1)`,
    [nameTriggers],
  );
  for (const { text } of rows) await pool.query(text);
  return { pool };
}
