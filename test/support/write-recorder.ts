// A recorder of the tables that are written, for tests of operations that must not write.
import type { Database } from "#src/db/connection/database.ts";

/** Tables that reads may write: the last use of tokens, and PDFs, which are cached. */
const besides = ["ApiToken", "ContentPdf"];

/** Starts recording writes; the result returns the names of written tables, except allowed ones. */
export async function recordWrites({ pool }: Pick<Database, "pool">): Promise<() => Promise<string[]>> {
  await pool.query(`create unlogged table "WrittenTable" (name text not null);
    create function note_write() returns trigger language plpgsql as $$ begin
      insert into "WrittenTable" values (tg_argv[0]); return null; end $$;
    do $$ declare name text; begin
      for name in select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace
        and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'WrittenTable'
      loop execute format('create trigger note_write after insert or update or delete on %I for each row execute function note_write(%L)', name, name);
      end loop; end $$`);
  return async () => {
    const { rows } = await pool.query<{ name: string }>(`select distinct name from "WrittenTable" order by name`);
    return rows.map(({ name }) => name).filter((name) => !besides.includes(name));
  };
}
