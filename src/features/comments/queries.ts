// Where comments are asked for: `comment`, and from spaces, change requests, organizations, users and reviews; and what
// one leads to.
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
  orderBy: t.field({ type: CommentOrder, description: "How they are sorted; those posted last first when left out." }),
  status: t.field({
    type: CommentStatusFilter,
    defaultValue: "all",
    required: true,
    description: "Which comments to list.",
  }),
  resolvedById: t.id({ description: "Only comments that the user of this id resolved." }),
  postedSince: t.field({ type: "DateTime", description: "Only comments posted at this instant or later." }),
}));

const authorArguments = builder.args((t) => ({
  authorIds: t.idList({ description: "Only comments by the users of these ids." }),
  mine: t.boolean({ description: "True lists only the viewer's own comments, false only those of others." }),
}));

const argumentsOnPage = builder.args((t) => ({
  ...sharedArguments,
  ...authorArguments,
  nodeKey: t.string({ description: "Only comments on the node of this key, in the document of a page." }),
}));

const filterArguments = builder.args((t) => ({
  ...argumentsOnPage,
  pageId: t.id({ description: "Only comments on the page of this id." }),
}));

builder.queryField("comment", (t) =>
  t.find(comments, "A comment. NOT_FOUND when there is none with this id that the viewer may see."),
);

builder.prismaObjectFields(Space, (t) => ({
  commentCount: t.exposeInt("commentCount", { description: "Open comments on its main content." }),
  comments: t.list(commentsOfSpace, "Comments on its main content; none for those without a role on the space.", {
    args: filterArguments,
  }),
  comment: t.pick(commentsOfSpace, "One comment on its main content. NOT_FOUND when there is none with this id."),
}));

builder.prismaObjectFields(ChangeRequest, (t) => ({
  commentCount: t.exposeInt("commentCount", { description: "Open comments on it." }),
  comments: t.list(commentsOfChangeRequest, "Comments on it.", { args: filterArguments }),
  comment: t.pick(commentsOfChangeRequest, "One comment on it. NOT_FOUND when there is none with this id."),
}));

builder.objectFields(Page, (t) => ({
  comments: t.field({
    type: connectionTypeOf(comments),
    description:
      "Comments on it, in the content of its revision: the main content, or that of the change request; none for those without a role on the space.",
    args: { ...pageArguments, ...argumentsOnPage },
    resolve: (page, { first, after, last, before, ...args }, context, info) =>
      pageCommentsOn(context, page, { page: { first, after, last, before }, args, projection: projectionOf(info) }),
  }),
  commentCount: t.int({
    description: "Open comments on it, of those that `comments` lists.",
    resolve: (page, _args, context) => countOpenOn(context, page),
  }),
}));

const inboxArguments = builder.args((t) => ({
  ...sharedArguments,
  spaceIds: t.idList({ description: "Only comments in the spaces of these ids." }),
}));

builder.prismaObjectField(Organization, "comments", (t) =>
  t.list(
    commentsOfOrganization,
    "The comments in all its spaces that the viewer has a role on, on main contents and on change requests.",
    { args: { ...inboxArguments, ...authorArguments } },
  ),
);

builder.prismaObjectField(User, "comments", (t) =>
  t.list(commentsOfUser, "The comments that they posted, in all spaces that the viewer has a role on.", {
    args: inboxArguments,
  }),
);

builder.prismaObjectField(User, "mentions", (t) =>
  t.list(
    mentionsOfUser,
    "The comments, replies and pages that name them, newest first: those that the viewer may still see, for the viewer themself; none for anybody else.",
    { args: { spaceIds: t.arg.idList({ description: "Only those in the spaces of these ids." }) } },
  ),
);

builder.prismaObjectField(Review, "comments", (t) =>
  t.list(commentsOfReview, "The comments that belong to it, oldest first."),
);

builder.prismaObjectFields(Comment, (t) => ({
  review: t.rowOrNull(reviews, "reviewId", "The review that it belongs to; null for a comment on its own."),
  space: t.row(spaces, "spaceId", "Its space."),
  changeRequest: t.rowOrNull(
    changeRequests,
    "changeRequestId",
    "The change request that it is on; null for a comment on the main content.",
  ),
  postedBy: t.row(namedUsers, "postedById", "Who posted it."),
  resolvedBy: t.rowOrNull(namedUsers, "resolvedById", "Who resolved it."),
  replies: t.list(repliesOfComment, "Replies to it, oldest first."),
  reply: t.pick(repliesOfComment, "One reply to it. NOT_FOUND when there is none with this id."),
}));

builder.prismaObjectFields(CommentReply, (t) => ({
  comment: t.row(comments, "commentId", "The comment that it replies to."),
  postedBy: t.row(namedUsers, "postedById", "Who posted it."),
}));

builder.prismaObjectFields(Mention, (t) => ({
  user: t.row(namedUsers, "userId", "Who is named."),
  space: t.row(spaces, "spaceId", "The space."),
  comment: t.rowOrNull(
    comments,
    "commentId",
    "The comment whose text it is, or which the reply is to; null for a page.",
  ),
  reply: t.rowOrNull(replies, "replyId", "The reply whose text it is; null for the comment itself, and for a page."),
}));
