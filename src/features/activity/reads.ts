// Reading what has happened: the events of the outbox, which keeps them for months, by the rights of the viewer now.
import { mayHear } from "#src/access/hearing.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity } from "#src/db/entity.ts";
import { byTime } from "#src/db/orders.ts";
import type { PageList } from "#src/db/page-list.ts";
import { passingEvents } from "#src/events/declared.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { withRoleOnSpace } from "#src/features/spaces/access.ts";

interface EventRow {
  readonly id: string;
  readonly event: StoredEvent;
  /** That of the event in a stream. */
  readonly cursor: string;
}

/** Ids as `eventId` makes them, cursors as `encodeEventCursor` does. */
const happened = entity<EventRow, Viewer>({
  kind: "Event",
  table: sql`(select 'evt_' || lpad(o.id::text, 26, '0') as id, o.id as number, o."transactionId", o.type, o."subjectId",
    o."organizationId", o."spaceId", o."actorId", o.payload, o."createdAt" from "OutboxEvent" o)`,
  stored: { id: "id" },
  derived: {
    event: () => sql`json_build_object('position', json_build_object('transaction', t."transactionId", 'id', t.number),
      'type', t.type, 'subjectId', t."subjectId", 'organizationId', t."organizationId", 'spaceId', t."spaceId", 'actorId', t."actorId",
      'payload', t.payload, 'occurredAt', to_char(t."createdAt", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
    cursor: () => sql`rtrim(translate(encode(convert_to('e' || t."transactionId" || '.' || t.number, 'UTF8'), 'base64'),
      '+/', '-_'), '=')`,
  },
  visible: mayHear,
});

/** Which of them: those of these types. */
export interface ActivityFilter {
  readonly types: readonly string[];
}

const newestFirst = {
  entity: happened,
  visible: "by its own rule",
  order: byTime("createdAt", "desc"),
  where: ({ types }: ActivityFilter) => sql`t.type = any(${types.filter((type) => !isPassing(type))}::text[])`,
} as const;

const passing: ReadonlySet<string> = passingEvents;
const isPassing = (type: string) => passing.has(type);

export const activityOfOrganization: PageList<EventRow, Viewer, ActivityFilter> = {
  ...newestFirst,
  parent: sql`t."organizationId" = p.id`,
};

export const activityOfSpace: PageList<EventRow, Viewer, ActivityFilter, { id: string; isAccessible: boolean }> = {
  ...newestFirst,
  parent: sql`t."spaceId" = p.id`,
  guard: withRoleOnSpace,
};

/** What happens to a change request, to its content, its reviews and the comments on it. */
export const activityOfChangeRequest: PageList<EventRow, Viewer, ActivityFilter> = {
  ...newestFirst,
  parent: sql`coalesce(t.payload ->> 'changeRequestId', t."subjectId") = p.id`,
};
