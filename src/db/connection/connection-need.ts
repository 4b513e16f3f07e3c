// Whether the server accepts as many connections as the gateways of the database open at most.
import type { Logger } from "pino";
import { type Database, sql } from "#src/db/connection/database.ts";

/** Connections of a gateway beside POOL_SIZE: for hot reads, vital statements, wake-ups and jobs. */
const ownConnections = 10;

/** For programs of people and for monitoring, and what PostgreSQL keeps for superusers. */
const spareConnections = 20;

/** How many connections the server needs for the gateways of a process, and for one more while they are replaced. */
export const connectionsFor = ({
  poolSize,
  workers,
}: {
  readonly poolSize: number;
  readonly workers: number;
}): number => (workers + 1) * (poolSize + ownConnections) + spareConnections;

/** The key of the advisory lock that each gateway shares while it listens for events: "doch". */
const gatewayKey = 0x646f6368;

/** Marks a session as the one of a gateway that {@link warnOfFewConnections} counts. */
export const markGateway = `select pg_advisory_lock_shared(${gatewayKey})`;

interface Found {
  /** The setting with the fewest connections left. */
  readonly limit: string;
  /** Connections for roles without privileges. */
  readonly usable: number;
  /** Connections that other gateways open at most, and those of other software. */
  readonly others: number;
}

/**
 * Sessions of the own process have its name and are younger than it. PostgreSQL hides the times of sessions of other
 * roles. Superusers have no limit of their role or database.
 */
const look = (perGateway: number) => sql`
  with "session" as (
    select a.usesysid, a.datid, a.application_name <> current_setting('application_name') as "isForeign",
           coalesce(clock_timestamp() - a.backend_start > make_interval(secs => ${process.uptime()}), true) as "isOlder",
           exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.classid = 0
                    and l.objid = ${gatewayKey} and l.objsubid = 1) as "isGateway"
      from pg_stat_activity a
     where coalesce(a.backend_type, 'client backend') = 'client backend' and a.datid is not null
       and a.pid <> pg_backend_pid()),
  "limit" as (
    select 'max_connections' as name, null::oid as role, null::oid as database,
           current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - coalesce(current_setting('reserved_connections', true), '0')::int as usable
    union all
    select 'the connection limit of the role ' || rolname, oid, null, rolconnlimit
      from pg_roles where rolname = session_user and rolconnlimit >= 0 and not rolsuper
    union all
    select 'the connection limit of the database ' || datname, null, d.oid, datconnlimit
      from pg_database d, pg_roles r
     where datname = current_database() and datconnlimit >= 0 and rolname = session_user and not rolsuper)
  select l.name as "limit", l.usable, u.others from "limit" l cross join lateral (
    select greatest(
             count(*) filter (where s."isForeign" or s."isOlder"),
             count(*) filter (where s."isForeign") + count(*) filter (where s."isGateway") * ${perGateway}
           )::int as others
      from "session" s
     where (l.role is null or s.usesysid = l.role) and (l.database is null or s.datid = l.database)) u
   order by l.usable - u.others limit 1`;

/** Warns if the server accepts too few for the gateways of this process. Poolers have limits of their own. */
export async function warnOfFewConnections(
  { database, log }: { readonly database: Pick<Database, "vital">; readonly log: Pick<Logger, "warn"> },
  { poolSize, workers }: { readonly poolSize: number; readonly workers: number },
  { url, directUrl }: { readonly url: string; readonly directUrl: string },
): Promise<void> {
  if (url !== directUrl) return;
  const perGateway = poolSize + ownConnections;
  const needed = workers * perGateway;
  const [found] = await database.vital.query<Found>(look(perGateway));
  if (!found || found.usable - found.others >= needed) return;
  log.warn(
    { needed, ...found },
    `docgraph opens up to ${needed} connections (WORKERS times POOL_SIZE and ${ownConnections} more), and PostgreSQL accepts ${found.usable}, of which other gateways and other software use up to ${found.others}. Raise ${found.limit}, or lower POOL_SIZE; until then changes wait for connections.`,
  );
}
