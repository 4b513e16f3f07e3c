// Creates comments, replies and reactions for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";

/**
 * An open comment on a space or, with `changeRequestId`, on a change request; resolved with `status: "resolved"`.
 */
export function addComment(
  rows: Rows,
  given: { spaceId: string; postedById: string } & Partial<Prisma.CommentCreateManyInput>,
) {
  return rows.add("Comment", {
    id: newId("Comment"),
    markdown: `Comment ${nextNumber()}`,
    postedAt: nextInstant(),
    ...(given.status === "resolved" && { resolvedAt: nextInstant(), resolvedById: given.postedById }),
    ...given,
  });
}

export function addReply(
  rows: Rows,
  given: { commentId: string; postedById: string } & Partial<Prisma.CommentReplyCreateManyInput>,
) {
  return rows.add("CommentReply", {
    id: newId("CommentReply"),
    markdown: `Reply ${nextNumber()}`,
    postedAt: nextInstant(),
    ...given,
  });
}

/** A mention of a user in the comment, or with `replyId` in a reply to it. */
export function addMention(
  rows: Rows,
  given: { userId: string; spaceId: string; commentId: string } & Partial<Prisma.MentionCreateManyInput>,
) {
  return rows.add("Mention", { id: newId("Mention"), mentionedAt: nextInstant(), ...given });
}

/** A reaction, 👍 by default, to a comment (`commentId`) or a reply (`replyId`). */
export function addReaction(rows: Rows, given: { userId: string } & Partial<Prisma.ReactionCreateManyInput>) {
  return rows.add("Reaction", { id: newId("Reaction"), emoji: "👍", reactedAt: nextInstant(), ...given });
}
