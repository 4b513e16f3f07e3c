// The event types of imports.
import { defineEvents, type EventType } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import type { ImportState } from "#src/generated/prisma/enums.ts";

export const importEvents = defineEvents(
  { imported: "content.imported", intoChangeRequest: "changeRequest.contentImported" },
  { changesRights: false },
);

/** Events of imports from URLs. */
export const longImportEvents = defineEvents(
  { started: "import.started", ended: "import.ended" },
  { changesRights: false, isAudited: ["started"] },
);

export const importProgressEvents = defineEvents(
  { progressed: "import.progressed" },
  { changesRights: false, isPassing: true },
);

export function importEvent(
  type: EventType,
  { id, spaceId, organizationId }: { id: string; spaceId: string; organizationId: string },
  payload: {
    state: ImportState;
    changeRequestId: string | null;
    url?: string;
    found?: number;
    read?: number;
    written?: number;
  },
): DomainEvent {
  return { type, subjectId: id, organizationId, spaceId, payload };
}
