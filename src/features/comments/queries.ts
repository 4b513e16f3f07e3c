// Where comments are asked for: `comment`, and from spaces, change requests and comments.
import { found } from "#src/base/errors.ts";
import { findChangeRequest } from "#src/features/change-requests/reads/change-requests.ts";
import { ChangeRequest } from "#src/features/change-requests/type/change-request.ts";
import {
  type CommentFilter,
  findComment,
  findCommentInChangeRequest,
  findCommentInSpace,
  findReplyInComment,
  pageCommentsOfChangeRequest,
  pageCommentsOfSpace,
  pageReplies,
} from "#src/features/comments/reads/comments.ts";
import {
  Comment,
  CommentConnection,
  CommentReply,
  CommentReplyConnection,
} from "#src/features/comments/type/comment.ts";
import { CommentStatusFilter } from "#src/features/comments/type/parts.ts";
import { findSpace } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { namedUser } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import type { CommentStatus } from "#src/generated/prisma/enums.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { SortOrder } from "#src/graph/scalars.ts";
import { wantedRows } from "#src/graph/selection.ts";

const filterArguments = builder.args((t) => ({
  ...pageArguments,
  order: t.field({ type: SortOrder, defaultValue: "desc", required: true, description: "By the time of posting." }),
  status: t.field({
    type: CommentStatusFilter,
    defaultValue: "all",
    required: true,
    description: "Which comments to list.",
  }),
  targetPage: t.id({ description: "Only comments on the page of this id." }),
  authors: t.idList({ description: "Only comments by the users of these ids." }),
}));

interface FilterArguments {
  order: "asc" | "desc";
  status: CommentStatus | "all";
  targetPage?: string | null | undefined;
  authors?: string[] | null | undefined;
}

function filterOf({ order, status, targetPage, authors }: FilterArguments): CommentFilter {
  return { order, status: status === "all" ? null : status, targetPage: targetPage ?? null, authors: authors ?? null };
}

const oneArgument = builder.args((t) => ({ id: t.id({ required: true, description: "Id of the comment." }) }));

builder.queryField("comment", (t) =>
  t.field({
    type: Comment,
    nullable: true,
    description: "A comment. NOT_FOUND when there is none with this id that the viewer may see.",
    args: oneArgument,
    resolve: async (_root, { id }, context, info) =>
      found(await findComment(context, id, wantedRows(info, "Comment")), "comment"),
  }),
);

builder.objectFields(Space, (t) => ({
  comments: t.field({
    type: CommentConnection,
    description: "Comments on its main content; none for those without a role on the space.",
    args: filterArguments,
    columns: ["id", "isAccessible"],
    resolve: (space, args, context, info) =>
      pageCommentsOfSpace(context, space, { ...args, ...filterOf(args) }, wantedRows(info, "Comment")),
  }),
  comment: t.field({
    type: Comment,
    nullable: true,
    description: "One comment on its main content. NOT_FOUND when there is none with this id.",
    args: oneArgument,
    columns: ["id", "isAccessible"],
    resolve: async (space, { id }, context, info) =>
      found(await findCommentInSpace(context, space, id, wantedRows(info, "Comment")), "comment"),
  }),
}));

builder.objectFields(ChangeRequest, (t) => ({
  comments: t.field({
    type: CommentConnection,
    description: "Comments on it.",
    args: filterArguments,
    columns: ["id"],
    resolve: (changeRequest, args, context, info) =>
      pageCommentsOfChangeRequest(context, changeRequest, { ...args, ...filterOf(args) }, wantedRows(info, "Comment")),
  }),
  comment: t.field({
    type: Comment,
    nullable: true,
    description: "One comment on it. NOT_FOUND when there is none with this id.",
    args: oneArgument,
    columns: ["id"],
    resolve: async (changeRequest, { id }, context, info) =>
      found(await findCommentInChangeRequest(context, changeRequest, id, wantedRows(info, "Comment")), "comment"),
  }),
}));

builder.objectFields(Comment, (t) => ({
  space: t.field({
    type: Space,
    description: "Its space.",
    columns: ["spaceId"],
    resolve: async ({ spaceId }, _args, context, info) =>
      found(await findSpace(context, spaceId, wantedRows(info, "Space")), "space"),
  }),
  changeRequest: t.field({
    type: ChangeRequest,
    nullable: true,
    description: "The change request that it is on; null for a comment on the main content.",
    columns: ["changeRequestId"],
    resolve: ({ changeRequestId }, _args, context, info) =>
      changeRequestId === null ? null : findChangeRequest(context, changeRequestId, wantedRows(info, "ChangeRequest")),
  }),
  postedBy: t.field({
    type: User,
    description: "Who posted it.",
    columns: ["postedById"],
    resolve: ({ postedById }, _args, context, info) => namedUser(context, postedById, wantedRows(info, "User")),
  }),
  resolvedBy: t.field({
    type: User,
    nullable: true,
    description: "Who resolved it.",
    columns: ["resolvedById"],
    resolve: ({ resolvedById }, _args, context, info) =>
      resolvedById === null ? null : namedUser(context, resolvedById, wantedRows(info, "User")),
  }),
  replies: t.field({
    type: CommentReplyConnection,
    description: "Replies to it, oldest first.",
    args: pageArguments,
    columns: ["id"],
    resolve: (comment, args, context, info) => pageReplies(context, comment, args, wantedRows(info, "CommentReply")),
  }),
  reply: t.field({
    type: CommentReply,
    nullable: true,
    description: "One reply to it. NOT_FOUND when there is none with this id.",
    args: { id: t.arg.id({ required: true, description: "Id of the reply." }) },
    columns: ["id"],
    resolve: async (comment, { id }, context, info) =>
      found(await findReplyInComment(context, comment, id, wantedRows(info, "CommentReply")), "reply"),
  }),
}));

builder.objectFields(CommentReply, (t) => ({
  comment: t.field({
    type: Comment,
    description: "The comment that it replies to.",
    columns: ["commentId"],
    resolve: async ({ commentId }, _args, context, info) =>
      found(await findComment(context, commentId, wantedRows(info, "Comment")), "comment"),
  }),
  postedBy: t.field({
    type: User,
    description: "Who posted it.",
    columns: ["postedById"],
    resolve: ({ postedById }, _args, context, info) => namedUser(context, postedById, wantedRows(info, "User")),
  }),
}));
