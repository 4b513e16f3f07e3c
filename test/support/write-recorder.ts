// What is written to a database from a moment on, by the tables: for tests of what must not write.
import type { Database } from "#src/db/connection/database.ts";

/** What reading may write: when a token was used, and PDFs, which are made once and kept. */
const besides = ["ApiToken", "ContentPdf"];

/** Notes from now on which tables get, change or lose rows. Answers their names, without those that always may. */
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
