// Whether the server accepts as many connections as the gateway opens at most.
import type { Logger } from "pino";
import { type Database, sql } from "#src/db/connection/database.ts";

/** Connections of a gateway beside POOL_SIZE: for hot reads, vital statements, wake-ups and jobs. */
const ownConnections = 10;

interface Found {
  /** Connections for roles without privileges. */
  readonly usable: number;
  /** Connections of other sessions, on all databases of the server. */
  readonly others: number;
}

const look = sql`
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true), '0')::int as usable,
         (select count(*)::int from pg_stat_activity
           where backend_type = 'client backend' and pid <> pg_backend_pid()
             and application_name <> current_setting('application_name')) as others`;

/** Warns if `max_connections` is too small for the gateways of this process. Poolers have limits of their own. */
export async function warnOfFewConnections(
  { database, log }: { readonly database: Pick<Database, "vital">; readonly log: Pick<Logger, "warn"> },
  { poolSize, workers }: { readonly poolSize: number; readonly workers: number },
  { url, directUrl }: { readonly url: string; readonly directUrl: string },
): Promise<void> {
  if (url !== directUrl) return;
  const needed = workers * (poolSize + ownConnections);
  const [found] = await database.vital.query<Found>(look);
  if (!found || found.usable - found.others >= needed) return;
  log.warn(
    { needed, ...found },
    `docgraph opens up to ${needed} connections (WORKERS times POOL_SIZE and ${ownConnections} more), and PostgreSQL accepts ${found.usable}, of which other software uses ${found.others}. Raise max_connections of PostgreSQL, or lower POOL_SIZE; until then changes wait for connections.`,
  );
}
