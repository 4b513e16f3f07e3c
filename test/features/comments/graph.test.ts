// Comments in GraphQL: filters, order, replies, reactions, targets and permission flags.
import { expect, test } from "vitest";
import { addComment, addReaction, addReply } from "#test/features/comments/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

test("comments are filtered by status, page and author, in either order", async () => {
  const { reader, editor, commenter, space } = await world.space();
  const [first, second, third] = await world.insert((rows) => [
    addComment(rows, { spaceId: space.id, postedById: editor.id, pageId: "pag_1" }),
    addComment(rows, {
      spaceId: space.id,
      postedById: commenter.id,
      status: "resolved",
      resolvedAt: "2026-01-01T00:00:00Z",
    }),
    addComment(rows, { spaceId: space.id, postedById: commenter.id, pageId: "pag_1" }),
  ]);
  const list = async (args: string) => {
    const { space: found } = await app
      .as(reader.token)
      .query<{ space: { comments: { nodes: { id: string }[]; totalCount: number } } }>(
        `{ space(id: "${space.id}") { comments${args} { totalCount nodes { id } } } }`,
      );
    expect(found.comments.totalCount).toBe(found.comments.nodes.length);
    return found.comments.nodes.map(({ id }) => id);
  };
  expect(await list("")).toEqual([third.id, second.id, first.id]);
  expect(await list("(orderBy: { field: POSTED_AT })")).toEqual([first.id, second.id, third.id]);
  expect(await list("(status: OPEN)")).toEqual([third.id, first.id]);
  expect(await list("(status: RESOLVED)")).toEqual([second.id]);
  expect(await list(`(pageId: "pag_1", authorIds: ["${editor.id}"])`)).toEqual([first.id]);
  expect(await list(`(authorIds: ["${editor.id}", "${commenter.id}"])`)).toHaveLength(3);
  expect(await list("(authorIds: [])")).toEqual([]);
});

test("comments on change requests are separate lists", async () => {
  const { reader, space, changeRequest, comment, spaceComment } = await world.comment();
  const both = `{ space(id: "${space.id}") { comments { nodes { id } } changeRequest(by: { id: "${changeRequest.id}" }) { comments { nodes { id } } } } }`;
  expect(await app.as(reader.token).query(both)).toEqual({
    space: {
      comments: { nodes: [{ id: spaceComment.id }] },
      changeRequest: { comments: { nodes: [{ id: comment.id }] } },
    },
  });
  const wrongPlace = `{ space(id: "${space.id}") { comment(id: "${comment.id}") { id } } }`;
  expect(await app.as(reader.token).refusal(wrongPlace)).toBe("NOT_FOUND");
});

test("comments group reactions by emoji, first used first, with users and times", async () => {
  const { reader, editor, commenter, comment } = await world.comment();
  await world.insert((rows) => {
    addReaction(rows, {
      commentId: comment.id,
      userId: commenter.id,
      emoji: "🎉",
      reactedAt: "2026-05-02T10:00:00.250Z",
    });
    addReaction(rows, { commentId: comment.id, userId: editor.id, emoji: "🎉", reactedAt: "2026-05-01T10:00:00Z" });
  });
  const { comment: found } = await app
    .as(reader.token)
    .query<{ comment: { reactions: { emoji: string }[] } }>(
      `{ comment(id: "${comment.id}") { reactions { emoji count reactorList { reactedAt user { id } } } } }`,
    );
  expect(found.reactions.find(({ emoji }) => emoji === "🎉")).toEqual({
    emoji: "🎉",
    count: 2,
    reactorList: [
      { reactedAt: "2026-05-01T10:00:00.000Z", user: { id: editor.id } },
      { reactedAt: "2026-05-02T10:00:00.250Z", user: { id: commenter.id } },
    ],
  });
});

test("comments have replies, oldest first, that link back", async () => {
  const { reader, editor, comment, reply } = await world.comment();
  const more = await world.insert((rows) =>
    times(3, () => addReply(rows, { commentId: comment.id, postedById: editor.id })),
  );
  const data = await app
    .as(reader.token)
    .query<{ comment: { replyCount: number; replies: { nodes: { id: string }[] } } }>(
      `{ comment(id: "${comment.id}") { replyCount replies { nodes { id comment { id } postedBy { id } urls { location } } } } }`,
    );
  expect(data.comment.replyCount).toBe(4);
  expect(data.comment.replies.nodes.map(({ id }) => id)).toEqual([reply.id, ...more.map(({ id }) => id)]);
  expect(data.comment.replies.nodes[0]).toMatchObject({
    comment: { id: comment.id },
    urls: {
      location: `${app.url}/v1/spaces/${comment.spaceId}/change-requests/${comment.changeRequestId}/comments/${comment.id}/replies/${reply.id}`,
    },
  });
});

test("comments show their target", async () => {
  const { reader, editor, space } = await world.space();
  const comment = await world.insert((rows) =>
    addComment(rows, {
      spaceId: space.id,
      postedById: editor.id,
      pageId: "pag_9",
      nodeId: "key-1",
      nodePreview: "A paragraph",
      tableCellRecord: "r1",
      tableCellDefinition: "d1",
      revisionId: space.revisionId,
    }),
  );
  const data = await app
    .as(reader.token)
    .query(
      `{ comment(id: "${comment.id}") { target { spaceId changeRequestId revisionId page { pageId } node { key preview } tableCell { record definition } } } }`,
    );
  expect(data).toEqual({
    comment: {
      target: {
        spaceId: space.id,
        changeRequestId: null,
        revisionId: space.revisionId,
        page: { pageId: "pag_9" },
        node: { key: "key-1", preview: "A paragraph" },
        tableCell: { record: "r1", definition: "d1" },
      },
    },
  });
});

test("permission flags of comments follow author and space role, in one more statement for a whole list", async () => {
  const { people, space, changeRequest, comment } = await world.comment();
  const flags = `{ comment(id: "${comment.id}") { permissions { view edit reply delete } } }`;
  const flagsOf = async (token: string) =>
    (await app.as(token).query<{ comment: { permissions: unknown } }>(flags)).comment.permissions;
  expect(await flagsOf(people.commenter.token)).toEqual({ view: true, edit: true, reply: true, delete: true });
  expect(await flagsOf(people.reader.token)).toEqual({ view: true, edit: false, reply: false, delete: false });
  expect(await flagsOf(people.reviewer.token)).toEqual({ view: true, edit: false, reply: true, delete: false });
  expect(await flagsOf(people.admin.token)).toEqual({ view: true, edit: false, reply: true, delete: true });
  await world.insert((rows) =>
    times(20, () =>
      addComment(rows, { spaceId: space.id, changeRequestId: changeRequest.id, postedById: people.editor.id }),
    ),
  );
  const list = `{ changeRequest(id: "${changeRequest.id}") { comments { nodes { id permissions { edit } } } } }`;
  expect(await app.as(people.reader.token).statements(list)).toBe(3);
});
