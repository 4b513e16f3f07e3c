// What everybody tries with comments, and the flags that stand for it: on a change request, by the commenter, with a
// reply by the editor, and on a space, by the commenter, too.
import { type Deed, flag, type Flags, type Stage } from "#test/support/access/fixture.ts";

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
    allowedBy: ["space.comment"],
    seen: ["space", "changeRequest"],
  },
  {
    mutation: "createComment",
    how: "on a space that is public",
    input: ({ topSpace }) => ({ contentOf: { spaceId: topSpace.id }, text: body }),
    allowedBy: ["topSpace.comment"],
    seen: ["topSpace"],
  },
  {
    mutation: "createComment",
    how: "on a space in a collection",
    input: ({ space }) => ({ contentOf: { spaceId: space.id }, text: body }),
    allowedBy: ["space.comment"],
    seen: ["space"],
  },
  {
    mutation: "updateComment",
    how: "its text",
    input: (stage) => ({ ...comment(stage), text: body }),
    allowedBy: ["comment.edit"],
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "to resolve it",
    input: (stage) => ({ ...comment(stage), resolved: true }),
    allowedBy: ["comment.resolve"],
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "by a reaction",
    input: (stage) => ({ ...comment(stage), addedReactions: ["🎉"] }),
    allowedBy: ["comment.reply"],
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "by taking a reaction away",
    input: (stage) => ({ ...comment(stage), removedReactions: ["🎉"] }),
    allowedBy: ["comment.reply"],
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "nothing of it",
    input: comment,
    allowedBy: editsOrReplies("comment"),
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "on a space, its text",
    input: (stage) => ({ ...onSpace(stage), text: body }),
    allowedBy: ["spaceComment.edit"],
    seen: ["spaceComment"],
  },
  {
    mutation: "updateComment",
    how: "on a space, to resolve it",
    input: (stage) => ({ ...onSpace(stage), resolved: true }),
    allowedBy: ["spaceComment.resolve"],
    seen: ["spaceComment"],
  },
  {
    mutation: "deleteComment",
    input: comment,
    allowedBy: ["comment.delete"],
    seen: ["comment"],
    deletes: "comment",
  },
  {
    mutation: "deleteComment",
    how: "on a space",
    input: onSpace,
    allowedBy: ["spaceComment.delete"],
    seen: ["spaceComment"],
    deletes: "spaceComment",
  },
  {
    mutation: "createCommentReply",
    input: (stage) => ({ ...comment(stage), text: body }),
    allowedBy: ["comment.reply"],
    seen: ["comment"],
  },
  {
    mutation: "createCommentReply",
    how: "to one on a space",
    input: (stage) => ({ ...onSpace(stage), text: body }),
    allowedBy: ["spaceComment.reply"],
    seen: ["spaceComment"],
  },
  {
    mutation: "updateCommentReply",
    how: "its text",
    input: (stage) => ({ ...reply(stage), text: body }),
    allowedBy: ["reply.edit"],
    seen: ["reply"],
  },
  {
    mutation: "updateCommentReply",
    how: "by a reaction",
    input: (stage) => ({ ...reply(stage), addedReactions: ["🎉"] }),
    allowedBy: ["reply.reply"],
    seen: ["reply"],
  },
  {
    mutation: "updateCommentReply",
    how: "by taking a reaction away",
    input: (stage) => ({ ...reply(stage), removedReactions: ["🎉"] }),
    allowedBy: ["reply.reply"],
    seen: ["reply"],
  },
  {
    mutation: "updateCommentReply",
    how: "nothing of it",
    input: reply,
    allowedBy: editsOrReplies("reply"),
    seen: ["reply"],
  },
  {
    mutation: "deleteCommentReply",
    input: reply,
    allowedBy: ["reply.delete"],
    seen: ["reply"],
    deletes: "reply",
  },
];
