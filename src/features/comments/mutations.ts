// Mutations on comments and replies. Each names the space and, for comments on a change request, that too: elsewhere
// they are NOT_FOUND.
import { createComment, deleteComment, updateComment } from "#src/features/comments/commands/comment.ts";
import { createCommentReply, deleteCommentReply, updateCommentReply } from "#src/features/comments/commands/reply.ts";
import { comments, replies } from "#src/features/comments/reads/comments.ts";
import { CommentBodyInput, CommentTableCellInput } from "#src/features/comments/type/parts.ts";
import type { InputFields } from "#src/graph/builder.ts";
import { defineMutation, deletedPayload, rowPayload } from "#src/graph/mutations.ts";

type Input = InputFields;

const commentPayload = rowPayload("comment", comments, "The comment.");

const replyPayload = rowPayload("reply", replies, "The reply.");

const place = (t: Input) => ({
  spaceId: t.id({ required: true, description: "Id of the space." }),
  changeRequestId: t.id({
    description: "Id of the change request, or its number as text; left out for comments on the main content.",
  }),
});

const onComment = (t: Input) => ({
  ...place(t),
  commentId: t.id({ required: true, description: "Id of the comment." }),
});

const onReply = (t: Input) => ({
  ...onComment(t),
  replyId: t.id({ required: true, description: "Id of the reply." }),
});

const newBody = (t: Input) => t.field({ type: CommentBodyInput, required: true, description: "The text." });

const changes = (t: Input) => ({
  body: t.field({ type: CommentBodyInput, description: "The new text." }),
  addedReactions: t.stringList({
    description: "Emojis that the viewer adds, at most 50; those that are there already stay as they are.",
  }),
  removedReactions: t.stringList({
    description: "Emojis that the viewer removes, at most 50; those that are not there are ignored.",
  }),
});

defineMutation({
  name: "createComment",
  description: "Posts a comment on a space or on a change request, whatever its status. Needs the role `comment`.",
  input: (t) => ({
    ...place(t),
    body: newBody(t),
    page: t.id({ description: "Id of the page that it is about." }),
    node: t.string({
      description:
        "Key of the node in a document that it is about. Without `page` it is found on the one page that has it.",
    }),
    tableCell: t.field({
      type: CommentTableCellInput,
      description:
        "The table cell that it is about: of `node`, or else of any table of `page`, or of the one page that has it.",
    }),
    review: t.id({ description: "Id of the viewer's own review of the change request, when it belongs to that." }),
  }),
  run: (input, context) => createComment(context, input),
  payload: commentPayload,
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
  payload: commentPayload,
});

defineMutation({
  name: "deleteComment",
  description: "Deletes a comment with its replies and reactions. For its author and admins of the space.",
  input: onComment,
  run: (input, context) => deleteComment(context, input),
  payload: deletedPayload,
});

defineMutation({
  name: "createCommentReply",
  description: "Replies to a comment. Needs the role `comment` on the space.",
  input: (t) => ({ ...onComment(t), body: newBody(t) }),
  run: (input, context) => createCommentReply(context, input),
  payload: replyPayload,
});

defineMutation({
  name: "updateCommentReply",
  description:
    "Changes a reply: the fields that are given, all or none. Its author changes the text; reactions need the role `comment`.",
  input: (t) => ({ ...onReply(t), ...changes(t) }),
  run: (input, context) => updateCommentReply(context, input),
  payload: replyPayload,
});

defineMutation({
  name: "deleteCommentReply",
  description: "Deletes a reply with its reactions. For its author and admins of the space.",
  input: onReply,
  run: (input, context) => deleteCommentReply(context, input),
  payload: deletedPayload,
});
