// Who holds the feed back: the session of a transaction of ours that stays open, so that people can see to it.
import { type Queries, sql } from "#src/db/connection/database.ts";

/** A session whose open transaction keeps events from being told. */
export interface BlockingSession {
  /** The process of PostgreSQL that serves it, as in pg_stat_activity. */
  readonly pid: number;
  readonly application: string;
  readonly database: string;
  /** What it does, such as `idle in transaction`, and since when; null where our role may not know. */
  readonly state: string | null;
  readonly openSince: string | null;
}

/** Finds the session of a transaction; null when it is not open any more. */
export async function findBlockingSession(database: Queries, transaction: number): Promise<BlockingSession | null> {
  const [holder] = await database.query<BlockingSession>(sql`
    select a.pid, a.application_name as application, a.datname as database, a.state, a.xact_start as "openSince"
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
      and l.transactionid = ${`${transaction}`}::xid8::xid`);
  return holder ?? null;
}
