// The partitions of the outbox, written one after the other and dropped whole: their number does not matter.
// Retention: streams can be continued for a day, and the history is readable for at least 90 days.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Database, type Queries, rawSql, type Sql, sql } from "#src/db/connection/database.ts";
import { passingEvents } from "#src/events/declared.ts";
import { safePosition } from "#src/events/safe-position.ts";
import type { Job } from "#src/jobs/job.ts";

/** A segment, and a transaction that is after all events of earlier segments. */
export interface Segment {
  readonly id: number;
  readonly firstTransaction: number;
}

/** The default: nothing is before it. */
export const noSegment: Segment = { id: 0, firstTransaction: 0 };

/** SQL for the last segment without earlier events after a transaction: its columns, or no row. */
export const segmentFor = (transaction: Sql): Sql => sql`(select s.id, s."firstTransaction" from "OutboxSegment" s
  where s."firstTransaction" <= ${transaction} order by s.id desc limit 1)`;

/** SQL for the id of that segment. */
export const segmentIdFor = (transaction: Sql): Sql =>
  sql`coalesce((select s.id from ${segmentFor(transaction)} s), ${inText([noSegment.id])})`;

/** Segment ids as literals, so that PostgreSQL plans without the other partitions. */
export const inText = (ids: readonly number[]): Sql => rawSql(ids.join(", "));

/** A statement that moves the starts of segments after the events of earlier ones, when events were raised. */
export const raisedSegments = `update "OutboxSegment" s set "firstTransaction" = greatest(s."firstTransaction",
  (select max(o."transactionId") + 1 from "OutboxEvent" o where o.segment < s.id))`;

/** How long a statement waits for other users of the table, in milliseconds: all later ones then wait for it. */
const lockWaitMs = 250;

/** How often an exclusive lock of the table is tried, and the pause between, in milliseconds. */
const [tries, restMs] = [10, 1000] as const;

/**
 * Starts a segment if the last one is older than `before`; false if the table was in use all the time. It runs while
 * no transaction has uncommitted events: so earlier segments only contain ended transactions.
 */
export async function beginSegment(database: Queries, before: Date): Promise<boolean> {
  const isDue = sql`not exists (select from "OutboxSegment" s where s."begunAt" >= ${before.toISOString()}::timestamptz)`;
  const [found] = await database.query<{ id: number }>(
    sql`select max(s.id) + 1 as id from "OutboxSegment" s having ${isDue}`,
  );
  if (!found) return true;
  const { id } = found;
  return alone(
    database,
    `if not exists (select from "OutboxSegment" where id >= ${id}) then -- no other process was faster
      create table ${partition(id)} partition of "OutboxEvent" for values in (${id});
      alter table only "OutboxEvent" alter column segment set default ${id};
      insert into "OutboxSegment" (id, "firstTransaction")
        select ${id}, pg_snapshot_xmax(pg_current_snapshot())::text::bigint + t."transactionOffset" from "OutboxTrim" t;
    end if;`,
  );
}

/** Drops segments without events since `before` that are before the mark of OutboxTrim; returns their number. */
async function dropSegments(database: Queries, before: Date): Promise<number> {
  const old = await database.query<{ id: number }>(sql`
    select s.id from "OutboxSegment" s cross join "OutboxTrim" t
    where exists (select from "OutboxSegment" n where n.id > s.id and n."begunAt" < ${before.toISOString()}::timestamptz)
      and (select e.id from "OutboxEvent" e
        where e.segment = s.id and (e."transactionId", e.id) > (t."transactionId", t."eventId")
        order by e."transactionId", e.id limit 1) is null -- one look into the index, however many there are
    order by s.id`);
  let count = 0;
  for (const { id } of old) {
    const isDropped = await alone(
      database,
      `drop table if exists ${partition(id)};
      delete from "OutboxSegment" where id = ${id};`,
    );
    if (!isDropped) break;
    count += 1;
  }
  return count;
}

const partition = (id: number): string => `"OutboxEvent_${id}"`;

/** Runs work in one transaction with an exclusive lock of the table. False if others use it at each try. */
async function alone(database: Queries, what: string): Promise<boolean> {
  const statement = rawSql(`do $alone$ begin
    perform set_config('lock_timeout', '${lockWaitMs}', true);
    lock table only "OutboxEvent" in access exclusive mode;
    ${what}
  end $alone$`);
  for (let left = tries; ;) {
    try {
      await database.query(statement);
      return true;
    } catch (error) {
      if (!isLockTimeOut(error)) throw error;
      if (--left === 0) return false;
    }
    await sleep(restMs);
  }
}

/** Whether a lock was not available in time (lock_not_available). */
const isLockTimeOut = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "55P03";

/** How long streams can be continued at least, in hours. */
const continuedHours = 24;

/** How long the history can be read at least, in hours. */
export const keptHours = 90 * 24;

/** How long a segment is written, in hours: events are deleted at most this long after their retention. */
const segmentHours = 7 * 24;

/** Moves the mark to a day ago (older cursors get `Resync`), deletes temporary events, drops segments after 90 days. */
export const trimOutbox: Job = {
  name: "outbox.trim",
  schedule: "17 * * * *",
  removesByAge: true,
  async run({ database, clock, log }) {
    const before = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000);
    let passed = 0;
    for (let isThrough = false; !isThrough;) {
      const step = await moveMark(database, before(continuedHours));
      passed += step.passed;
      isThrough = step.isThrough;
    }
    if (!(await beginSegment(database, before(segmentHours))))
      log.warn("the outbox is in use all the time: its next segment starts later");
    const segments = await dropSegments(database, before(keptHours));
    if (passed + segments > 0) log.info({ passed, segments }, "deleted old events");
  },
};

const batch = 10_000;

/** Moves the mark by at most a batch. Returns how many temporary events were deleted, and whether it has arrived. */
async function moveMark(database: Pick<Database, "query">, day: Date): Promise<{ passed: number; isThrough: boolean }> {
  const [moved] = await database.query<{ passed: number; isThrough: boolean }>(sql`
    with ${safePosition}, mark as materialized (select t."transactionId", t."eventId" from "OutboxTrim" t),
    next as materialized (
      select o."transactionId", o.id, o."createdAt", o.type, o.segment from "OutboxEvent" o
      where o.segment >= ${segmentIdFor(sql`(select m."transactionId" from mark m)`)}
        and (o."transactionId", o.id) > ((select m."transactionId" from mark m), (select m."eventId" from mark m))
        and o."transactionId" < (select h.id from horizon h)
      order by o."transactionId", o.id limit ${batch}),
    kept as (select n."transactionId", n.id from next n where n."createdAt" >= ${day.toISOString()}::timestamptz
      order by n."transactionId", n.id limit 1),
    old as (select n.* from next n
      where not exists (select from kept k where (n."transactionId", n.id) >= (k."transactionId", k.id))),
    moved as (
      update "OutboxTrim" t set "transactionId" = l."transactionId", "eventId" = l.id, "eventAt" = l."createdAt"
      from (select * from old order by "transactionId" desc, id desc limit 1) l
      where (l."transactionId", l.id) > (t."transactionId", t."eventId")),
    gone as (
      delete from "OutboxEvent" e using old o
      where o.type = any(${[...passingEvents]}::text[]) and e.segment = o.segment and e.id = o.id returning 1)
    select (select count(*)::int from gone) as passed, (select count(*) from old) < ${batch} as "isThrough"`);
  if (!moved) throw new Error("a statement that always returns one row returned none");
  return moved;
}
