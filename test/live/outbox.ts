// The event table, read directly: the events that every subscriber must have received in the end.
import type pg from "pg";
import { encodeEventCursor } from "#src/events/outbox-position.ts";

/** An event with its cursor. */
export interface Entry {
  readonly cursor: string;
  readonly type: string;
  readonly subjectId: string;
}

/** A filter: events of a space or organization with one of these types or type prefixes. */
export interface Wanted {
  readonly spaceId?: string;
  readonly organizationId?: string;
  readonly types: readonly string[];
}

/** All committed events, in order. */
export async function readTable(pool: pg.Pool, { spaceId, organizationId, types }: Wanted): Promise<Entry[]> {
  const { rows } = await pool.query<Record<"epoch" | "transactionId" | "id" | "at" | "type" | "subjectId", string>>(
    `select (select epoch from "OutboxTrim") as epoch, "transactionId", id, extract(epoch from "createdAt") * 1000 as at,
        type, "subjectId" from "OutboxEvent"
      where "spaceId" is not distinct from coalesce($1, "spaceId") and "organizationId" is not distinct from coalesce($2, "organizationId")
        and (split_part(type, '.', 1) = any($3) or type = any($3))
      order by "transactionId", id`,
    [spaceId ?? null, organizationId ?? null, types],
  );
  return rows.map(({ epoch, transactionId, id, at, type, subjectId }) => ({
    cursor: encodeEventCursor({ epoch, transaction: Number(transactionId), id: Number(id), at: Number(at) }),
    type,
    subjectId,
  }));
}

/** Waits until no transaction of the server is older than an event; no reader may see the event before that. */
export async function settled(pool: pg.Pool): Promise<void> {
  const isWaiting = `select exists (select from "OutboxEvent"
    where "transactionId" >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint) as "isWaiting"`;
  while ((await pool.query<{ isWaiting: boolean }>(isWaiting)).rows[0]?.isWaiting)
    await new Promise((resolve) => setTimeout(resolve, 10));
}
