// The GraphQL types Comment, CommentReply and Mention.
import { itemRole, itemRoleColumns } from "#src/access/content.ts";
import { commentPermissions } from "#src/features/comments/access.ts";
import { type CommentRow, comments, mentions, replies } from "#src/features/comments/reads/comments.ts";
import {
  CommentBody,
  CommentPermissions,
  CommentStatus,
  CommentUrls,
  Reaction,
} from "#src/features/comments/type/parts.ts";
import { CommentTarget } from "#src/features/comments/type/target.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { findMainPage } from "#src/features/comments/reads/targets.ts";
import { Page } from "#src/features/content/type/page.ts";

const roleColumns = project(itemRoleColumns);

/** The flags of a comment; the spaces of all of them are loaded in one statement. */
async function permissionsOf(comment: { postedById: string; spaceId: string }, context: Context) {
  const space = await context.reader.row(spaces, comment.spaceId, roleColumns);
  return commentPermissions(context.viewer, { ...comment, role: space && itemRole(context.viewer, space) });
}

type Located = Pick<CommentRow, "id" | "spaceId" | "changeRequestId">;

function locationOf({ id, spaceId, changeRequestId }: Located, publicUrl: string) {
  const below = changeRequestId === null ? "" : `/change-requests/${changeRequestId}`;
  return `${publicUrl}/v1/spaces/${spaceId}${below}/comments/${id}`;
}

const editedAt = { type: "DateTime", nullable: true, description: "When its text was last changed." } as const;
const aboutReactions = "Emojis on it; the one that was used first comes first.";

export const Comment = defineNode("Comment", comments, {
  description: "A comment on a space or on a change request.",
  resource: "comment",
  fields: (t) => ({
    postedAt: t.expose("postedAt", { type: "DateTime", description: "When it was posted." }),
    editedAt: t.expose("editedAt", editedAt),
    lastActivityAt: t.value(
      "DateTime",
      "When something was last posted there: it, or a reply to it that is still there.",
      ["postedAt", "lastReplyAt"],
      ({ postedAt, lastReplyAt }) => lastReplyAt ?? postedAt,
    ),
    status: t.expose("status", { type: CommentStatus, description: "Whether it is resolved." }),
    resolvedAt: t.expose("resolvedAt", { type: "DateTime", nullable: true, description: "When it was resolved." }),
    body: t.part(CommentBody, "Its text.", ["markdown"]),
    target: t.part(CommentTarget, "What it is about."),
    reactions: t.value([Reaction], aboutReactions, ["reactions"], ({ reactions }) => [...reactions]),
    replyCount: t.exposeInt("replyCount", { description: "Number of replies." }),
    urls: t.value(CommentUrls, "Links.", ["spaceId", "changeRequestId"], (comment, { publicUrl }) => ({
      location: locationOf(comment, publicUrl),
    })),
    permissions: t.field({
      type: CommentPermissions,
      description: "What the viewer may do.",
      select: { postedById: true, spaceId: true },
      resolve: (comment, _args, context) => permissionsOf(comment, context),
    }),
  }),
});

export const CommentReply = defineNode("CommentReply", replies, {
  description: "A reply to a comment.",
  resource: "comment-reply",
  fields: (t) => ({
    postedAt: t.expose("postedAt", { type: "DateTime", description: "When it was posted." }),
    editedAt: t.expose("editedAt", editedAt),
    body: t.part(CommentBody, "Its text.", ["markdown"]),
    reactions: t.value([Reaction], aboutReactions, ["reactions"], ({ reactions }) => [...reactions]),
    urls: t.value(
      CommentUrls,
      "Links.",
      ["commentId", "spaceId", "changeRequestId"],
      ({ id, commentId, spaceId, changeRequestId }, { publicUrl }) => ({
        location: `${locationOf({ id: commentId, spaceId, changeRequestId }, publicUrl)}/replies/${id}`,
      }),
    ),
    permissions: t.field({
      type: CommentPermissions,
      description: "What the viewer may do.",
      select: { postedById: true, spaceId: true },
      resolve: async (reply, _args, context) => ({ ...(await permissionsOf(reply, context)), resolve: false }),
    }),
  }),
});

export const Mention = defineNode("Mention", mentions, {
  description:
    "That a user is named in a comment, a reply or a page of the main content, by a reference to them: there as long as the text names them. Only they see it.",
  fields: (t) => ({
    pageId: t.exposeID("pageId", {
      nullable: true,
      description: "Id of the page whose text it is, its `pageId`; null for a comment or reply.",
    }),
    page: t.field({
      type: Page,
      nullable: true,
      description: "That page, in the main content as it is now; null for a comment or reply.",
      select: { spaceId: true, pageId: true },
      resolve: ({ spaceId, pageId }, _args, context) =>
        pageId === null ? null : findMainPage(context, spaceId, pageId),
    }),
    mentionedAt: t.expose("mentionedAt", { type: "DateTime", description: "When the text named them first." }),
  }),
});
