// The events of OpenAPI specifications, for members of their organization.
import { defineEvents, type EventType } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";

export const specEvents = defineEvents(
  {
    created: "openApiSpec.created",
    updated: "openApiSpec.updated",
    versionAdded: "openApiSpec.versionAdded",
    failed: "openApiSpec.failed",
  },
  { changesRights: false, audience: "members", isAudited: ["created", "updated"] },
);

export const specProgressEvents = defineEvents(
  { progressed: "openApiSpec.progressed", processed: "openApiSpec.processed" },
  { changesRights: false, audience: "members", isPassing: true },
);

export const specTerminalEvents = defineEvents(
  { deleted: "openApiSpec.deleted" },
  { changesRights: false, audience: "members", isTerminal: true, isAudited: true },
);

export function specEvent(
  type: EventType,
  { id, organizationId, slug }: { id: string; organizationId: string; slug: string },
  payload: DomainEvent["payload"] = {},
): DomainEvent {
  return { type, subjectId: id, organizationId, payload: { slug, ...payload } };
}
