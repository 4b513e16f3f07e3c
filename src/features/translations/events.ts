// What happens to translations: told to those with a role on their source.
import { defineEvents, type EventType } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import type { Language } from "#src/generated/prisma/enums.ts";

export const translationEvents = defineEvents(
  {
    created: "translation.created",
    updated: "translation.updated",
    completed: "translation.completed",
    failed: "translation.failed",
  },
  { changesRights: false, isAudited: ["created"] },
);

/** How far a run is. */
export const translationProgressEvents = defineEvents(
  { progressed: "translation.progressed" },
  { changesRights: false, isPassing: true },
);

export const translationFarewellEvents = defineEvents(
  { deleted: "translation.deleted" },
  { changesRights: false, isTerminal: true, isAudited: true },
);

export const glossaryEvents = defineEvents(
  { created: "glossary.created", updated: "glossary.updated", deleted: "glossary.deleted" },
  { changesRights: false, audience: "members" },
);

/** A translation, as its events name it. */
export interface ToldTranslation {
  readonly id: string;
  readonly organizationId: string;
  readonly sourceSpaceId: string;
  readonly language: Language;
}

/** Something that happened to a translation. */
export function translationEvent(
  type: EventType,
  { id, organizationId, sourceSpaceId, language }: ToldTranslation,
  payload: DomainEvent["payload"] = {},
): DomainEvent {
  return { type, subjectId: id, organizationId, spaceId: sourceSpaceId, payload: { language, ...payload } };
}
