// Encrypts secrets again with a new first key of SECRETS_KEY, and those stored before their column was encrypted.
import type { SealedColumn, Secrets } from "#src/base/secrets.ts";
import { type Database, identifier, sql } from "#src/db/connection/database.ts";
import type { Job } from "#src/jobs/job.ts";

/** The most secrets per statement. */
const batch = 200;

/** The job that encrypts with the current key. Secrets that no key decrypts are kept, and counted. */
export const resealSecrets = (secrets: Secrets, columns: readonly SealedColumn[]): Job => ({
  name: "secrets.reseal",
  schedule: "41 * * * *",
  async run({ database, log }) {
    for (const column of columns) {
      const { moved, stuck } = await resealColumn(database, secrets, column);
      if (moved > 0) log.info({ ...column, secrets: moved }, "secrets encrypted again with the current key");
      if (stuck > 0) log.warn({ ...column, secrets: stuck }, "no key in SECRETS_KEY decrypts these secrets");
    }
  },
});

async function resealColumn(database: Database, secrets: Secrets, of: SealedColumn) {
  const counts = { moved: 0, stuck: 0 };
  const head = secrets.presentHead;
  if (!head) return counts;
  const [table, column] = [identifier(of.table), identifier(of.column)];
  for (let after = ""; ;) {
    const rows = await database.query<{ id: string; sealed: Uint8Array }>(sql`select t.id, t.${column} as sealed
      from ${table} t where t.id > ${after} and substring(t.${column} from 1 for ${head.length}) <> ${head}
      order by t.id limit ${batch}`);
    for (const { id, sealed } of rows) {
      let resealed: Uint8Array;
      try {
        resealed = secrets.seal(of, id, secrets.open(of, id, sealed));
      } catch {
        counts.stuck += 1;
        continue;
      }
      // A secret that was changed meanwhile is kept.
      await database.query(sql`update ${table} set ${column} = ${resealed} where id = ${id} and ${column} = ${sealed}`);
      counts.moved += 1;
    }
    if (rows.length < batch) return counts;
    after = rows.at(-1)?.id ?? after;
  }
}
