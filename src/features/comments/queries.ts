// The query `comment`, the fields that list comments on other types, and the relations of comments.
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { ChangeRequest } from "#src/features/change-requests/type/change-request.ts";
import {
  comments,
  commentsOfChangeRequest,
  commentsOfOrganization,
  commentsOfReview,
  commentsOfSpace,
  commentsOfUser,
  countOpenOn,
  mentionsOfUser,
  pageCommentsOn,
  replies,
  repliesOfComment,
} from "#src/features/comments/reads/comments.ts";
import { Comment, CommentReply, Mention } from "#src/features/comments/type/comment.ts";
import { CommentOrder, CommentStatusFilter } from "#src/features/comments/type/parts.ts";
import { Page } from "#src/features/content/type/page.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { reviews } from "#src/features/reviews/reads.ts";
import { Review } from "#src/features/reviews/type.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { connectionTypeOf, pageArguments } from "#src/graph/schema/nodes.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

const sharedArguments = builder.args((t) => ({
  orderBy: t.field({ type: CommentOrder, description: "Sort order; newest first by default." }),
  status: t.field({
    type: CommentStatusFilter,
    defaultValue: "all",
    required: true,
    description: "Only comments with this status; all by default.",
  }),
  resolvedById: t.id({ description: "Only comments that this user resolved." }),
  postedSince: t.field({ type: "DateTime", description: "Only comments posted at or after this time." }),
}));

const authorArguments = builder.args((t) => ({
  authorIds: t.idList({ description: "Only comments by these users." }),
  mine: t.boolean({ description: "True: only comments by the viewer; false: only those by other users." }),
}));

const argumentsOnPage = builder.args((t) => ({
  ...sharedArguments,
  ...authorArguments,
  nodeKey: t.string({ description: "Only comments on the document node with this key." }),
}));

const filterArguments = builder.args((t) => ({
  ...argumentsOnPage,
  pageId: t.id({ description: "Only comments on this page." }),
}));

builder.queryField("comment", (t) =>
  t.find(comments, "A comment. NOT_FOUND if no comment with this id is visible to you."),
);

builder.prismaObjectFields(Space, (t) => ({
  commentCount: t.value(
    "Int",
    "Number of open comments on its main content.",
    ["counts"],
    ({ counts }) => counts?.[3] ?? 0,
  ),
  comments: t.list(commentsOfSpace, "Comments on its main content; empty for viewers without a role on the space.", {
    args: filterArguments,
  }),
  comment: t.pick(commentsOfSpace, "A comment on its main content. NOT_FOUND if it does not exist."),
}));

builder.prismaObjectFields(ChangeRequest, (t) => ({
  commentCount: t.exposeInt("commentCount", { description: "Number of open comments on it." }),
  comments: t.list(commentsOfChangeRequest, "Comments on it.", { args: filterArguments }),
  comment: t.pick(commentsOfChangeRequest, "A comment on it. NOT_FOUND if it does not exist."),
}));

builder.objectFields(Page, (t) => ({
  comments: t.field({
    type: connectionTypeOf(comments),
    description:
      "Comments on it, in the main content or the change request to which its revision belongs; empty for viewers without a role on the space.",
    args: { ...pageArguments, ...argumentsOnPage },
    resolve: (page, { first, after, last, before, ...args }, context, info) =>
      pageCommentsOn(context, page, { page: { first, after, last, before }, args, projection: projectionOf(info) }),
  }),
  commentCount: t.int({
    description: "Number of open comments in `comments`.",
    resolve: (page, _args, context) => countOpenOn(context, page),
  }),
}));

const inboxArguments = builder.args((t) => ({
  ...sharedArguments,
  spaceIds: t.idList({ description: "Only comments in these spaces." }),
}));

builder.prismaObjectField(Organization, "comments", (t) =>
  t.list(
    commentsOfOrganization,
    "Comments on the main content and on change requests of all spaces of the organization on which the viewer has a role.",
    { args: { ...inboxArguments, ...authorArguments } },
  ),
);

builder.prismaObjectField(User, "comments", (t) =>
  t.list(commentsOfUser, "Comments that the user posted in all spaces on which the viewer has a role.", {
    args: inboxArguments,
  }),
);

builder.prismaObjectField(User, "mentions", (t) =>
  t.list(
    mentionsOfUser,
    "Mentions of the user in comments, replies and pages that they may see, newest first. Only for the user themself; empty for other viewers.",
    { args: { spaceIds: t.arg.idList({ description: "Only mentions in these spaces." }) } },
  ),
);

builder.prismaObjectField(Review, "comments", (t) =>
  t.list(commentsOfReview, "Comments that belong to it, oldest first."),
);

builder.prismaObjectFields(Comment, (t) => ({
  review: t.rowOrNull(reviews, "reviewId", "The review to which it belongs; null if it belongs to none."),
  space: t.row(spaces, "spaceId", "Its space."),
  changeRequest: t.rowOrNull(
    changeRequests,
    "changeRequestId",
    "The change request on which it is; null for a comment on the main content.",
  ),
  postedBy: t.row(namedUsers, "postedById", "User who posted it."),
  resolvedBy: t.rowOrNull(namedUsers, "resolvedById", "User who resolved it."),
  replies: t.list(repliesOfComment, "Replies to it, oldest first."),
  reply: t.pick(repliesOfComment, "A reply to it. NOT_FOUND if it does not exist."),
}));

builder.prismaObjectFields(CommentReply, (t) => ({
  comment: t.row(comments, "commentId", "The comment to which it replies."),
  postedBy: t.row(namedUsers, "postedById", "User who posted it."),
}));

builder.prismaObjectFields(Mention, (t) => ({
  user: t.row(namedUsers, "userId", "The mentioned user."),
  space: t.row(spaces, "spaceId", "The space."),
  comment: t.rowOrNull(
    comments,
    "commentId",
    "The comment with the mention, or the comment of the reply with the mention; null for a page.",
  ),
  reply: t.rowOrNull(replies, "replyId", "The reply with the mention; null for a comment or page."),
}));
