// Maps events of the outbox to events of installations.
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import { commentEvents, replyEvents } from "#src/features/comments/events.ts";
import { contentEvents } from "#src/features/content/events.ts";
import { integrationEventEvents, setupEvents } from "#src/features/integrations/events.ts";
import type { IntegrationEventType } from "#src/generated/prisma/enums.ts";

interface Mapping {
  readonly type: IntegrationEventType;
  /** The name of the id of the subject in the payload. */
  readonly subject?: "spaceId" | "changeRequestId" | "commentId" | "commentReplyId";
}

const changeRequest = (type: IntegrationEventType): Mapping => ({ type, subject: "changeRequestId" });
const comment = (type: IntegrationEventType): Mapping => ({ type, subject: "commentId" });
const reply = (type: IntegrationEventType): Mapping => ({ type, subject: "commentReplyId" });

/**
 * Each change has one event: one that writes content has that of the content, and none of its cause, such as an import.
 */
export const eventMapping: Readonly<Record<string, Mapping>> = {
  [setupEvents.installation]: { type: "installation_setup" },
  [setupEvents.space]: { type: "space_installation_setup" },
  [setupEvents.site]: { type: "site_installation_setup" },
  [contentEvents.ofSpaceUpdated]: { type: "space_content_updated", subject: "spaceId" },
  [changeRequestEvents.opened]: changeRequest("change_request_opened"),
  [changeRequestEvents.updated]: changeRequest("change_request_updated"),
  [changeRequestEvents.statusChanged]: changeRequest("change_request_updated"),
  [contentEvents.ofChangeRequestUpdated]: changeRequest("change_request_updated"),
  [changeRequestEvents.merged]: changeRequest("change_request_merged"),
  [commentEvents.created]: comment("comment_created"),
  [commentEvents.updated]: comment("comment_updated"),
  [commentEvents.resolved]: comment("comment_updated"),
  [commentEvents.reopened]: comment("comment_updated"),
  [replyEvents.created]: reply("comment_updated"),
  [replyEvents.updated]: reply("comment_updated"),
};

/** Whether the event may lead to deliveries. */
export const isDelivered = ({ type }: { readonly type: string }): boolean =>
  Object.hasOwn(eventMapping, type) || type === integrationEventEvents.retried;

/** The facts in payloads: ids, never what people wrote. */
const ids = "changeRequestId commentId revisionId revisionBeforeId mergedRevisionId".split(" ");
/** The facts of setup events. */
const setup = "integrationId installationId siteId status previous".split(" ");

interface OutboxEvent {
  readonly type: string;
  readonly subjectId: string;
  readonly organizationId: string | null;
  readonly spaceId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The payload for installations, without nulls. */
export function eventPayload({
  type,
  subjectId,
  organizationId,
  spaceId,
  payload,
}: OutboxEvent): Record<string, unknown> {
  const subject = eventMapping[type]?.subject;
  const facts = (subject ? ids : setup).map((name) => [name, payload[name] ?? null] as const);
  const all = [
    ["organizationId", organizationId],
    ["spaceId", spaceId ?? payload["spaceId"] ?? null],
    ...facts,
  ] as const;
  return Object.fromEntries([...all, ...(subject ? [[subject, subjectId]] : [])].filter(([, value]) => value !== null));
}
