// How far installations are behind what has happened: events that they were not told of, and told ones that wait.
import { type Queries, sql } from "#src/db/connection/database.ts";
import { segmentIdFor } from "#src/events/segments.ts";

/** The age of the oldest of each, in seconds; 0 where there is none. */
export interface Undelivered {
  readonly untoldSeconds: number;
  readonly waitingSeconds: number;
  readonly waiting: number;
}

/** Reads it, for all installations together. */
export async function readUndelivered(database: Queries): Promise<Undelivered> {
  const [row] = await database.query<Undelivered>(sql`
    select coalesce(extract(epoch from now() - untold.at), 0)::float as "untoldSeconds",
      coalesce(extract(epoch from now() - waiting.at), 0)::float as "waitingSeconds", waiting.count as waiting
    from (select min("createdAt") as at, count(*)::int as count from "IntegrationEvent" where status = 'pending') waiting
    left join lateral (
      select e."createdAt" as at from "IntegrationFeed" f cross join lateral (select ${segmentIdFor(sql`f."transactionId"`)} as id) s
      join "OutboxEvent" e on e.segment >= s.id and (e."transactionId", e.id) > (f."transactionId", f."eventId")
      order by e."transactionId", e.id limit 1) untold on true`);
  return row ?? { untoldSeconds: 0, waitingSeconds: 0, waiting: 0 };
}
