// The event types of comments and replies, and their payload, which keeps the ids of their place after deletion.
import { defineEvents, type EventType } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";

export const commentEvents = defineEvents(
  {
    created: "comment.created",
    updated: "comment.updated",
    resolved: "comment.resolved",
    reopened: "comment.reopened",
    deleted: "comment.deleted",
    reactionAdded: "comment.reactionAdded",
    reactionRemoved: "comment.reactionRemoved",
  },
  { changesRights: false },
);

export const replyEvents = defineEvents(
  {
    created: "commentReply.created",
    updated: "commentReply.updated",
    deleted: "commentReply.deleted",
    reactionAdded: "commentReply.reactionAdded",
    reactionRemoved: "commentReply.reactionRemoved",
  },
  { changesRights: false },
);

export const mentionEvents = defineEvents(
  { created: "mention.created", onPage: "mention.onPage" },
  { changesRights: false },
);

interface CommentPlace {
  readonly space: { readonly id: string; readonly organizationId: string };
  readonly changeRequestId: string | null;
}

/** Facts that are lost with a deleted row: the emoji, the mentioned user, and the reply with the mention. */
interface Happened {
  readonly type: EventType;
  readonly emoji?: string;
  readonly userId?: string;
  readonly replyId?: string;
}

export function commentEvent(
  { type, ...more }: Happened,
  { id, ...of }: { readonly id: string; readonly commentId?: string },
  { space, changeRequestId }: CommentPlace,
): DomainEvent {
  const payload = { ...of, changeRequestId, ...more };
  return { type, subjectId: id, organizationId: space.organizationId, spaceId: space.id, payload };
}

export function reacted(
  { reactionAdded, reactionRemoved }: Pick<typeof replyEvents, "reactionAdded" | "reactionRemoved">,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): Happened[] {
  return [
    ...removed.map((emoji) => ({ type: reactionRemoved, emoji })),
    ...added.map((emoji) => ({ type: reactionAdded, emoji })),
  ];
}
