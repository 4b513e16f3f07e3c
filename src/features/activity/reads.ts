// Reads of past events from the outbox, which keeps them for months, filtered by the current rights of the viewer.
import { canSeeCollection, isAccessible } from "#src/access/content.ts";
import { mayReceive } from "#src/access/audience.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity } from "#src/db/reading/entity.ts";
import { byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import { passingEvents } from "#src/events/declared.ts";
import { epoch } from "#src/events/history.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { withRoleOnSpace } from "#src/features/spaces/access.ts";

interface EventRow {
  readonly id: string;
  readonly event: StoredEvent;
  readonly cursor: string;
}

const columns = sql`'evt_' || lpad(o.id::text, 26, '0') as id, o.id as number, o."transactionId", o.type, o."subjectId",
  o."organizationId", o."spaceId", o."actorId", o.payload, o."createdAt", o.segment`;

/** The time when an event was written, in milliseconds since 1970. */
const at = sql`(extract(epoch from t."createdAt") * 1000)::bigint`;

/** Ids equal those of `eventId`, cursors those of `encodeEventCursor`. */
const happened = entity<EventRow, Viewer>({
  kind: "Event",
  table: sql`(select ${columns} from "OutboxEvent" o)`,
  stored: { id: "id" },
  derived: {
    event: () => sql`json_build_object('position',
      json_build_object('epoch', ${epoch}, 'transaction', t."transactionId", 'id', t.number, 'at', ${at}),
      'segment', t.segment, 'type', t.type, 'subjectId', t."subjectId", 'organizationId', t."organizationId", 'spaceId', t."spaceId", 'actorId', t."actorId",
      'payload', t.payload, 'occurredAt', to_char(t."createdAt", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
    cursor: () => sql`translate(encode(convert_to(
      'e' || ${epoch} || '.' || t."transactionId" || '.' || t.number || '.' || ${at}, 'UTF8'), 'base64'), '+/=' || chr(10), '-_')`,
  },
  visible: mayReceive,
});

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
  insteadFor: (_args, viewer) =>
    viewer.memberOf.length === viewer.organizations.length ? null : activityOfThingsInOrganization,
};

/**
 * The same list for guests, who see few objects: the index is read by these objects. `kind` says what the key of an
 * event is: its space, its subject, or `deletion` for one that names its guests. A member has the organization as
 * the only key.
 */
const activityOfThingsInOrganization: PageList<EventRow, Viewer, ActivityFilter> = {
  ...newestFirst,
  entity: {
    ...happened,
    table: sql`(select ${columns}, 'all' as kind, o."organizationId" as key from "OutboxEvent" o
      union all select ${columns}, 'space', o."spaceId" from "OutboxEvent" o
      union all select ${columns}, 'subject', coalesce(o.payload ->> 'changeRequestId', o."subjectId") from "OutboxEvent" o
      union all select ${columns}, 'deletion', o."organizationId" from "OutboxEvent" o where o.payload ? 'guestIds')`,
  },
  parent: sql`t.kind = k.kind and t.key = k.key and t."organizationId" = p.id`,
  keys: (viewer) => {
    const isMember = sql`p.id = any(${viewer.memberOf}::text[])`;
    const here = sql`t."organizationId" = p.id and not ${isMember}`;
    return sql`select 'all' as kind, p.id as key where ${isMember}
      union all select 'space', t.id from "Space" t where ${here} and ${isAccessible(viewer)}
      union all select 'subject', t.id from "Space" t where ${here} and ${isAccessible(viewer)}
      union all select 'subject', t.id from "Collection" t where ${here} and ${canSeeCollection(viewer)}
      union all select u.kind, p.id from unnest(array['subject', 'deletion']) u(kind) where not ${isMember}`;
  },
  where: (
    args,
    viewer,
  ) => sql`${newestFirst.where(args)} and (t.kind in ('all', 'deletion') or (not t.payload ? 'guestIds'
    and (t.kind = 'space' or not ${ofSpaceInReach(viewer)})))`,
  insteadFor: () => null,
};

/** Whether an event is in a space, deleted or not, on which the viewer has a role: the kind `space` lists it then. */
const ofSpaceInReach = (viewer: Viewer) => sql`exists (
  select from (select t."spaceId" as id) e join "Space" t on t.id = e.id where ${isAccessible(viewer)})`;

export const activityOfSpace: PageList<EventRow, Viewer, ActivityFilter, { id: string; isAccessible: boolean }> = {
  ...newestFirst,
  parent: sql`t."spaceId" = p.id`,
  policy: withRoleOnSpace,
};

export const activityOfChangeRequest: PageList<EventRow, Viewer, ActivityFilter> = {
  ...newestFirst,
  parent: sql`coalesce(t.payload ->> 'changeRequestId', t."subjectId") = p.id`,
};
