// Mutations on comments and replies.
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { createComment, deleteComment, updateComment } from "#src/features/comments/commands/comment.ts";
import { createCommentReply, deleteCommentReply, updateCommentReply } from "#src/features/comments/commands/reply.ts";
import { comments, commentsOfSpace, replies, repliesOfComment } from "#src/features/comments/reads/comments.ts";
import { CommentTableCellInput, RichTextInput } from "#src/features/comments/type/parts.ts";
import { contentOwner } from "#src/features/content/type/input.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";

const onComment = (t: InputFields) => ({ commentId: t.id({ required: true, description: "Id of the comment." }) });

const onReply = (t: InputFields) => ({ replyId: t.id({ required: true, description: "Id of the reply." }) });

const newText = (t: InputFields) => ({
  text: t.field({ type: RichTextInput, required: true, description: "The text." }),
});

const changes = (t: InputFields) => ({
  text: t.field({ type: RichTextInput, description: "The new text." }),
  addedReactions: t.stringList({
    description:
      "Emojis that the viewer adds, as characters or hexadecimal code points (`1f44d`), at most 50; existing reactions stay.",
  }),
  removedReactions: t.stringList({
    description:
      "Emojis that the viewer removes, as characters or hexadecimal code points, at most 50; missing reactions are ignored.",
  }),
});

defineMutation({
  name: "createComment",
  description: "Posts a comment on a space or on a change request of any status. Requires the role `comment`.",
  input: (t) => ({
    ...contentOwner(t),
    ...newText(t),
    pageId: t.id({ description: "Id of the page that the comment is about." }),
    nodeKey: t.string({
      description:
        "Key of the document node that the comment is about. Without `pageId`, all pages are searched; INVALID_INPUT if several pages or none have it.",
    }),
    tableCell: t.field({
      type: CommentTableCellInput,
      description:
        "The table cell that the comment is about: of the table `nodeKey`, or of any table of the page, or of the only page that has it.",
    }),
    reviewId: t.id({
      description: "Id of the viewer's own review of the change request to which the comment belongs.",
    }),
  }),
  run: ({ contentOf, ...input }, context) => createComment(context, { ...contentOf, ...input }),
  payload: createdPayload("comment", commentsOfSpace, {
    description: "The new comment.",
    in: "comments",
    args: { status: "all" },
  }),
});

defineMutation({
  name: "updateComment",
  description:
    "Changes a comment, all given fields or none; omitted fields stay unchanged. Only its author may change the text; the author and users with the role `edit` " +
    "may resolve and reopen it; reactions require the role `comment`.",
  input: (t) => ({
    ...onComment(t),
    ...changes(t),
    resolved: t.boolean({ description: "True resolves it, false reopens it." }),
  }),
  run: (input, context) => updateComment(context, input),
  payload: rowPayload("comment", comments, "The comment."),
});

defineMutation({
  name: "deleteComment",
  description: "Deletes a comment with its replies and reactions. Only for its author and admins of the space.",
  input: onComment,
  run: (input, context) => deleteComment(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    space: t.rowOrNull(spaces, "spaceId", "The space of the comment; null if the comment did not exist."),
    changeRequest: t.rowOrNull(
      changeRequests,
      "changeRequestId",
      "The change request of the comment; null if it was on the main content or did not exist.",
    ),
  }),
});

defineMutation({
  name: "createCommentReply",
  description: "Replies to a comment. Requires the role `comment` on the space.",
  input: (t) => ({ ...onComment(t), ...newText(t) }),
  run: (input, context) => createCommentReply(context, input),
  payload: createdPayload("reply", repliesOfComment, { description: "The new reply.", in: "Comment.replies" }),
});

defineMutation({
  name: "updateCommentReply",
  description:
    "Changes a reply, all given fields or none; omitted fields stay unchanged. Only its author may change the text; reactions require the role `comment`.",
  input: (t) => ({ ...onReply(t), ...changes(t) }),
  run: (input, context) => updateCommentReply(context, input),
  payload: rowPayload("reply", replies, "The reply."),
});

defineMutation({
  name: "deleteCommentReply",
  description: "Deletes a reply with its reactions. Only for its author and admins of the space.",
  input: onReply,
  run: (input, context) => deleteCommentReply(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    comment: t.rowOrNull(comments, "commentId", "The comment of the reply; null if the reply did not exist."),
  }),
});
