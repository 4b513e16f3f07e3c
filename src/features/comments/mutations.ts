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
      "Emojis that the viewer adds, as characters or by their numbers (`1f44d`), at most 50; those that are there already stay as they are.",
  }),
  removedReactions: t.stringList({
    description:
      "Emojis that the viewer removes, as characters or by their numbers, at most 50; those that are not there are ignored.",
  }),
});

defineMutation({
  name: "createComment",
  description: "Posts a comment on a space or on a change request, whatever its status. Needs the role `comment`.",
  input: (t) => ({
    ...contentOwner(t),
    ...newText(t),
    pageId: t.id({ description: "Id of the page that it is about." }),
    nodeKey: t.string({
      description:
        "Key of the node in a document that it is about. Without a page it is found on the one page that has it.",
    }),
    tableCell: t.field({
      type: CommentTableCellInput,
      description:
        "The table cell that it is about: of `nodeKey`, or else of any table of the page, or of the one page that has it.",
    }),
    reviewId: t.id({ description: "Id of the viewer's own review of the change request, when it belongs to that." }),
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
    "Changes a comment: the fields that are given, all or none. Its author changes the text; they and those with the role `edit` " +
    "resolve and reopen it; reactions need the role `comment`.",
  input: (t) => ({
    ...onComment(t),
    ...changes(t),
    resolved: t.boolean({ description: "True resolves it, false opens it again." }),
  }),
  run: (input, context) => updateComment(context, input),
  payload: rowPayload("comment", comments, "The comment."),
});

defineMutation({
  name: "deleteComment",
  description: "Deletes a comment with its replies and reactions. For its author and admins of the space.",
  input: onComment,
  run: (input, context) => deleteComment(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    space: t.rowOrNull(spaces, "spaceId", "The space that it was on; null when it was not there."),
    changeRequest: t.rowOrNull(
      changeRequests,
      "changeRequestId",
      "The change request that it was on; null for one on the main content, and when it was not there.",
    ),
  }),
});

defineMutation({
  name: "createCommentReply",
  description: "Replies to a comment. Needs the role `comment` on the space.",
  input: (t) => ({ ...onComment(t), ...newText(t) }),
  run: (input, context) => createCommentReply(context, input),
  payload: createdPayload("reply", repliesOfComment, { description: "The new reply.", in: "Comment.replies" }),
});

defineMutation({
  name: "updateCommentReply",
  description:
    "Changes a reply: the fields that are given, all or none. Its author changes the text; reactions need the role `comment`.",
  input: (t) => ({ ...onReply(t), ...changes(t) }),
  run: (input, context) => updateCommentReply(context, input),
  payload: rowPayload("reply", replies, "The reply."),
});

defineMutation({
  name: "deleteCommentReply",
  description: "Deletes a reply with its reactions. For its author and admins of the space.",
  input: onReply,
  run: (input, context) => deleteCommentReply(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    comment: t.rowOrNull(comments, "commentId", "The comment that it was a reply to; null when it was not there."),
  }),
});
