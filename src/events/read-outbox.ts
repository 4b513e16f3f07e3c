// Reads the outbox in its one order, never past a transaction that may still commit events before those read.
import { type Database, emptySql, identifier, type Sql, sql } from "#src/db/connection/database.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { safePosition } from "#src/events/safe-position.ts";
import {
  comparePositions,
  isSamePosition,
  type OutboxPosition,
  outboxStart,
  writtenAt,
} from "#src/events/outbox-position.ts";
import { inText, noSegment, type Segment, segmentFor, segmentIdFor } from "#src/events/segments.ts";

/** The events of some spaces, of some organizations, or of users on their own accounts, in no organization. */
export interface EventScope {
  readonly by: "spaceId" | "organizationId" | "actorId";
  readonly ids: readonly string[];
}

export interface OutboxReading {
  readonly events: readonly StoredEvent[];
  /** Where to continue: the last event, or where the reading began. */
  readonly position: OutboxPosition;
  /** Whether more events may follow: the limit was reached. */
  readonly hasMore: boolean;
  /** Whether further events have to wait for the end of an older transaction. */
  readonly isWaiting: boolean;
  /** The id of the transaction that they wait for, without the offset; meaningless without waiting events. */
  readonly horizon: number;
  /** The last event that was removed by age; readers before it have missed events. */
  readonly trimmed: OutboxPosition;
  /** Whether the event that the reading started after exists, or was removed by age; of the current epoch. */
  readonly isThere: boolean;
  readonly server: string;
  /** The segment that contains everything after `after`, together with later ones. */
  readonly segment: Segment;
}

/** The result of a read besides events: waiting, safe position, epoch, server, existence of `after`; mark; segment. */
type Head = [
  boolean,
  number,
  string,
  string,
  boolean,
  ...[transaction: number, id: number, at: number],
  ...[segment: number | null, firstTransaction: number | null],
];

interface Row {
  /** A {@link Head} as JSON: the same in all rows, so that it is parsed once. */
  head: string;
  id: number | null;
  transaction: number;
  type: StoredEvent["type"];
  subjectId: string;
  organizationId: string | null;
  spaceId: string | null;
  actorId: string | null;
  payload: StoredEvent["payload"];
  segment: number;
  occurredAt: string;
}

interface OutboxQuestion {
  readonly after: OutboxPosition;
  /** The last event to read if known, else all up to the safe position (which may be earlier by now). */
  readonly until?: OutboxPosition | undefined;
  readonly limit: number;
  readonly scope?: EventScope | undefined;
  /** A segment of the history of `after`, known from an earlier read: earlier segments are not read. */
  readonly segment?: Segment | undefined;
  readonly limitMs?: number | undefined;
}

/** The id of the first segment to read, if known. */
const firstSegment = (after: OutboxPosition, known: Segment = noSegment): Sql =>
  inText([after.transaction >= known.firstTransaction ? known.id : noSegment.id]);

/**
 * Up to `limit` events after `after`, oldest first. Ids alone would lose events, since a lower one may commit later:
 * reading ends at the {@link safePosition}, before the oldest open transaction of ours; later events wait
 * (`isWaiting`).
 */
export async function readOutbox(
  database: Pick<Database, "query">,
  { after, until, limit, scope, limitMs, segment: known }: OutboxQuestion,
): Promise<OutboxReading> {
  const from = firstSegment(after, known);
  const statement = sql`
    with ${safePosition}, look as materialized (
      select h.id, json_build_array(
        coalesce(h.id <= (select w."transactionId" from "OutboxEvent" w where w.segment >= ${from}
          and (w."transactionId", w.id) > (${after.transaction}::bigint, ${after.id}::bigint)
          order by w."transactionId" desc, w.id desc limit 1), false),
        h.id - t."transactionOffset", t.epoch, ${serverStart}, ${isKept(after, from)},
        t."transactionId", t."eventId", (extract(epoch from t."eventAt") * 1000)::bigint,
        s.id, s."firstTransaction")::text as head
      from horizon h cross join "OutboxTrim" t left join ${segmentFor(sql`${after.transaction}::bigint`)} s on true)
    select l.head, e.id, e."transactionId" as transaction, e.type, e."subjectId",
      e."organizationId", e."spaceId", e."actorId", e.payload, e.segment, e."createdAt" as "occurredAt"
    from look l
    left join lateral (select * from "OutboxEvent" o
      where o.segment >= ${from} and (o."transactionId", o.id) > (${after.transaction}::bigint, ${after.id}::bigint) and ${isReadable(until)} ${inScope(scope)}
      order by o."transactionId", o.id limit ${limit}) e on true
    order by e."transactionId", e.id`;
  const rows = await database.query<Row>(statement, { limitMs });
  const [first] = rows;
  if (!first) throw noTrim();
  const head = JSON.parse(first.head) as Head; // written by the statement
  const [isWaiting, oldest, epoch, server, isAfterThere, transaction, id, at, segment, firstTransaction] = head;
  const events = rows.flatMap((row) => (row.id === null ? [] : [eventOf({ ...row, id: row.id }, epoch)]));
  return {
    events,
    position: events.at(-1)?.position ?? after,
    hasMore: events.length === limit,
    isWaiting,
    horizon: oldest,
    trimmed: { epoch, transaction, id, at },
    isThere: isAfterThere && epoch === after.epoch,
    server,
    segment: segment === null || firstTransaction === null ? noSegment : { id: segment, firstTransaction },
  };
}

/** SQL for whether an event is read: up to a known one, or up to where no earlier event can appear. */
const isReadable = (until: OutboxPosition | undefined): Sql =>
  until
    ? sql`(o."transactionId", o.id) <= (${until.transaction}::bigint, ${until.id}::bigint)`
    : sql`o."transactionId" < l.id`;

/** The start time of the server: another one means another server, or a restart from its log. */
export const serverStart = sql`extract(epoch from pg_postmaster_start_time())::text`;

/** SQL for whether a position's event exists in segments from `from` on, or may have been removed. */
function isKept(position: OutboxPosition, from: Sql): Sql {
  const { transaction, id } = position;
  return sql`((t."transactionId", t."eventId") >= (${transaction}::bigint, ${id}::bigint) or exists (
    select from "OutboxEvent" k where k.segment >= ${from} and k."transactionId" = ${transaction}::bigint and k.id = ${id}::bigint
      and k."createdAt" = coalesce(${writtenAt(position)}::timestamptz, k."createdAt")))`;
}

/** Whether the event of a position of the current epoch exists, or was removed by age. */
export async function isThere(database: Pick<Database, "query">, position: OutboxPosition): Promise<boolean> {
  const [found] = await database.query<{ isThere: boolean }>(
    sql`select ${isKept(position, segmentIdFor(sql`${position.transaction}::bigint`))} and t.epoch = ${position.epoch} as "isThere" from "OutboxTrim" t`,
  );
  return found?.isThere ?? false;
}

/** The last event before the safe position, or the last removed: ids of rolled back transactions are used again. */
export async function findEnd(database: Pick<Database, "query">): Promise<OutboxPosition> {
  const [end] = await database.query<Omit<OutboxPosition, "at"> & { at: string }>(sql`
    with ${safePosition}
    select t.epoch, coalesce(e."transactionId", t."transactionId") as transaction, coalesce(e.id, t."eventId") as id,
      coalesce(e."createdAt", t."eventAt") as at
    from "OutboxTrim" t left join lateral (select o."transactionId", o.id, o."createdAt" from "OutboxEvent" o
      where o."transactionId" < (select h.id from horizon h)
      order by o."transactionId" desc, o.id desc limit 1) e on true`);
  if (!end) throw noTrim();
  return { ...end, at: Date.parse(end.at) };
}

function isInScope(event: StoredEvent, scope: EventScope): boolean {
  const id = event[scope.by];
  if (scope.by === "actorId" && event.organizationId !== null) return false;
  return id !== null && scope.ids.includes(id);
}

function inScope(scope: EventScope | undefined): Sql {
  if (!scope) return emptySql;
  const nowhere = scope.by === "actorId" ? sql` and o."organizationId" is null` : emptySql;
  return sql`and ${identifier("o", scope.by)} = any(${scope.ids}::text[])${nowhere}`;
}

function eventOf(row: Row & { id: number }, epoch: string): StoredEvent {
  const { id, transaction, occurredAt, segment, type, subjectId, organizationId, spaceId, actorId, payload } = row;
  const position = { epoch, transaction, id, at: Date.parse(occurredAt) };
  return { position, segment, type, subjectId, organizationId, spaceId, actorId, payload, occurredAt };
}

/** The migration wrote its only row, and nothing deletes it. */
const noTrim = () => new Error("The table OutboxTrim is empty");
const mostRecent = 20_000;

/** The newest events, in memory, so that streams that reconnect soon cost no statement. */
export class RecentEvents {
  #events: StoredEvent[] = [];
  /** It contains all events after this one, up to where was read. */
  after: OutboxPosition = outboxStart;

  clear(after: OutboxPosition): void {
    this.after = after;
    this.#events = [];
  }

  keep(events: readonly StoredEvent[]): void {
    this.#events.push(...events);
    const surplus = this.#events.length - mostRecent;
    if (surplus <= 0) return;
    const last = this.#events[surplus - 1];
    if (last) this.after = last.position;
    this.#events = this.#events.slice(surplus);
  }

  /** The events after one position, up to another, of a scope if given. */
  between(after: OutboxPosition, until: OutboxPosition, scope?: EventScope): StoredEvent[] {
    const events = this.#events.slice(this.#indexAfter(after), this.#indexAfter(until));
    return scope ? events.filter((event) => isInScope(event, scope)) : events;
  }

  /** Whether a position that is not before these belongs to one of them. */
  has(position: OutboxPosition): boolean {
    const event = this.#events[this.#indexAfter(position) - 1];
    return isSamePosition(event?.position ?? this.after, position);
  }

  get positions(): OutboxPosition[] {
    return this.#events.map(({ position }) => position);
  }

  #indexAfter(position: OutboxPosition): number {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = this.#events[middle];
      if (event && comparePositions(event.position, position) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
