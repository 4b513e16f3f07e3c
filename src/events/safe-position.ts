// The safe position of the outbox: the one that no event can appear before, even with other writers on the server.
import { type Queries, rawSql, sql } from "#src/db/connection/database.ts";
import { writerLockKey } from "#src/db/connection/writer-lock.ts";

const isWriterLock = rawSql(
  `l.locktype = 'advisory' and l.classid = 0 and l.objid = ${writerLockKey} and l.objsubid = 1`,
);

/** Other databases on the server may have writers with the same key. */
const ourDatabase = sql`(select d.oid from pg_database d where d.datname = current_database())`;

/**
 * SQL for `with`: a table `horizon` whose only row has the `id` of the oldest transaction that was open when the
 * statement began and may write events; that of the next transaction if none was. It is as in events: with the offset
 * of OutboxTrim.
 *
 * An open transaction writes no event when, now, its session has its id in pg_locks and not our lock: those that may
 * took that first, in their BEGIN (db/connection/pool.ts). Transactions with events are never prepared for two phases.
 * A transaction that is not in pg_locks may be anybody's: it has ended since the statement began, which then does not
 * see its events, or is about to appear there. So it counts, until the next read.
 *
 * A writer cannot look like another session: pg_locks is read as one snapshot, and a transaction that ends leaves the
 * list of open ones first, then releases its id, then advisory locks (CommitTransaction in
 * https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/access/transam/xact.c, and ProcReleaseLocks in
 * .../storage/lmgr/proc.c). It is matched by process: a transaction's virtual id changes while it ends.
 * Where nothing is open pg_locks is not read at all.
 *
 * Sessions of this database without a name count, too: gateways of the previous release set none, and take no lock.
 * This can be removed in the next release.
 */
export const safePosition = sql`horizon as materialized (
  select coalesce(min(x.id::text::bigint), pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
    + (select t."transactionOffset" from "OutboxTrim" t) as id
  from pg_snapshot_xip(pg_current_snapshot()) x (id)
  where x.id::xid <> all (array(
    with held as materialized (
      select l.locktype, l.transactionid, l.pid from pg_locks l where l.granted
        and (l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' or l.database = ${ourDatabase} and ${isWriterLock}))
    select t.transactionid from held t
    where t.locktype = 'transactionid'
      and not exists (select from held w where w.locktype = 'advisory' and w.pid = t.pid)
      and (t.pid is null or exists (select from pg_stat_get_activity(t.pid) a
        where a.datid is distinct from ${ourDatabase} or a.application_name <> '')))))`;

export interface BlockingSession {
  readonly pid: number;
  readonly application: string;
  readonly database: string;
  /** Its state, such as `idle in transaction`, and since when; null if our role may not see it. */
  readonly state: string | null;
  readonly openSince: string | null;
}

/** Finds the session of a transaction; null if it has ended. */
export async function findBlockingSession(database: Queries, transaction: number): Promise<BlockingSession | null> {
  const [holder] = await database.query<BlockingSession>(sql`
    select a.pid, a.application_name as application, a.datname as database, a.state, a.xact_start as "openSince"
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
      and l.transactionid = ${`${transaction}`}::xid8::xid`);
  return holder ?? null;
}
