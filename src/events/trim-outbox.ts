// Removing old events: the outbox keeps a day of them, and records up to where they were removed.
import { sql } from "#src/db/database.ts";
import type { Job } from "#src/jobs/job.ts";

/** How long events are kept at least, in hours. */
const eventsKeptHours = 24;

/**
 * Removes the events before the first one that is younger than a day, and records the last one removed in OutboxTrim: a
 * stream that comes back with a cursor from before that has missed something, and gets `Resync`.
 */
export const trimOutbox: Job = {
  name: "outbox.trim",
  schedule: "17 * * * *",
  async run({ database, clock, log }) {
    const limit = new Date(clock.now().getTime() - eventsKeptHours * 3_600_000).toISOString();
    const [{ count } = { count: 0 }] = await database.query<{ count: number }>(sql`
      with kept as (
        select o."transactionId", o.id from "OutboxEvent" o where o."createdAt" >= ${limit}::timestamptz
          or o."transactionId" >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        order by o."transactionId", o.id limit 1),
      gone as (
        delete from "OutboxEvent" o where o."createdAt" < ${limit}::timestamptz
          and o."transactionId" < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
          and not exists (select from kept k where (o."transactionId", o.id) >= (k."transactionId", k.id))
        returning o."transactionId", o.id),
      mark as (
        update "OutboxTrim" t set "transactionId" = l."transactionId", "eventId" = l.id
        from (select g."transactionId", g.id from gone g order by g."transactionId" desc, g.id desc limit 1) l
        returning t.id)
      select count(*) from gone`);
    if (count > 0) log.info({ events: count }, "old events removed");
  },
};
