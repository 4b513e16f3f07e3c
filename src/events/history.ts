// Detects that the database went back to an older state (a lagging replica took over, a backup was restored, a dump
// moved to another cluster): events are lost then, and ids reused. Positions name their epoch; a new one begins.
import pg from "pg";
import { type Queries, rawSql, type Sql, sql } from "#src/db/connection/database.ts";
import { type OutboxPosition, writtenAt } from "#src/events/outbox-position.ts";
import { serverStart } from "#src/events/read-outbox.ts";
import { raisedSegments } from "#src/events/segments.ts";

export type ResetReason = "other cluster" | "older state" | "unseen failover";

export interface Reset {
  readonly at: string;
  readonly reason: ResetReason;
}

export const resetMessages: Readonly<Record<ResetReason, string>> = {
  "other cluster": "the database was moved to another cluster",
  "older state": "the database went back to an older state: it has lost events that were already delivered",
  "unseen failover": "another server took over while no gateway was running to check whether events were lost",
};

export interface History {
  readonly epoch: string;
  /** The start time of the server that responded. */
  readonly server: string;
  /** Null if the history never went back. */
  readonly reset: Reset | null;
}

export const epoch = sql`(select m.epoch from "OutboxTrim" m)`;

interface Found {
  epoch: string;
  server: string;
  resetAt: string | null;
  resetReason: ResetReason | null;
  /** The cluster and its timeline, as recorded and as they are now; null if unknown. */
  notedCluster: string | null;
  notedTimeline: number | null;
  cluster: string | null;
  timeline: number | null;
  /** Whether a transaction that the cluster has not reached has written events, by their ids. */
  isAhead: boolean;
  /** Whether all delivered events exist. */
  isWhole: boolean;
}

/** How long the database may take to respond, in milliseconds, until the connection counts as dead. */
const limitMs = 10_000;

/**
 * Begins a new epoch if the delivered positions are not of the database's history; none are given at the start. Another
 * process may have begun it. Throws on a lagging replica, where nothing can be written.
 */
export async function followHistory(database: Queries, delivered: readonly OutboxPosition[]): Promise<History> {
  const found = await examine(database, delivered);
  const [one] = delivered;
  if (one && one.epoch !== found.epoch) return historyOf(found);
  const reason = reasonToReset(found, delivered.length === 0);
  if (reason) {
    await beginEpoch(database, found, reason);
    return historyOf(await examine(database, []));
  }
  await noteCluster(database, found);
  return historyOf(found);
}

const historyOf = ({ epoch, server, resetAt: at, resetReason: reason }: Found): History => ({
  epoch,
  server,
  reset: at !== null && reason !== null ? { at, reason } : null,
});

function reasonToReset(found: Found, isStart: boolean): ResetReason | null {
  const { notedCluster, cluster, notedTimeline, timeline, isAhead, isWhole } = found;
  if (isAhead || (notedCluster && cluster && notedCluster !== cluster)) return "other cluster";
  if (!isWhole) return "older state";
  // Gateways that ran when the timeline began have checked whether events were lost.
  return isStart && notedTimeline && timeline && notedTimeline !== timeline ? "unseen failover" : null;
}

/** The WAL file name begins with the timeline, which pg_control_checkpoint shows late. */
const cluster = sql`(select c.system_identifier::text from pg_control_system() c) as cluster,
  case when pg_is_in_recovery() then (select c.timeline_id from pg_control_checkpoint() c)
    else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline`;

/** If these functions are not permitted, only the events show what has happened. */
const unknownCluster = sql`null::text as cluster, null::int as timeline`;

/** Insufficient privilege, undefined function, a feature that is not supported, a state that does not allow it. */
const refusals: ReadonlySet<string | undefined> = new Set(["42501", "42883", "0A000", "55000"]);

async function examine(database: Queries, delivered: readonly OutboxPosition[]): Promise<Found> {
  const find = async (clusterIs: Sql) => {
    const [found] = await database.query<Found>(statementOf(delivered, clusterIs), { limitMs });
    if (!found) throw new Error("The table OutboxTrim is empty");
    return found;
  };
  try {
    return await find(cluster);
  } catch (error) {
    if (error instanceof pg.DatabaseError && refusals.has(error.code)) return find(unknownCluster);
    throw error;
  }
}

function statementOf(delivered: readonly OutboxPosition[], clusterIs: Sql): Sql {
  return sql`
    select t.epoch, ${serverStart} as server, t."resetAt", t."resetReason", t."systemIdentifier" as "notedCluster",
      t.timeline as "notedTimeline", ${clusterIs},
      greatest(t."transactionId", (select max(o."transactionId") from "OutboxEvent" o)) - t."transactionOffset"
        >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint as "isAhead",
      not exists (select from unnest(${delivered.map(({ transaction }) => transaction)}::bigint[],
          ${delivered.map(({ id }) => id)}::bigint[], ${delivered.map(writtenAt)}::timestamptz[]) k (transaction, id, at)
        where (k.transaction, k.id) > (t."transactionId", t."eventId") and not exists (select from "OutboxEvent" o
          where o.id = k.id and o."transactionId" = k.transaction and o."createdAt" = coalesce(k.at, o."createdAt"))
      ) as "isWhole"
    from "OutboxTrim" t`;
}

/** Records the cluster of the events, once. A replica gets it from the server that it follows. */
async function noteCluster(database: Queries, found: Found): Promise<void> {
  const { cluster, timeline, notedCluster, notedTimeline } = found;
  if (!cluster || (cluster === notedCluster && timeline === notedTimeline)) return;
  await database.query(
    sql`update "OutboxTrim" set "systemIdentifier" = ${cluster}, timeline = ${timeline}::int where epoch = ${found.epoch}
      and current_setting('transaction_read_only') = 'off'`,
    { limitMs },
  );
}

/**
 * Begins an epoch unless another process did. If the cluster's transaction ids are behind those of the events, new ones
 * are raised by the column's default, at no cost to writers; so are events already written here: the only ones whose
 * rows are of the transaction that they name.
 */
async function beginEpoch(database: Queries, found: Found, reason: ResetReason): Promise<void> {
  const { epoch, cluster, timeline } = found;
  const noted = pg.escapeLiteral(JSON.stringify({ epoch, cluster, timeline, reason }));
  await database.query(
    rawSql(`do $begin$
    declare
      noted json := ${noted.replaceAll("$", "")};
      mark "OutboxTrim"%rowtype;
      oldest bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
      last_foreign bigint;
      highest bigint;
      raised bigint;
    begin
      select * into mark from "OutboxTrim" where epoch = noted->>'epoch' for update;
      if not found then return; end if;
      raised := mark."transactionOffset";
      highest := greatest(mark."transactionId", (select max("transactionId") from "OutboxEvent"));
      if noted->>'reason' = 'other cluster' and highest - raised >= oldest then
        lock table "OutboxEvent" in access exclusive mode;
        select coalesce(max(id), 0) into last_foreign from "OutboxEvent"
          where xmin::text::bigint <> ("transactionId" - raised) & 4294967295;
        select least(oldest, min("transactionId") - raised) into oldest from "OutboxEvent" where id > last_foreign;
        select greatest(mark."transactionId", max("transactionId")) into highest
          from "OutboxEvent" where id <= last_foreign;
        if highest - raised >= oldest then
          raised := highest + 1 - oldest;
          update "OutboxEvent" set "transactionId" = "transactionId" - mark."transactionOffset" + raised
            where id > last_foreign;
          execute format('alter table "OutboxEvent" alter column "transactionId"
            set default (pg_current_xact_id()::text)::bigint + %s', raised);
          ${raisedSegments};
        end if;
      end if;
      update "OutboxTrim" set epoch = left(md5(gen_random_uuid()::text), 8), "transactionOffset" = raised,
        "systemIdentifier" = noted->>'cluster', timeline = (noted->>'timeline')::int,
        "resetAt" = now(), "resetReason" = noted->>'reason';
    end $begin$`),
  );
}
