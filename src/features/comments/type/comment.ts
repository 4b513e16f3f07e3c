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
  Replier,
} from "#src/features/comments/type/parts.ts";
import { CommentTarget } from "#src/features/comments/type/target.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { findMainPage } from "#src/features/comments/reads/targets.ts";
import { Page } from "#src/features/content/type/page.ts";

const roleColumns = project(itemRoleColumns);

/** The permissions on a comment; the spaces of all comments are loaded in one statement. */
async function permissionsOf(comment: { postedById: string; spaceId: string }, context: Context) {
  const space = await context.reader.row(spaces, comment.spaceId, roleColumns);
  return commentPermissions(context.viewer, { ...comment, role: space && itemRole(context.viewer, space) });
}

type Located = Pick<CommentRow, "id" | "spaceId" | "changeRequestId">;

function locationOf({ id, spaceId, changeRequestId }: Located, publicUrl: string) {
  const below = changeRequestId === null ? "" : `/change-requests/${changeRequestId}`;
  return `${publicUrl}/v1/spaces/${spaceId}${below}/comments/${id}`;
}

const editedAt = {
  type: "DateTime",
  nullable: true,
  description: "Time of the last change of its text; null if it never changed.",
} as const;
const aboutReactions = "Reactions grouped by emoji, ordered by the first use of the emoji.";

export const Comment = defineNode("Comment", comments, {
  description: "A comment on a space or on a change request.",
  resource: "comment",
  fields: (t) => ({
    postedAt: t.expose("postedAt", { type: "DateTime", description: "Time of posting." }),
    editedAt: t.expose("editedAt", editedAt),
    lastActivityAt: t.value(
      "DateTime",
      "Time of the last activity: its own posting, or that of its latest reply that was not deleted.",
      ["postedAt", "lastReplyAt"],
      ({ postedAt, lastReplyAt }) => lastReplyAt ?? postedAt,
    ),
    status: t.expose("status", { type: CommentStatus, description: "Status: open or resolved." }),
    resolvedAt: t.expose("resolvedAt", {
      type: "DateTime",
      nullable: true,
      description: "Time when it was resolved; null if open.",
    }),
    body: t.part(CommentBody, "Its text.", ["markdown"]),
    target: t.part(CommentTarget, "The target of the comment."),
    reactions: t.value([Reaction], aboutReactions, ["reactions"], ({ reactions }) => [...reactions]),
    replyCount: t.exposeInt("replyCount", { description: "Number of replies." }),
    repliers: t.value(
      [Replier],
      "The users who replied to it, in the order of their first replies.",
      ["repliers"],
      ({ repliers }) => [...repliers],
    ),
    urls: t.value(CommentUrls, "Links.", ["spaceId", "changeRequestId"], (comment, { publicUrl }) => ({
      location: locationOf(comment, publicUrl),
    })),
    permissions: t.field({
      type: CommentPermissions,
      description: "Permissions of the viewer.",
      select: { postedById: true, spaceId: true },
      resolve: (comment, _args, context) => permissionsOf(comment, context),
    }),
  }),
});

export const CommentReply = defineNode("CommentReply", replies, {
  description: "A reply to a comment.",
  resource: "comment-reply",
  fields: (t) => ({
    postedAt: t.expose("postedAt", { type: "DateTime", description: "Time of posting." }),
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
      description: "Permissions of the viewer.",
      select: { postedById: true, spaceId: true },
      resolve: async (reply, _args, context) => ({ ...(await permissionsOf(reply, context)), resolve: false }),
    }),
  }),
});

export const Mention = defineNode("Mention", mentions, {
  description:
    "A mention of a user in a comment, a reply or a page of the main content. It exists as long as the text contains it. Visible only to the mentioned user.",
  fields: (t) => ({
    pageId: t.exposeID("pageId", {
      nullable: true,
      description: "The `pageId` of the page with the mention; null for a comment or reply.",
    }),
    page: t.field({
      type: Page,
      nullable: true,
      description: "The page with the mention in the current main content; null for a comment or reply.",
      select: { spaceId: true, pageId: true },
      resolve: ({ spaceId, pageId }, _args, context) =>
        pageId === null ? null : findMainPage(context, spaceId, pageId),
    }),
    mentionedAt: t.expose("mentionedAt", {
      type: "DateTime",
      description: "Time when the mention was added to the text.",
    }),
  }),
});
