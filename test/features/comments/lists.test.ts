// Comment lists in GraphQL: filters, orders, reactions by user, and refused arguments.
import { beforeAll, describe, expect, test } from "vitest";
import { addComment, addReaction, addReply } from "#test/features/comments/factory.ts";
import { addPersonIn } from "#test/features/members/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { readList } from "#test/support/list-reader.ts";
import { times, type World } from "#test/support/world.ts";

const { app, world } = await useApp();
let made: Awaited<ReturnType<World["changeRequest"]>>;
let client: Client;
/** The comments' ids by name. */
let ids: Readonly<Record<"plain" | "onNode" | "resolved" | "own", string>>;

beforeAll(async () => {
  made = await world.changeRequest();
  const { space, changeRequest, editor, commenter, reviewer } = made;
  client = app.as(editor.token);
  ids = await world.insert((rows) => {
    const by = { spaceId: space.id, changeRequestId: changeRequest.id, postedById: commenter.id };
    return {
      plain: addComment(rows, { ...by, postedAt: "2026-04-01T00:00:00Z" }).id,
      onNode: addComment(rows, { ...by, postedAt: "2026-04-02T00:00:00Z", pageId: "pag_1", nodeId: "key-1" }).id,
      resolved: addComment(rows, {
        ...by,
        postedAt: "2026-04-03T00:00:00Z",
        status: "resolved",
        resolvedById: reviewer.id,
      }).id,
      own: addComment(rows, { ...by, postedAt: "2026-04-04T00:00:00Z", postedById: editor.id }).id,
    };
  });
});

const names = (found: readonly string[]) =>
  found.map((id) => Object.entries(ids).find(([, known]) => known === id)?.[0] ?? id);
const comments = async (given: string) =>
  names(await readList(client, ["ChangeRequest", made.changeRequest.id], `comments(${given})`));

describe("lists of comments", () => {
  test.each([
    ['nodeKey: "key-1"', ["onNode"]],
    ['nodeKey: "key-2"', []],
    ["mine: true", ["own"]],
    ["mine: false", ["resolved", "onNode", "plain"]],
    ['postedSince: "2026-04-03T00:00:00Z"', ["own", "resolved"]],
    ['postedSince: "2026-04-03T00:00:00.001Z"', ["own"]],
    ["mine: false, status: OPEN", ["onNode", "plain"]],
    ["orderBy: { field: POSTED_AT }", ["plain", "onNode", "resolved", "own"]],
    ["orderBy: { field: POSTED_AT, direction: DESC }", ["own", "resolved", "onNode", "plain"]],
  ])("are filtered and sorted by %s", async (given, expected) => {
    expect(await comments(given)).toEqual(expected);
  });

  test("can be filtered by who resolved them", async () => {
    expect(await comments(`resolvedById: "${made.reviewer.id}"`)).toEqual(["resolved"]);
    expect(await comments(`resolvedById: "${made.editor.id}"`)).toEqual([]);
  });

  test("refuse a filter with an invalid time", async () => {
    expect(
      await client.refusal(
        `{ changeRequest(id: "${made.changeRequest.id}") { comments(postedSince: "today") { totalCount } } }`,
      ),
    ).toBe("GRAPHQL_VALIDATION_FAILED");
  });
});

test("use the newest reply as a comment's last activity and can be sorted by it", async () => {
  const { space, editor } = await world.space();
  const { first, second } = await world.insert((rows) => {
    const by = { spaceId: space.id, postedById: editor.id };
    const first = addComment(rows, { ...by, postedAt: "2026-04-01T00:00:00Z" });
    addReply(rows, { commentId: first.id, postedById: editor.id, postedAt: "2026-04-05T00:00:00Z" });
    addReply(rows, { commentId: first.id, postedById: editor.id, postedAt: "2026-04-03T00:00:00Z" });
    return { first, second: addComment(rows, { ...by, postedAt: "2026-04-04T00:00:00Z" }) };
  });
  const caller = app.as(editor.token);
  const lists = (field: string) =>
    readList(caller, ["Space", space.id], "comments(orderBy: { field: LAST_ACTIVITY_AT, direction: DESC })", field);
  expect(await lists("id")).toEqual([first.id, second.id]);
  expect(await lists("lastActivityAt")).toEqual(["2026-04-05T00:00:00.000Z", "2026-04-04T00:00:00.000Z"]);
  const { comment } = await caller.query<{ comment: { replies: { nodes: { id: string }[] } } }>(
    `{ comment(id: "${first.id}") { replies { nodes { id } } } }`,
  );
  const remove = (replyId: string | undefined) =>
    caller.query("mutation ($input: DeleteCommentReplyInput!) { deleteCommentReply(input: $input) { deletedId } }", {
      input: { replyId },
    });
  await remove(comment.replies.nodes[1]?.id);
  expect(await lists("lastActivityAt")).toEqual(["2026-04-04T00:00:00.000Z", "2026-04-03T00:00:00.000Z"]);
  await remove(comment.replies.nodes[0]?.id);
  expect(await lists("lastActivityAt")).toEqual(["2026-04-04T00:00:00.000Z", "2026-04-01T00:00:00.000Z"]);
  const reply =
    "mutation ($input: CreateCommentReplyInput!) { createCommentReply(input: $input) { reply { comment { lastActivityAt } postedAt } } }";
  const { createCommentReply: posted } = await caller.query<{
    createCommentReply: { reply: { comment: { lastActivityAt: string }; postedAt: string } };
  }>(reply, { input: { commentId: first.id, text: { markdown: "Once more" } } });
  expect(posted.reply.comment.lastActivityAt).toBe(posted.reply.postedAt);
  expect(await lists("id")).toEqual([first.id, second.id]);
});

describe("lists of reactions", () => {
  /** A comment and a reply with the reactions of 25 people, including the editor, and one of the commenter. */
  async function makeReactions() {
    const base = await world.comment();
    const { organization, comment, reply, commenter, editor } = base;
    const people = await world.insert((rows) => {
      const others = times(24, () => addPersonIn(rows, { organizationId: organization.id, role: "read" }));
      for (const on of [{ commentId: comment.id }, { replyId: reply.id }]) {
        for (const { id: userId } of others) addReaction(rows, { ...on, userId });
        addReaction(rows, { ...on, userId: commenter.id, emoji: "🎉" });
      }
      return others;
    });
    return { ...base, people, editor };
  }
  const selection =
    "emoji count viewerHasReacted reactors(first: 10) { totalCount nodes { user { id } reactedAt } pageInfo { hasNextPage endCursor } }";
  interface Group {
    emoji: string;
    count: number;
    viewerHasReacted: boolean;
    reactors: {
      totalCount: number;
      nodes: { user: { id: string }; reactedAt: string }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
  }

  test("include whether the viewer reacted, and paginate the users who did, in order", async () => {
    const { comment, reply, editor, commenter, reader, people } = await makeReactions();
    const document = `{ comment(id: "${comment.id}") { reactions { ${selection} } reply(id: "${reply.id}") { reactions { ${selection} } } } }`;
    interface Found {
      comment: { reactions: Group[]; reply: { reactions: Group[] } };
    }
    const { comment: found } = await app.as(commenter.token).query<Found>(document);
    const [thumbs, party] = found.reactions;
    expect(thumbs).toMatchObject({ emoji: "👍", count: 25, viewerHasReacted: false });
    expect(thumbs?.reactors).toMatchObject({ totalCount: 25, pageInfo: { hasNextPage: true } });
    const inOrder = [editor, ...people].map(({ id }) => id);
    expect(thumbs?.reactors.nodes.map(({ user }) => user.id)).toEqual(inOrder.slice(0, 10));
    expect(party).toMatchObject({ emoji: "🎉", count: 1, viewerHasReacted: true, reactors: { totalCount: 1 } });
    expect(found.reply.reactions.map((group) => [group.emoji, group.count, group.reactors.totalCount])).toEqual([
      ["👍", 24, 24],
      ["🎉", 1, 1],
    ]);
    const rest = `{ comment(id: "${comment.id}") { reactions { reactors(first: 100, after: "${thumbs?.reactors.pageInfo.endCursor}") { nodes { user { id } } } reactorList { user { id } } } } }`;
    const { comment: more } = await app
      .as(reader.token)
      .query<{ comment: { reactions: { reactors: Group["reactors"]; reactorList: { user: { id: string } }[] }[] } }>(
        rest,
      );
    expect(more.reactions[0]?.reactors.nodes.map(({ user }) => user.id)).toEqual(inOrder.slice(10));
    expect(more.reactions[0]?.reactorList.map(({ user }) => user.id)).toEqual(inOrder);
  });

  test("cost three statements more with their users, for any number of comments and people", async () => {
    const { changeRequest, space, commenter, people } = await makeReactions();
    await world.insert((rows) =>
      times(20, () => {
        const comment = addComment(rows, {
          spaceId: space.id,
          changeRequestId: changeRequest.id,
          postedById: commenter.id,
        });
        for (const { id: userId } of people) addReaction(rows, { commentId: comment.id, userId });
      }),
    );
    const cost = (first: number, what: string) =>
      app
        .as(commenter.token)
        .statements(
          `query ($id: ID!, $first: Int!) { changeRequest(id: $id) { comments(first: $first) { nodes { reactions { ${what} } } } } }`,
          { id: changeRequest.id, first },
        );
    // All reactions, their count, and the people.
    expect([await cost(2, "emoji viewerHasReacted"), await cost(20, "emoji viewerHasReacted")]).toEqual([2, 2]);
    expect([await cost(2, selection), await cost(20, selection)]).toEqual([5, 5]);
  });
});

test("a flag shows whether the viewer may resolve a comment; replies cannot be resolved", async () => {
  const { comment, reply, people } = await world.comment();
  const flags = `{ comment(id: "${comment.id}") { permissions { resolve } reply(id: "${reply.id}") { permissions { resolve } } } }`;
  for (const [name, resolve] of [
    ["commenter", true],
    ["editor", true],
    ["reader", false],
    ["invitedGuest", false],
  ] as const)
    expect(await app.as(people[name].token).query(flags)).toEqual({
      comment: { permissions: { resolve }, reply: { permissions: { resolve: false } } },
    });
});
