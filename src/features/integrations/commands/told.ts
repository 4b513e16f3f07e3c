// What integrations hear of what happens: by the type of the event in the outbox the type that they are told.
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import { commentEvents, replyEvents } from "#src/features/comments/events.ts";
import { contentEvents } from "#src/features/content/events.ts";
import { integrationEventEvents, setupEvents } from "#src/features/integrations/events.ts";
import type { IntegrationEventType } from "#src/generated/prisma/enums.ts";

/** How something is told. */
interface Told {
  readonly type: IntegrationEventType;
  /** What the payload calls the id of what it happened to. */
  readonly subject?: "spaceId" | "changeRequestId" | "commentId" | "commentReplyId";
}

const changeRequest = (type: IntegrationEventType): Told => ({ type, subject: "changeRequestId" });
const comment = (type: IntegrationEventType): Told => ({ type, subject: "commentId" });
const reply = (type: IntegrationEventType): Told => ({ type, subject: "commentReplyId" });

/** Each change is told once: one that writes content is told by that, and not by what led to it, such as an import. */
export const told: Readonly<Record<string, Told>> = {
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

/** Whether there may be something to deliver after it. */
export const isDelivered = ({ type }: { readonly type: string }): boolean =>
  Object.hasOwn(told, type) || type === integrationEventEvents.retried;

/** What payloads repeat of what is known of an event: ids, and never what people wrote. */
const ids = "changeRequestId commentId revisionId revisionBeforeId mergedRevisionId".split(" ");
/** Of its own setup an installation hears how it was, too. */
const setup = "integrationId installationId siteId status previous".split(" ");

/** Something that happened, with what is known of it. */
interface Happened {
  readonly type: string;
  readonly subjectId: string;
  readonly organizationId: string | null;
  readonly spaceId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The payload that installations are told; without what is null. */
export function toldPayload({ type, subjectId, organizationId, spaceId, payload }: Happened): Record<string, unknown> {
  const subject = told[type]?.subject;
  const facts = (subject ? ids : setup).map((name) => [name, payload[name] ?? null] as const);
  const all = [
    ["organizationId", organizationId],
    ["spaceId", spaceId ?? payload["spaceId"] ?? null],
    ...facts,
  ] as const;
  return Object.fromEntries([...all, ...(subject ? [[subject, subjectId]] : [])].filter(([, value]) => value !== null));
}
