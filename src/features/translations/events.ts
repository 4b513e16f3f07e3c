// The events of translations, for users with a role on their source, and of the glossary.
import { defineEvents, type EventType } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import type { TranslationModel } from "#src/generated/prisma/models.ts";

export const translationEvents = defineEvents(
  {
    created: "translation.created",
    updated: "translation.updated",
    completed: "translation.completed",
    failed: "translation.failed",
  },
  { changesRights: false, isAudited: ["created"] },
);

export const translationProgressEvents = defineEvents(
  { progressed: "translation.progressed" },
  { changesRights: false, isPassing: true },
);

export const translationTerminalEvents = defineEvents(
  { deleted: "translation.deleted" },
  { changesRights: false, isTerminal: true, isAudited: true },
);

export const glossaryEvents = defineEvents(
  { created: "glossary.created", updated: "glossary.updated", deleted: "glossary.deleted" },
  { changesRights: false, audience: "members" },
);

type TranslationKeys = Pick<TranslationModel, "id" | "organizationId" | "sourceSpaceId" | "language">;

export function translationEvent(
  type: EventType,
  { id, organizationId, sourceSpaceId, language }: TranslationKeys,
  payload: DomainEvent["payload"] = {},
): DomainEvent {
  return { type, subjectId: id, organizationId, spaceId: sourceSpaceId, payload: { language, ...payload } };
}
