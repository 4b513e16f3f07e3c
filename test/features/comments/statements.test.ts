// SQL statements of comments: complete lists take as many for two as for twenty, and each change takes a fixed number.
import { expect, it } from "vitest";
import {
  commentOf,
  createComment,
  createReply,
  deleteComment,
  placeOf,
  updateComment,
} from "#test/features/comments/discussion.ts";
import { addComment, addReaction, addReply } from "#test/features/comments/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const post = `id postedAt body { markdown } postedBy { id displayName } permissions { edit reply delete }
  reactions { emoji count reactorList { user { id displayName } reactedAt } }`;
const list = `query ($id: ID!, $first: Int!) {
  changeRequest(id: $id) {
    comments(first: $first) { totalCount nodes { ${post} status replyCount replies(first: $first) { nodes { ${post} } } } }
  }
}`;

it("a comment list with replies, reactions, people and flags takes as many statements for two as for twenty", async () => {
  const { reader, commenter, editor, changeRequest, space } = await world.comment();
  await world.insert((rows) =>
    times(20, () => {
      const here = { spaceId: space.id, changeRequestId: changeRequest.id };
      const comment = addComment(rows, { ...here, postedById: commenter.id });
      addReaction(rows, { commentId: comment.id, userId: editor.id });
      for (const reply of times(20, () => addReply(rows, { commentId: comment.id, postedById: editor.id })))
        addReaction(rows, { replyId: reply.id, userId: commenter.id });
    }),
  );
  const client = app.as(reader.token);
  const cost = (first: number) => client.statements(list, { id: changeRequest.id, first });
  // The change request, its comments with their reactions, their count, their replies with reactions, people, and
  // the role on the space.
  expect([await cost(2), await cost(20)]).toEqual([6, 6]);
});

it("each comment change takes a fixed number of statements", async () => {
  const made = await world.comment();
  const on = commentOf("change request", made);
  const body = { markdown: "x" };
  // Reading the present state, the transaction with its event, the viewer's rights, and the payload.
  const costs: number[] = [];
  for (const [document, input] of [
    [createComment, { ...placeOf("change request", made), text: body }],
    [createReply, { ...on, text: body }],
    [
      updateComment,
      { ...on, text: body, resolved: true, addedReactions: ["🎉", "👀", "🚀"], removedReactions: ["👍"] },
    ],
    [deleteComment, on],
  ] as const)
    costs.push(await app.as(made.commenter.token).statements(document, { input }));
  expect(costs).toEqual([8, 10, 11, 6]);
});
