// Where comments are asked for: `comment`, and from spaces, change requests and comments.
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { ChangeRequest } from "#src/features/change-requests/type/change-request.ts";
import {
  comments,
  commentsOfChangeRequest,
  commentsOfSpace,
  repliesOfComment,
} from "#src/features/comments/reads/comments.ts";
import { Comment, CommentReply } from "#src/features/comments/type/comment.ts";
import { CommentStatusFilter } from "#src/features/comments/type/parts.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/builder.ts";
import { renamed } from "#src/graph/renamed.ts";
import { SortOrder } from "#src/graph/scalars.ts";

const filterArguments = builder.args((t) => ({
  order: t.field({ type: SortOrder, defaultValue: "desc", required: true, description: "By the time of posting." }),
  status: t.field({
    type: CommentStatusFilter,
    defaultValue: "all",
    required: true,
    description: "Which comments to list.",
  }),
  ...renamed("pageId", "targetPage", (naming) =>
    t.id({ description: "Only comments on the page of this id.", ...naming }),
  ),
  ...renamed("authorIds", "authors", (naming) =>
    t.idList({ description: "Only comments by the users of these ids.", ...naming }),
  ),
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
  comments: t.list(commentsOfChangeRequest, "Comments on it.", {
    args: filterArguments,
  }),
  comment: t.pick(commentsOfChangeRequest, "One comment on it. NOT_FOUND when there is none with this id."),
}));

builder.prismaObjectFields(Comment, (t) => ({
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
