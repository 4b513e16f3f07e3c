// Which events can change what somebody may see, and whom they concern.
import type { Viewer } from "#src/access/viewer.ts";
import { harmlessEvents } from "#src/events/declared.ts";
import type { DomainEvent, StoredEvent } from "#src/events/event.ts";

/** Whether somebody may see more or less after this event than before it. */
export const changesRights = ({ type }: Pick<DomainEvent, "type">): boolean => !harmlessEvents.has(type);

/**
 * Whether the event can concern the rights of a viewer who listens to these scopes (ids of spaces and organizations).
 * That is everybody in the organization, and everybody who listens to the space; a transfer concerns everybody, since
 * its event names only the organization where the content is now.
 */
export function concerns(event: StoredEvent, viewer: Viewer, scopes: ReadonlySet<string>): boolean {
  const { type, organizationId, spaceId, subjectId, actorId } = event;
  if (type.endsWith(".transferred") || subjectId === viewer.tokenId) return true;
  if (spaceId !== null && scopes.has(spaceId)) return true;
  if (organizationId === null) return actorId === viewer.userId || subjectId === viewer.userId;
  return viewer.memberships.has(organizationId) || scopes.has(organizationId);
}
