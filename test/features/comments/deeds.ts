// What everybody tries with comments, and the flags that stand for it: on a change request, by the commenter, with a
// reply by the editor, and on a space, by the commenter, too.
import { type Deed, flag, type Flags, type Stage } from "#test/support/access/stage.ts";

/** Nodes that the access table leaves out, and where they are tested for everybody. */
export const nodes = { Mention: "mentions.test.ts: only who is mentioned sees it, with a role on the space" };

const comment = (stage: Stage) => ({ commentId: stage.comment.id });
const reply = (stage: Stage) => ({ replyId: stage.reply.id });
const onSpace = ({ spaceComment }: Stage) => ({ commentId: spaceComment.id });
const body = { markdown: "Said" };

/** Who may change anything of a comment or reply may send an update that changes nothing. */
const editsOrReplies = (thing: string) => (_name: unknown, flags: Flags) =>
  flag(flags, `${thing}.edit`) || flag(flags, `${thing}.reply`);

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
    mutation: "createComment",
    how: "on a space in a collection",
    input: ({ space }) => ({ contentOf: { spaceId: space.id }, text: body }),
    stands: ["space.comment"],
    seen: ["space"],
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
    mutation: "updateComment",
    how: "by taking a reaction away",
    input: (stage) => ({ ...comment(stage), removedReactions: ["🎉"] }),
    stands: ["comment.reply"],
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "nothing of it",
    input: comment,
    stands: editsOrReplies("comment"),
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "on a space, its text",
    input: (stage) => ({ ...onSpace(stage), text: body }),
    stands: ["spaceComment.edit"],
    seen: ["spaceComment"],
  },
  {
    mutation: "updateComment",
    how: "on a space, to resolve it",
    input: (stage) => ({ ...onSpace(stage), resolved: true }),
    stands: ["spaceComment.resolve"],
    seen: ["spaceComment"],
  },
  {
    mutation: "deleteComment",
    input: comment,
    stands: ["comment.delete"],
    seen: ["comment"],
    deletes: "comment",
  },
  {
    mutation: "deleteComment",
    how: "on a space",
    input: onSpace,
    stands: ["spaceComment.delete"],
    seen: ["spaceComment"],
    deletes: "spaceComment",
  },
  {
    mutation: "createCommentReply",
    input: (stage) => ({ ...comment(stage), text: body }),
    stands: ["comment.reply"],
    seen: ["comment"],
  },
  {
    mutation: "createCommentReply",
    how: "to one on a space",
    input: (stage) => ({ ...onSpace(stage), text: body }),
    stands: ["spaceComment.reply"],
    seen: ["spaceComment"],
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
    mutation: "updateCommentReply",
    how: "by taking a reaction away",
    input: (stage) => ({ ...reply(stage), removedReactions: ["🎉"] }),
    stands: ["reply.reply"],
    seen: ["reply"],
  },
  {
    mutation: "updateCommentReply",
    how: "nothing of it",
    input: reply,
    stands: editsOrReplies("reply"),
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
