// What happens to comments and replies, with the ids that tell a reader where it was when the row is gone.
import type { DomainEvent } from "#src/events/event.ts";

/** Where a comment stands. */
interface CommentPlace {
  readonly space: { readonly id: string; readonly organizationId: string };
  readonly changeRequestId: string | null;
}

/** `reactionAdded` and `reactionRemoved` have the emoji in their payload: it is all that tells which when the reaction is gone. */
interface Happened<Verb extends string> {
  readonly verb: Verb | "created" | "updated" | "deleted" | "reactionAdded" | "reactionRemoved";
  readonly emoji?: string;
}

/** Something that happened to a comment. */
export function commentEvent(
  { verb, ...more }: Happened<"resolved" | "reopened">,
  id: string,
  { space, changeRequestId }: CommentPlace,
): DomainEvent {
  const payload = { changeRequestId, ...more };
  return { type: `comment.${verb}`, subjectId: id, organizationId: space.organizationId, spaceId: space.id, payload };
}

/** Something that happened to a reply. */
export function replyEvent(
  { verb, ...more }: Happened<never>,
  { id, commentId }: { id: string; commentId: string },
  { space, changeRequestId }: CommentPlace,
): DomainEvent {
  const payload = { commentId, changeRequestId, ...more };
  const type = `commentReply.${verb}` as const;
  return { type, subjectId: id, organizationId: space.organizationId, spaceId: space.id, payload };
}

/** What happened by a change of reactions, one by one. */
export function reacted({
  added,
  removed,
}: {
  added: readonly string[];
  removed: readonly string[];
}): { verb: "reactionAdded" | "reactionRemoved"; emoji: string }[] {
  return [
    ...removed.map((emoji) => ({ verb: "reactionRemoved" as const, emoji })),
    ...added.map((emoji) => ({ verb: "reactionAdded" as const, emoji })),
  ];
}
