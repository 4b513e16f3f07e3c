// Permission cases of comments with their flags: on a change request, the commenter's, with a reply of the editor; and
// on a space, the commenter's too.
import { type PermissionCase, flag, type Flags, type Fixture } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, with the test that covers them for every role. */
export const nodes = { Mention: "mentions.test.ts: visible to the mentioned user with a role on the space" };

const comment = (fixture: Fixture) => ({ commentId: fixture.comment.id });
const reply = (fixture: Fixture) => ({ replyId: fixture.reply.id });
const onSpace = ({ spaceComment }: Fixture) => ({ commentId: spaceComment.id });
const body = { markdown: "Said" };

/** An update that changes nothing is allowed to anyone who may change something of the comment or reply. */
const editsOrReplies = (thing: string) => (_name: unknown, flags: Flags) =>
  flag(flags, `${thing}.edit`) || flag(flags, `${thing}.reply`);

export const permissionCases: readonly PermissionCase[] = [
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
    input: (fixture) => ({ ...comment(fixture), text: body }),
    allowedBy: ["comment.edit"],
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "to resolve it",
    input: (fixture) => ({ ...comment(fixture), resolved: true }),
    allowedBy: ["comment.resolve"],
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "by a reaction",
    input: (fixture) => ({ ...comment(fixture), addedReactions: ["🎉"] }),
    allowedBy: ["comment.reply"],
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "by removing a reaction",
    input: (fixture) => ({ ...comment(fixture), removedReactions: ["🎉"] }),
    allowedBy: ["comment.reply"],
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "without changes",
    input: comment,
    allowedBy: editsOrReplies("comment"),
    seen: ["comment"],
  },
  {
    mutation: "updateComment",
    how: "on a space, its text",
    input: (fixture) => ({ ...onSpace(fixture), text: body }),
    allowedBy: ["spaceComment.edit"],
    seen: ["spaceComment"],
  },
  {
    mutation: "updateComment",
    how: "on a space, to resolve it",
    input: (fixture) => ({ ...onSpace(fixture), resolved: true }),
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
    input: (fixture) => ({ ...comment(fixture), text: body }),
    allowedBy: ["comment.reply"],
    seen: ["comment"],
  },
  {
    mutation: "createCommentReply",
    how: "to one on a space",
    input: (fixture) => ({ ...onSpace(fixture), text: body }),
    allowedBy: ["spaceComment.reply"],
    seen: ["spaceComment"],
  },
  {
    mutation: "updateCommentReply",
    how: "its text",
    input: (fixture) => ({ ...reply(fixture), text: body }),
    allowedBy: ["reply.edit"],
    seen: ["reply"],
  },
  {
    mutation: "updateCommentReply",
    how: "by a reaction",
    input: (fixture) => ({ ...reply(fixture), addedReactions: ["🎉"] }),
    allowedBy: ["reply.reply"],
    seen: ["reply"],
  },
  {
    mutation: "updateCommentReply",
    how: "by removing a reaction",
    input: (fixture) => ({ ...reply(fixture), removedReactions: ["🎉"] }),
    allowedBy: ["reply.reply"],
    seen: ["reply"],
  },
  {
    mutation: "updateCommentReply",
    how: "without changes",
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
