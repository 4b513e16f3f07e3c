// How long events are kept: for a day every stream can be continued; what has happened stays for 90 days at least.
import { type Database, sql } from "#src/db/connection/database.ts";
import { passingEvents } from "#src/events/declared.ts";
import { safePosition } from "#src/events/safe-position.ts";
import { beginSegment, dropSegments, segmentIdFor } from "#src/events/segments.ts";
import type { Job } from "#src/jobs/job.ts";

/** How long streams can be continued at least, in hours. */
const continuedHours = 24;

/** How long what has happened can be read at least, in hours. */
export const keptHours = 90 * 24;

/** How long a segment is written, in hours: events are gone at most so long after they may be. */
const segmentHours = 7 * 24;

/**
 * Moves the mark of OutboxTrim to a day ago (older cursors get `Resync`), removes passing events, drops segments after
 * 90 days.
 */
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
      log.warn("the outbox is in use all the time: its next segment begins later");
    const segments = await dropSegments(database, before(keptHours));
    if (passed + segments > 0) log.info({ passed, segments }, "old events removed");
  },
};

/** The most events that the mark passes in one statement. */
const batch = 10_000;

/** Moves the mark by a batch at most. Says how many passing events were removed, and whether it is where it belongs. */
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
  if (!moved) throw new Error("a statement that always has one row gave none");
  return moved;
}
