// Positions in the outbox, and event cursors: the opaque texts that carry them to clients and back.
import { invalidInput } from "#src/base/errors.ts";

/**
 * A position in the outbox, in the one order that all readers see: by transaction, then by event. It is that of an
 * event or of the mark in OutboxTrim. A restored database reuses ids, so it also names the epoch (history.ts) and when
 * the event was written.
 */
export interface OutboxPosition {
  readonly epoch: string;
  /** The 64-bit id of the writing transaction (xid8), plus the offset in OutboxTrim. */
  readonly transaction: number;
  readonly id: number;
  /** When the event was written, in milliseconds since 1970; null in cursors of earlier releases. */
  readonly at: number | null;
}

/** The epoch of a database whose history never went back; that of cursors without an epoch. */
const firstEpoch = "0";

/** Before everything in the first epoch. */
export const outboxStart: OutboxPosition = { epoch: firstEpoch, transaction: 0, id: 0, at: null };

/** Below 0, 0 or above 0 as the first is before, at or after the second, of the same epoch. */
export const comparePositions = (one: OutboxPosition, other: OutboxPosition): number =>
  one.transaction - other.transaction || one.id - other.id;

/** Whether both are of the same event, as far as both contain the time of writing. */
export function isSamePosition(one: OutboxPosition, other: OutboxPosition): boolean {
  const isSameTime = one.at === other.at || one.at === null || other.at === null;
  return one.epoch === other.epoch && isSameTime && comparePositions(one, other) === 0;
}

/** When the event of a position was written, as ISO text; null if unknown. */
export const writtenAt = ({ at }: OutboxPosition): string | null => (at === null ? null : new Date(at).toISOString());

/** The cursor of a position: the same on every gateway of one database. */
export function encodeEventCursor({ epoch, transaction, id, at }: OutboxPosition): string {
  const text = at === null ? `e${transaction}.${id}` : `e${epoch}.${transaction}.${id}.${at}`;
  return Buffer.from(text).toString("base64url");
}

/** The longest cursor, in characters. */
const longest = 100;

/** Parses a cursor. Throws INVALID_INPUT naming `argument` if it is invalid. */
export function decodeEventCursor(cursor: string, argument: string): OutboxPosition {
  const text = Buffer.from(cursor.slice(0, longest), "base64url").toString("latin1");
  const position = fullPosition(text) ?? formerPosition(text);
  if (position && encodeEventCursor(position) === cursor) return position;
  throw invalidInput(
    argument,
    "must be a cursor of events; take it from a message of a subscription or from `eventCursor`.",
  );
}

/** The latest time of JavaScript, in milliseconds since 1970. */
const latest = 8.64e15;

function fullPosition(text: string): OutboxPosition | null {
  const [, epoch, transaction, id, at] = /^e([0-9a-f]{1,16})\.(\d{1,16})\.(\d{1,16})\.(\d{1,16})$/.exec(text) ?? [];
  return safe({ epoch: epoch ?? "", transaction: Number(transaction), id: Number(id), at: Number(at) });
}

function formerPosition(text: string): OutboxPosition | null {
  const [, transaction, id] = /^e(\d{1,16})\.(\d{1,16})$/.exec(text) ?? [];
  return safe({ epoch: firstEpoch, transaction: Number(transaction), id: Number(id), at: null });
}

function safe(position: OutboxPosition): OutboxPosition | null {
  const { transaction, id, at } = position;
  const isTime = at === null || at <= latest;
  return Number.isSafeInteger(transaction) && Number.isSafeInteger(id) && isTime ? position : null;
}
