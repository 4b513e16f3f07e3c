// A connection that writes rows of worlds without the checks of foreign keys, which are half of what they cost. One test
// writes every world with them (test/platform/worlds.test.ts).
import pg from "pg";

/** The pool to give to createWorld. It does not keep a worker from ending. */
export function unchecked(databaseUrl: string): { readonly pool: pg.Pool } {
  const options = "-c session_replication_role=replica";
  return { pool: new pg.Pool({ connectionString: databaseUrl, max: 1, allowExitOnIdle: true, options }) };
}
