// Positions in the outbox, and event cursors: the opaque texts that carry them to clients and back.
import { invalidInput } from "#src/base/errors.ts";

/**
 * A position in the outbox: everything up to this event, in the one order that all readers see. Events of a transaction
 * are next to each other, in the order in which they were written; transactions are in the order of their ids, which is
 * the same for all processes on one database.
 */
export interface OutboxPosition {
  /** The 64-bit id of the writing transaction (xid8). */
  readonly transaction: number;
  /** The id of the event. */
  readonly id: number;
}

/** Below 0, 0 or above 0 as the first is before, at or after the second. */
export function comparePositions(one: OutboxPosition, other: OutboxPosition): number {
  return one.transaction - other.transaction || one.id - other.id;
}

/** The cursor of a position: the same on every gateway of one database. */
export function encodeEventCursor({ transaction, id }: OutboxPosition): string {
  return Buffer.from(`e${transaction}.${id}`).toString("base64url");
}

/** Reads a cursor back. Throws INVALID_INPUT naming `argument` for anything else. */
export function decodeEventCursor(cursor: string, argument: string): OutboxPosition {
  const text = Buffer.from(cursor.slice(0, 60), "base64url").toString("latin1");
  const [, transaction, id] = /^e(\d{1,16})\.(\d{1,16})$/.exec(text) ?? [];
  const position = { transaction: Number(transaction), id: Number(id) };
  const isSafe = Number.isSafeInteger(position.transaction) && Number.isSafeInteger(position.id);
  if (isSafe && encodeEventCursor(position) === cursor) return position;
  throw invalidInput(
    argument,
    "not a cursor of events; take it from a message of a subscription or from `eventCursor`.",
  );
}
