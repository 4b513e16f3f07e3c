// What everybody tries with comments, and the flags that stand for it: on a change request, by the commenter, with a
// reply by the editor.
import type { Deed, Stage } from "#test/support/access/stage.ts";

/** Nodes that the access table leaves out, and where they are tested for everybody. */
export const nodes = { Mention: "mentions.test.ts: only who is mentioned sees it, with a role on the space" };

const comment = (stage: Stage) => ({ commentId: stage.comment.id });
const reply = (stage: Stage) => ({ replyId: stage.reply.id });
const body = { markdown: "Said" };

export const deeds: readonly Deed[] = [
  {
    mutation: "createComment",
    input: ({ changeRequest }) => ({ contentOf: { changeRequestId: changeRequest.id }, text: body }),
    stands: ["space.comment"],
    seen: ["space", "changeRequest"],
  },
  {
    mutation: "createComment",
    how: "on a space that is public",
    input: ({ topSpace }) => ({ contentOf: { spaceId: topSpace.id }, text: body }),
    stands: ["topSpace.comment"],
    seen: ["topSpace"],
  },
  {
    mutation: "updateComment",
    how: "its text",
    input: (stage) => ({ ...comment(stage), text: body }),
    stands: ["comment.edit"],
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "to resolve it",
    input: (stage) => ({ ...comment(stage), resolved: true }),
    stands: ["comment.resolve"],
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "by a reaction",
    input: (stage) => ({ ...comment(stage), addedReactions: ["🎉"] }),
    stands: ["comment.reply"],
    seen: ["comment"],
  },
  {
    mutation: "deleteComment",
    input: comment,
    stands: ["comment.delete"],
    seen: ["comment"],
    deletes: "comment",
  },
  {
    mutation: "createCommentReply",
    input: (stage) => ({ ...comment(stage), text: body }),
    stands: ["comment.reply"],
    seen: ["comment"],
  },
  {
    mutation: "updateCommentReply",
    how: "its text",
    input: (stage) => ({ ...reply(stage), text: body }),
    stands: ["reply.edit"],
    seen: ["reply"],
  },
  {
    mutation: "updateCommentReply",
    how: "by a reaction",
    input: (stage) => ({ ...reply(stage), addedReactions: ["🎉"] }),
    stands: ["reply.reply"],
    seen: ["reply"],
  },
  {
    mutation: "deleteCommentReply",
    input: reply,
    stands: ["reply.delete"],
    seen: ["reply"],
    deletes: "reply",
  },
];
