// Reactions to comments and replies: at most one per user and emoji, also concurrently, and which emojis are accepted.
import { describe, expect, it } from "vitest";
import {
  type Answer,
  commentOf,
  deleteComment,
  done,
  eventsOf,
  eventTypesOf,
  refused,
  updateComment,
  updateReply,
} from "#test/features/comments/discussion.ts";
import { useApp } from "#test/support/app.ts";
import { type Person, times, type World } from "#test/support/world.ts";

const { app, world } = await useApp();

/** The comment on the change request and the reply to it: each test runs for both. */
const targets = {
  comment: {
    update: updateComment,
    inputOf: (made: Made) => commentOf("change request", made),
    idOf: (made: Made) => made.comment.id,
  },
  reply: {
    update: updateReply,
    inputOf: (made: Made) => ({ replyId: made.reply.id }),
    idOf: (made: Made) => made.reply.id,
  },
};
type Made = Awaited<ReturnType<World["comment"]>>;

describe.each(Object.entries(targets))("reactions to a %s", (noun, { update, inputOf, idOf }) => {
  /** The emojis of the target after a change, with their counts. */
  async function react(made: Made, person: Person, changes: object): Promise<string> {
    const answer = await done(app, person, update, { ...inputOf(made), ...changes });
    const { reactions } = answer[noun as keyof Pick<Answer, "comment" | "reply">]; // the name of the payload's field
    return reactions.map(({ emoji, count }) => `${emoji}${count}`).join(" ");
  }

  it("are added and removed with one event each; a repeated change emits none", async () => {
    const made = await world.comment();
    const { commenter, reviewer, organization, space, changeRequest, comment } = made;
    await app.database.prisma.reaction.deleteMany({ where: { commentId: comment.id } });
    expect(await react(made, commenter, { addedReactions: ["🎉", "🎉", "👀"] })).toBe("🎉1 👀1");
    expect(await react(made, commenter, { addedReactions: ["🎉"] })).toBe("🎉1 👀1");
    expect(await react(made, reviewer, { addedReactions: ["🎉"], removedReactions: ["👀"] })).toBe("🎉2 👀1");
    expect(await react(made, commenter, { addedReactions: ["👍🏽"], removedReactions: ["🎉", "🚀"] })).toContain("🎉1");
    const event = (verb: string, { id: actorId }: Person, emoji: string) => ({
      type: `${noun === "reply" ? "commentReply" : "comment"}.${verb}`,
      organizationId: organization.id,
      spaceId: space.id,
      actorId,
      payload: { changeRequestId: changeRequest.id, emoji, ...(noun === "reply" && { commentId: comment.id }) },
    });
    expect(await eventsOf(app, idOf(made))).toEqual([
      event("reactionAdded", commenter, "🎉"),
      event("reactionAdded", commenter, "👀"),
      event("reactionAdded", reviewer, "🎉"),
      event("reactionRemoved", commenter, "🎉"),
      event("reactionAdded", commenter, "👍🏽"),
    ]);
  });

  it("do not set editedAt", async () => {
    const made = await world.comment();
    const input = { ...inputOf(made), addedReactions: ["🚀"] };
    const answer = await done(app, made.invitedGuest, update, input);
    expect(answer[noun as keyof Pick<Answer, "comment" | "reply">].editedAt).toBeNull();
  });

  it("are refused to an author who now has only read access", async () => {
    const made = await world.comment();
    const { reader } = made;
    const { prisma } = app.database;
    const data = { postedById: reader.id };
    if (noun === "comment") await prisma.comment.update({ where: { id: idOf(made) }, data });
    else await prisma.commentReply.update({ where: { id: idOf(made) }, data });
    const input = { ...inputOf(made), text: { markdown: "Mine" } };
    await done(app, reader, update, input);
    expect(await refused(app, reader, update, { ...input, addedReactions: ["🚀"] })).toBe("FORBIDDEN");
    const answers = [{ addedReactions: ["🚀"] }, { removedReactions: ["🎉"] }].map((changes) =>
      refused(app, reader, update, { ...inputOf(made), ...changes }),
    );
    expect(await Promise.all(answers)).toEqual(["FORBIDDEN", "FORBIDDEN"]);
  });

  it("exist once when added several times concurrently", async () => {
    const made = await world.comment();
    const people = [made.commenter, made.reviewer, made.creator];
    await Promise.all(times(12, (index) => react(made, people[index % 3] ?? made.admin, { addedReactions: ["🚀"] })));
    const where = { emoji: "🚀", ...(noun === "comment" ? { commentId: idOf(made) } : { replyId: idOf(made) }) };
    expect(await app.database.prisma.reaction.count({ where })).toBe(3);
    expect(await eventTypesOf(app, idOf(made))).toHaveLength(3);
  });
});

it("reactions to a comment that is deleted concurrently are refused or removed", async () => {
  const made = await world.comment();
  const input = commentOf("space", made);
  const answers = await Promise.all([
    ...times(5, () =>
      app.as(made.editor.token).graphql(updateComment, { input: { ...input, addedReactions: ["🚀"] } }),
    ),
    app.as(made.admin.token).graphql(deleteComment, { input }),
  ]);
  const codes = answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code));
  expect(codes.filter((code) => code !== "NOT_FOUND")).toEqual([]);
  expect(await app.database.prisma.reaction.count({ where: { commentId: input.commentId } })).toBe(0);
});

it("reactions with and without the variation selector count as one emoji", async () => {
  const made = await world.comment();
  const input = commentOf("space", made);
  await done(app, made.commenter, updateComment, { ...input, addedReactions: ["\u2764"] });
  const { comment } = await done(app, made.commenter, updateComment, { ...input, addedReactions: ["\u2764\uFE0F"] });
  expect(comment.reactions).toMatchObject([{ emoji: "\u2764\uFE0F", count: 1 }]);
  const gone = await done(app, made.commenter, updateComment, { ...input, removedReactions: ["\u2764"] });
  expect(gone.comment.reactions).toEqual([]);
});

it.each(["👩‍💻", "🇫🇷", "1️⃣", "👍🏽", "☺"])("the reaction %s is accepted", async (emoji) => {
  const made = await world.comment();
  const input = { ...commentOf("space", made), addedReactions: [emoji] };
  expect((await done(app, made.commenter, updateComment, input)).comment.reactions).toHaveLength(1);
});

it.each([
  ["of an empty string", { addedReactions: ["👍", ""] }, "addedReactions/1"],
  ["of a word", { addedReactions: ["thumbsup"] }, "addedReactions/0"],
  ["of a digit", { removedReactions: ["1"] }, "removedReactions/0"],
  ["of two emojis", { addedReactions: ["👍👍"] }, "addedReactions/0"],
  ["of an emoji with NUL", { addedReactions: ["👍\0"] }, "addedReactions/0"],
  ["both added and removed", { addedReactions: ["👍"], removedReactions: ["👍"] }, "removedReactions"],
  ["beyond the limit", { addedReactions: times(51, () => "👍") }, "addedReactions"],
])("a reaction %s is refused", async (_what, changes, path) => {
  const made = await world.comment();
  const input = { ...commentOf("space", made), ...changes };
  expect(await refused(app, made.commenter, updateComment, input)).toBe(`INVALID_INPUT ${path}`);
});

it.each([
  ["1f44d", "👍"],
  ["1F44D-1F3FD", "👍🏽"],
  ["2764", "\u2764\uFE0F"],
  ["1f469-200d-1f4bb", "👩‍💻"],
])("a reaction by the code points %s is the emoji %s", async (numbers, emoji) => {
  const made = await world.comment();
  const input = { ...commentOf("space", made), addedReactions: [numbers, emoji] };
  expect((await done(app, made.commenter, updateComment, input)).comment.reactions).toMatchObject([
    { emoji, count: 1 },
  ]);
});
