// The GraphQL types Comment and CommentReply.
import { commentPermissions } from "#src/features/comments/access.ts";
import {
  type CommentReplyRow,
  type CommentRow,
  findComment,
  findReply,
} from "#src/features/comments/reads/comments.ts";
import {
  CommentBody,
  CommentPermissions,
  CommentStatus,
  CommentUrls,
  Reaction,
} from "#src/features/comments/type/parts.ts";
import { CommentTarget, targetColumns } from "#src/features/comments/type/target.ts";
import { spaceRole, spaceRoleColumns } from "#src/features/spaces/access.ts";
import { findSpace } from "#src/features/spaces/reads.ts";
import { want } from "#src/db/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { builder, Node, Resource } from "#src/graph/builder.ts";
import { connectionOf } from "#src/graph/connections.ts";
import { findNodesBy } from "#src/graph/nodes.ts";

const roleColumns = want(spaceRoleColumns);

/** The flags of a comment or reply; the spaces of all of them are loaded in one statement. */
async function permissionsOf(comment: { postedById: string; spaceId: string }, context: Context) {
  const space = await findSpace(context, comment.spaceId, roleColumns);
  return commentPermissions(context.viewer, comment, space && spaceRole(context.viewer, space));
}

function locationOf(
  { id, spaceId, changeRequestId }: Pick<CommentRow, "id" | "spaceId" | "changeRequestId">,
  publicUrl: string,
) {
  const below = changeRequestId === null ? "" : `/change-requests/${changeRequestId}`;
  return `${publicUrl}/v1/spaces/${spaceId}${below}/comments/${id}`;
}

export const Comment = builder.objectRef<CommentRow>("Comment").implement({
  description: "A comment on a space or on a change request.",
  interfaces: [Node, Resource],
  fields: (t) => ({
    object: t.string({ description: "Always `comment`.", columns: [], resolve: () => "comment" }),
    postedAt: t.expose("postedAt", { type: "DateTime", description: "When it was posted." }),
    editedAt: t.expose("editedAt", {
      type: "DateTime",
      nullable: true,
      description: "When its text was last changed.",
    }),
    status: t.expose("status", { type: CommentStatus, description: "Whether it is resolved." }),
    resolvedAt: t.expose("resolvedAt", { type: "DateTime", nullable: true, description: "When it was resolved." }),
    body: t.field({
      type: CommentBody,
      description: "Its text.",
      columns: ["markdown"],
      resolve: (comment) => comment,
    }),
    target: t.field({
      type: CommentTarget,
      description: "What it is about.",
      columns: targetColumns,
      resolve: (comment) => comment,
    }),
    reactions: t.field({
      type: [Reaction],
      description: "Emojis on it; the one used first stands first.",
      columns: ["reactions"],
      resolve: (comment) => [...comment.reactions],
    }),
    replyCount: t.exposeInt("replyCount", { description: "Number of replies." }),
    urls: t.field({
      type: CommentUrls,
      description: "Links.",
      columns: ["id", "spaceId", "changeRequestId"],
      resolve: (comment, _args, { publicUrl }) => ({ location: locationOf(comment, publicUrl) }),
    }),
    permissions: t.field({
      type: CommentPermissions,
      description: "What the viewer may do.",
      columns: ["postedById", "spaceId"],
      resolve: (comment, _args, context) => permissionsOf(comment, context),
    }),
  }),
});

export const CommentReply = builder.objectRef<CommentReplyRow>("CommentReply").implement({
  description: "A reply to a comment.",
  interfaces: [Node, Resource],
  fields: (t) => ({
    object: t.string({ description: "Always `comment-reply`.", columns: [], resolve: () => "comment-reply" }),
    postedAt: t.expose("postedAt", { type: "DateTime", description: "When it was posted." }),
    editedAt: t.expose("editedAt", {
      type: "DateTime",
      nullable: true,
      description: "When its text was last changed.",
    }),
    body: t.field({ type: CommentBody, description: "Its text.", columns: ["markdown"], resolve: (reply) => reply }),
    reactions: t.field({
      type: [Reaction],
      description: "Emojis on it; the one used first stands first.",
      columns: ["reactions"],
      resolve: (reply) => [...reply.reactions],
    }),
    urls: t.field({
      type: CommentUrls,
      description: "Links.",
      columns: ["id", "commentId", "spaceId", "changeRequestId"],
      resolve: ({ id, commentId, spaceId, changeRequestId }, _args, { publicUrl }) => ({
        location: `${locationOf({ id: commentId, spaceId, changeRequestId }, publicUrl)}/replies/${id}`,
      }),
    }),
    permissions: t.field({
      type: CommentPermissions,
      description: "What the viewer may do.",
      columns: ["postedById", "spaceId"],
      resolve: (reply, _args, context) => permissionsOf(reply, context),
    }),
  }),
});

export const CommentConnection = connectionOf(Comment);
export const CommentReplyConnection = connectionOf(CommentReply);

findNodesBy("Comment", findComment);
findNodesBy("CommentReply", findReply);
