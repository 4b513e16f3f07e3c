// How long events are kept: for a day every stream can be continued; what has happened can be read for 90 days.
import { sql } from "#src/db/database.ts";
import { removeInBatches } from "#src/db/remove-in-batches.ts";
import { passingEvents } from "#src/events/declared.ts";
import { horizon } from "#src/events/horizon.ts";
import type { Job } from "#src/jobs/job.ts";

/** How long streams can be continued at least, in hours. */
const continuedHours = 24;

/** How long events are kept, in hours. */
export const keptHours = 90 * 24;

/**
 * Moves the mark in OutboxTrim to the last event before the first one that is younger than a day: a stream that comes
 * back with a cursor from before the mark gets `Resync`. Removes the events before the mark that are of no interest any
 * more: those of more than 90 days, and those that say how things were at a moment.
 */
export const trimOutbox: Job = {
  name: "outbox.trim",
  schedule: "17 * * * *",
  removesByAge: true,
  async run({ database, clock, log }) {
    const before = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000).toISOString();
    await database.query(sql`
      with ${horizon}, kept as (
        select o."transactionId", o.id from "OutboxEvent" o where o."createdAt" >= ${before(continuedHours)}::timestamptz
          or o."transactionId" >= (select h.id from horizon h)
        order by o."transactionId", o.id limit 1),
      last as (
        select o."transactionId", o.id, o."createdAt" from "OutboxEvent" o
        where o."transactionId" < (select h.id from horizon h)
          and not exists (select from kept k where (o."transactionId", o.id) >= (k."transactionId", k.id))
        order by o."transactionId" desc, o.id desc limit 1)
      update "OutboxTrim" t set "transactionId" = l."transactionId", "eventId" = l.id, "eventAt" = l."createdAt" from last l
      where (l."transactionId", l.id) > (t."transactionId", t."eventId")`);
    const total = await removeInBatches(
      database,
      (most) => sql`delete from "OutboxEvent" o where o.id in (
        select e.id from "OutboxEvent" e, "OutboxTrim" t
        where (e."transactionId", e.id) <= (t."transactionId", t."eventId")
          and (e."createdAt" < ${before(keptHours)}::timestamptz
            or (e."createdAt" >= ${before(2 * continuedHours)}::timestamptz and e.type = any(${[...passingEvents]}::text[])))
        limit ${most})`,
    );
    if (total > 0) log.info({ events: total }, "old events removed");
  },
};
