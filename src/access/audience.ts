// Who may receive an event: one rule, in SQL over the outbox, for streams and for lists of past events. And whose
// rights an event may change.
import { canAccessSpace, canSeeCollection, isAccessible } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { type Database, identifier, joinSql, type Sql, sql } from "#src/db/connection/database.ts";
import { type Audience, audienceOf, eventsFor, harmlessEvents } from "#src/events/declared.ts";
import type { DomainEvent, StoredEvent } from "#src/events/event.ts";
import { inText } from "#src/events/segments.ts";

type Rule = (viewer: Viewer) => Sql;

const inOneOf = (organizations: readonly string[]): Sql => sql`t."organizationId" = any(${organizations}::text[])`;

/** Guests who had a grant on it when it was deleted: the fact `guestIds`. Empty for viewers who are never guests. */
const hadItAsGuest: Rule = (viewer) =>
  viewer.memberOf.length === viewer.organizations.length
    ? sql`false`
    : sql`(${inOneOf(viewer.organizations)} and t.payload -> 'guestIds' ? ${viewer.userId})`;

/** The audience of a deleted row, whose grants no longer exist. */
const hadIt: Rule = (viewer) =>
  sql`(${inOneOf(viewer.adminOf)} or (${inOneOf(viewer.memberOf)} and t.payload @> '{"wasForMembers": true}') or ${hadItAsGuest(viewer)})`;

/** A rule for the subject of the event, row `t` of `table`; `gone` is the rule if the row was deleted. */
const bySubject = (table: "Space" | "Collection", rule: Sql, gone: Sql): Sql =>
  sql`coalesce((select (select ${rule} from ${identifier(table)} t where t.id = e.id) from (select t."subjectId" as id) e), ${gone})`;

/** In each of these the event is `t`. */
const rules: Readonly<Record<Audience, Rule>> = {
  space: (viewer) => canAccessSpace(viewer, sql`t."spaceId"`),
  // Includes deleted rows: the event may be that of the deletion. Events of removed ones are for admins.
  "the space": (viewer) => bySubject("Space", isAccessible(viewer), hadIt(viewer)),
  // All collections are visible to members.
  "the collection": (viewer) =>
    bySubject("Collection", canSeeCollection(viewer), sql`(${inOneOf(viewer.memberOf)} or ${hadItAsGuest(viewer)})`),
  "who had it": hadIt,
  everybody: (viewer) => inOneOf(viewer.organizations),
  members: (viewer) => inOneOf(viewer.memberOf),
  admins: (viewer) => inOneOf(viewer.adminOf),
  themselves: (viewer) => sql`(t."organizationId" is null and t."actorId" = ${viewer.userId})`,
};

/** The condition under which the viewer may receive row `t` of the outbox, by their current rights. */
export function mayReceive(viewer: Viewer): Sql {
  return isAudience(viewer, Object.keys(rules) as Audience[]); // the keys of the rules
}

/** The condition for these audiences alone: a shorter condition is cheaper and shared more widely. */
function isAudience(viewer: Viewer, audiences: readonly Audience[]): Sql {
  const cases = audiences.flatMap((audience) => {
    const types = eventsFor(audience);
    return types.length > 0 ? [sql`when t.type = any(${types}::text[]) then ${rules[audience](viewer)}`] : [];
  });
  return sql`case ${joinSql(cases, " ")} else false end`;
}

/** Those of these events that the viewer may receive, in one statement. */
export async function receivedBy(
  database: Pick<Database, "query">,
  viewer: Viewer,
  events: readonly StoredEvent[],
): Promise<ReadonlySet<StoredEvent>> {
  if (events.length === 0) return new Set();
  const ids = events.map(({ position }) => String(position.id));
  const segments = inText([...new Set(events.map(({ segment }) => segment))]);
  const audiences = [...new Set(events.map(({ type }) => audienceOf(type)))].toSorted();
  const rows = await database.query<{ id: number }>(
    sql`select t.id from "OutboxEvent" t where t.id = any(${ids}::bigint[]) and t.segment in (${segments}) and ${isAudience(viewer, audiences)}`,
  );
  const visible = new Set(rows.map(({ id }) => id));
  return new Set(events.filter(({ position }) => visible.has(position.id)));
}

/** Whether an event may change what somebody can see. */
export const changesRights = ({ type }: Pick<DomainEvent, "type">): boolean => !harmlessEvents.has(type);

/** Whether an event may change rights of a viewer of these scopes. A transfer names the new organization only. */
export function concerns(event: StoredEvent, viewer: Viewer, scopes: ReadonlySet<string>): boolean {
  const { type, organizationId, spaceId, subjectId, actorId } = event;
  if (type.endsWith(".transferred") || subjectId === viewer.tokenId) return true;
  if (spaceId !== null && scopes.has(spaceId)) return true;
  if (organizationId === null) return actorId === viewer.userId || subjectId === viewer.userId;
  return viewer.memberships.has(organizationId) || scopes.has(organizationId);
}
