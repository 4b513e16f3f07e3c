// Mentions in comments and replies: their lists, events and audience.
import { newId } from "#src/base/ids.ts";
import { beforeAll, describe, expect, it } from "vitest";
import {
  createComment,
  createReply,
  deleteComment,
  done,
  updateComment,
  updateReply,
} from "#test/features/comments/discussion.ts";
import { addComment, addMention } from "#test/features/comments/factory.ts";
import { useApp } from "#test/support/app.ts";
import { type Person, times } from "#test/support/world.ts";

const { app, world } = await useApp();

type Made = Awaited<ReturnType<typeof world.space>>;

const mentioning = (...people: readonly { readonly id: string }[]) => ({
  markdown: people.map(({ id }) => `[@somebody](user:${id})`).join(" ") + " look",
});
const place = ({ space }: Made) => ({ contentOf: { spaceId: space.id } });
const post = async (made: Made, text: object): Promise<string> =>
  (await done(app, made.commenter, createComment, { ...place(made), text })).comment.id;

interface Mention {
  readonly id: string;
  readonly mentionedAt: string;
  readonly comment: { readonly id: string };
  readonly reply: { readonly id: string } | null;
}

const mentionsDocument = `query ($spaceIds: [ID!]) { viewer { mentions(spaceIds: $spaceIds) { totalCount nodes {
  id mentionedAt user { id } space { id } comment { id postedBy { id } } reply { id } } } } }`;

async function mentionsOf({ token }: Person, spaceIds?: readonly string[]): Promise<readonly Mention[]> {
  const { viewer } = await app
    .as(token)
    .query<{ viewer: { mentions: { totalCount: number; nodes: Mention[] } } }>(mentionsDocument, { spaceIds });
  expect(viewer.mentions.totalCount).toBe(viewer.mentions.nodes.length);
  return viewer.mentions.nodes;
}

describe("a mention in a comment", () => {
  it("is made by a link to a user in a comment or reply, and listed for that user, newest first", async () => {
    const made = await world.space();
    const { reader, editor, commenter, space } = made;
    const commentId = await post(made, mentioning(reader, editor, reader));
    const { reply } = await done(app, commenter, createReply, { commentId, text: mentioning(reader) });
    const where = {
      user: { id: reader.id },
      space: { id: space.id },
      comment: { id: commentId, postedBy: { id: commenter.id } },
    };
    expect(await mentionsOf(reader)).toMatchObject([
      { ...where, reply: { id: reply.id } },
      { ...where, reply: null },
    ]);
    expect(await mentionsOf(editor)).toMatchObject([{ comment: { id: commentId }, reply: null }]);
    expect(await mentionsOf(reader, [])).toEqual([]);
  });

  it("is made by nodes of any type that refer to a user, and not by text that only looks like one", async () => {
    const made = await world.space();
    const { reader, editor } = made;
    const mention = {
      object: "inline",
      type: "mention",
      isVoid: true,
      data: { ref: { kind: "user", user: reader.id } },
    };
    const document = { object: "document", nodes: [{ object: "block", type: "paragraph", nodes: [mention] }] };
    await post(made, { document });
    await post(made, {
      markdown: `\`[x](user:${editor.id})\` user:${editor.id} [x](https://example.com/user:${editor.id})`,
    });
    expect(await mentionsOf(reader)).toHaveLength(1);
    expect(await mentionsOf(editor)).toEqual([]);
  });

  it("is added and removed by edits of the text, and unchanged while the text mentions the user", async () => {
    const made = await world.space();
    const { reader, editor, commenter } = made;
    const commentId = await post(made, mentioning(reader));
    const on = { commentId };
    const [first] = await mentionsOf(reader);
    await done(app, commenter, updateComment, { ...on, text: mentioning(editor, reader) });
    expect([await mentionsOf(reader), (await mentionsOf(editor)).length]).toEqual([[first], 1]);
    await done(app, commenter, updateComment, { ...on, text: mentioning(editor) });
    expect([await mentionsOf(reader), (await mentionsOf(editor)).length]).toEqual([[], 1]);
    const { reply } = await done(app, commenter, createReply, { ...on, text: mentioning(reader) });
    await done(app, commenter, updateReply, { replyId: reply.id, text: { markdown: "Nobody" } });
    expect([await mentionsOf(reader), (await mentionsOf(editor)).length]).toEqual([[], 1]);
    await done(app, commenter, deleteComment, on);
    expect(await mentionsOf(editor)).toEqual([]);
  });

  it("is not made for users without access, unknown users and the author", async () => {
    const made = await world.space({ space: { visibility: "public" } });
    const { outsider, disabled, guest, commenter, invitedGuest } = made;
    const nobody = { id: "usr_01h455vb4pex5vsknk084sn02q" };
    await post(made, mentioning(outsider, disabled, guest, commenter, nobody, invitedGuest));
    const kept = await app.database.prisma.mention.findMany({ where: { spaceId: made.space.id } });
    expect(kept.map(({ userId }) => userId)).toEqual([invitedGuest.id]);
  });

  it("is visible only to the mentioned user, until they lose the role on the space", async () => {
    const made = await world.space();
    const { reader, admin, organization } = made;
    await post(made, mentioning(reader));
    const [mention] = await mentionsOf(reader);
    const asAdmin = app.as(admin.token);
    const found = { node: null, user: { mentions: { nodes: [] } } };
    const document = `query ($id: ID!, $userId: ID!) { node(id: $id) { id } user: node(id: $userId) { ... on User { mentions { nodes { id } } } } }`;
    expect(await asAdmin.query(document, { id: mention?.id, userId: reader.id })).toEqual(found);
    expect(await app.as(reader.token).query(`query ($id: ID!) { node(id: $id) { id } }`, { id: mention?.id })).toEqual({
      node: { id: mention?.id },
    });
    const removeMember = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { deletedId } }`;
    await asAdmin.query(removeMember, { input: { organizationId: organization.id, userId: reader.id } });
    expect(await mentionsOf(reader)).toEqual([]);
  });
});

it("mentions take one statement more for any number of people, and one for people no longer mentioned", async () => {
  const made = await world.space();
  const { reader, editor, reviewer, commenter } = made;
  const costs: number[] = [];
  for (const text of [{ markdown: "Nobody" }, mentioning(reader), mentioning(reader, editor, reviewer)])
    costs.push(await app.as(commenter.token).statements(createComment, { input: { ...place(made), text } }));
  const [none = 0] = costs;
  expect(costs).toEqual([none, none + 1, none + 1]);
  const commentId = await post(made, mentioning(reader));
  for (const text of [mentioning(editor), { markdown: "Nobody" }, { markdown: "Nobody else" }])
    costs.push(await app.as(commenter.token).statements(updateComment, { input: { commentId, text } }));
  const last = costs.at(-1) ?? 0;
  expect(costs.slice(3)).toEqual([last + 2, last + 1, last]);
});

describe("a list of mentions", () => {
  let made: Made;

  beforeAll(async () => {
    made = await world.space();
    const { space, commenter, reader } = made;
    await world.insert((rows) => {
      for (const comment of times(20, () => addComment(rows, { spaceId: space.id, postedById: commenter.id })))
        addMention(rows, { commentId: comment.id, spaceId: space.id, userId: reader.id });
    });
  });

  it("takes as many statements for one mention as for twenty", async () => {
    const as = app.as(made.reader.token);
    const list = (first: number) =>
      as.statements(
        `{ viewer { mentions(first: ${first}) { nodes { mentionedAt comment { body { markdown } } reply { id } space { title } } } } }`,
      );
    expect(await list(20)).toBe(await list(1));
  });
});

it("one text mentions at most a hundred people", async () => {
  const { commenter, space, reader } = await world.space();
  const post = (people: readonly string[]) =>
    app
      .as(commenter.token)
      .graphql(`mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }`, {
        input: {
          contentOf: { spaceId: space.id },
          text: { markdown: people.map((id) => `[@x](user:${id})`).join(" ") },
        },
      });
  const many = times(100, () => newId("User"));
  expect((await post([...many, ...many])).errors).toBeUndefined();
  expect((await post([...many, reader.id])).errors).toMatchObject([
    {
      extensions: {
        code: "INVALID_INPUT",
        details: [{ path: "text", message: "must mention at most 100 users, and mentions 101." }],
      },
    },
  ]);
});
