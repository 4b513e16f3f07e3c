// Posting, changing, resolving and deleting comments of both kinds: payloads, refusals and events.
import { describe, expect, it } from "vitest";
import { addReaction, addReply } from "#test/features/comments/factory.ts";
import {
  commentOf,
  createComment,
  deleteComment,
  done,
  eventsOf,
  eventTypesOf,
  kinds,
  placeOf,
  refused,
  updateComment,
} from "#test/features/comments/discussion.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const noon = new Date("2026-06-01T12:00:00.000Z");

const { app, world } = await useApp({ clock: { now: () => noon } });

describe.each(kinds)("a comment on a %s", (kind) => {
  it("is posted on the active revision and emits its event", async () => {
    const made = await world.comment();
    const { organization, space, changeRequest, commenter } = made;
    const isOnSpace = kind === "space";
    const { comment } = await done(app, commenter, createComment, {
      ...placeOf(kind, made),
      text: { markdown: "  Why **this**?\n" },
    });
    const changeRequestId = isOnSpace ? null : changeRequest.id;
    expect(comment).toEqual({
      id: comment.id,
      body: { markdown: "  Why **this**?\n" },
      postedBy: { id: commenter.id },
      editedAt: null,
      reactions: [],
      status: "OPEN",
      resolvedAt: null,
      resolvedBy: null,
      replyCount: 0,
      target: {
        spaceId: space.id,
        changeRequestId,
        revisionId: isOnSpace ? space.revisionId : changeRequest.revisionId,
        page: null,
        node: null,
        tableCell: null,
      },
    });
    expect(await app.database.prisma.comment.findUnique({ where: { id: comment.id } })).toMatchObject({
      postedAt: noon,
    });
    const place = { organizationId: organization.id, spaceId: space.id, actorId: commenter.id };
    expect(await eventsOf(app, comment.id)).toEqual([
      { type: "comment.created", ...place, payload: { changeRequestId } },
    ]);
  });

  it("is counted only while open", async () => {
    const made = await world.comment();
    const count = async () => {
      const question = `{ space(id: "${made.space.id}") { commentCount changeRequest(by: { id: "${made.changeRequest.id}" }) { commentCount } } }`;
      const { space } = await app
        .as(made.reader.token)
        .query<{ space: { commentCount: number; changeRequest: { commentCount: number } } }>(question);
      return kind === "space" ? space.commentCount : space.changeRequest.commentCount;
    };
    expect(await count()).toBe(1);
    const body = { markdown: "Another" };
    const { comment } = await done(app, made.commenter, createComment, { ...placeOf(kind, made), text: body });
    expect(await count()).toBe(2);
    await done(app, made.editor, updateComment, { ...commentOf(kind, made), resolved: true });
    expect(await count()).toBe(1);
    await done(app, made.admin, deleteComment, { commentId: comment.id });
    expect(await count()).toBe(0);
  });

  it("has its text changed by its author, which sets editedAt; the same text changes nothing", async () => {
    const made = await world.comment();
    const input = { ...commentOf(kind, made), text: { markdown: "Better" } };
    const edited = { body: { markdown: "Better" }, editedAt: noon.toISOString(), status: "OPEN" };
    expect((await done(app, made.commenter, updateComment, input)).comment).toMatchObject(edited);
    expect((await done(app, made.commenter, updateComment, input)).comment).toMatchObject(edited);
    expect(await eventTypesOf(app, input.commentId)).toEqual(["comment.updated"]);
  });

  it("is resolved and reopened by its author and by editors, once even when repeated", async () => {
    const made = await world.comment();
    const { commenter, editor, teamGuest } = made;
    const input = commentOf(kind, made);
    for (const person of [editor, commenter]) {
      const { comment } = await done(app, person, updateComment, { ...input, resolved: true });
      expect(comment).toMatchObject({
        status: "RESOLVED",
        resolvedAt: noon.toISOString(),
        resolvedBy: { id: editor.id },
        editedAt: null,
      });
    }
    for (const person of [commenter, teamGuest]) {
      const { comment } = await done(app, person, updateComment, { ...input, resolved: false });
      expect(comment).toMatchObject({ status: "OPEN", resolvedAt: null, resolvedBy: null });
    }
    expect(await eventTypesOf(app, input.commentId)).toEqual(["comment.resolved", "comment.reopened"]);
  });

  it("is deleted with its replies and reactions by its author and by admins of the space", async () => {
    const made = await world.comment();
    const input = commentOf(kind, made);
    await world.insert((rows) => {
      const reply = addReply(rows, { commentId: input.commentId, postedById: made.editor.id });
      addReaction(rows, { replyId: reply.id, userId: made.reader.id });
    });
    expect(await done(app, made.admin, deleteComment, input)).toEqual({ deletedId: input.commentId });
    expect(await done(app, made.commenter, deleteComment, input)).toEqual({ deletedId: null });
    const where = { commentId: input.commentId };
    expect(await app.database.prisma.commentReply.count({ where })).toBe(0);
    expect(await app.database.prisma.reaction.count({ where })).toBe(0);
    expect(await eventsOf(app, input.commentId)).toEqual([
      {
        type: "comment.deleted",
        organizationId: made.organization.id,
        spaceId: made.space.id,
        actorId: made.admin.id,
        payload: { changeRequestId: kind === "space" ? null : made.changeRequest.id },
      },
    ]);
  });
});

it("one update of a comment changes text, status and reactions atomically", async () => {
  const made = await world.comment();
  const input = { ...commentOf("space", made), resolved: true, addedReactions: ["🎉"] };
  const { comment } = await done(app, made.commenter, updateComment, { ...input, text: { markdown: "Done" } });
  expect(comment).toMatchObject({
    body: { markdown: "Done" },
    status: "RESOLVED",
    reactions: [{ emoji: "🎉", count: 1 }],
  });
  const types = ["comment.updated", "comment.resolved", "comment.reactionAdded"];
  expect(await eventTypesOf(app, input.commentId)).toEqual(types);
  const refusedPart = { ...input, resolved: false, text: { markdown: "Not mine" }, addedReactions: ["👀"] };
  expect(await refused(app, made.editor, updateComment, refusedPart)).toBe("FORBIDDEN");
  expect(await eventTypesOf(app, input.commentId)).toEqual(types);
});

it("an empty update of a comment changes nothing", async () => {
  const made = await world.comment();
  const input = commentOf("space", made);
  for (const nothing of [{}, { addedReactions: [], removedReactions: [] }]) {
    const { comment } = await done(app, made.editor, updateComment, { ...input, ...nothing });
    expect(comment).toMatchObject({ body: { markdown: made.spaceComment.markdown }, editedAt: null });
  }
  expect(await eventTypesOf(app, input.commentId)).toEqual([]);
});

it.each(["draft", "archived", "merged"] as const)(
  "a comment can be posted on a change request that is %s",
  async (status) => {
    const made = await world.changeRequest({ changeRequest: { status: status === "merged" ? "open" : status } });
    if (status === "merged") {
      const data = { status, revisionMergedId: made.space.revisionId };
      await app.database.prisma.changeRequest.update({ where: { id: made.changeRequest.id }, data });
    }
    const input = { ...placeOf("change request", made), text: { markdown: "Still" } };
    const { comment } = await done(app, made.commenter, createComment, input);
    expect(comment).toMatchObject({ target: { changeRequestId: made.changeRequest.id } });
  },
);

it("posting a comment requires the role comment; view access to an open space is not enough", async () => {
  const made = await world.space({ space: { visibility: "public" } });
  const input = { contentOf: { spaceId: made.space.id }, text: { markdown: "Hello" } };
  for (const person of [made.reader, made.outsider, made.guest])
    expect(await refused(app, person, createComment, input)).toBe("FORBIDDEN");
  expect((await done(app, made.invitedGuest, createComment, input)).comment.body.markdown).toBe("Hello");
});

const long = "🙂".repeat(65_536);

describe("comment bodies", () => {
  it.each([
    ["blanks", { markdown: " \n\t" }, "text.markdown"],
    ["one character too many", { markdown: `${long}x` }, "text.markdown"],
    ["blanks beyond the limit", { markdown: `${long} ` }, "text.markdown"],
    ["NUL", { markdown: "a\0b" }, "text.markdown"],
    ["a lone surrogate", { markdown: "a\ud800" }, "text.markdown"],
    ["a document", { document: { object: "document", nodes: [] } }, "text.document"],
  ])("are refused in new comments: %s", async (_what, text, path) => {
    const { space, commenter } = await world.space();
    const input = { contentOf: { spaceId: space.id }, text };
    expect(await refused(app, commenter, createComment, input)).toBe(`INVALID_INPUT ${path}`);
  });

  it.each([
    ["nothing", {}],
    ["null", { markdown: null }],
    ["both", { markdown: "x", document: { object: "document", nodes: [] } }],
  ])("of new comments must have exactly one format: %s is refused", async (_what, text) => {
    const { space, commenter } = await world.space();
    const input = { contentOf: { spaceId: space.id }, text };
    expect(await refused(app, commenter, createComment, input)).toBe("INVALID_INPUT");
  });

  it("are accepted up to the maximum length", async () => {
    const { space, commenter } = await world.space();
    const { comment } = await done(app, commenter, createComment, {
      contentOf: { spaceId: space.id },
      text: { markdown: long },
    });
    expect(comment.body.markdown).toBe(long);
  });
});

it.each([
  ["page", { pageId: "" }, "pageId"],
  ["null page", { pageId: null }, "pageId"],
  ["unknown page", { pageId: "pag_00000000000000000000000000" }, "pageId"],
  ["node", { nodeKey: "x".repeat(201) }, "nodeKey"],
  ["node without its page", { nodeKey: "key-1" }, "nodeKey"],
  ["node with NUL", { nodeKey: "\0" }, "nodeKey"],
  ["row of a table", { tableCell: { record: " ", definition: "d" } }, "tableCell.record"],
  ["column of a table", { tableCell: { record: "r", definition: "x".repeat(201) } }, "tableCell.definition"],
])("a comment target with an invalid %s is refused", async (_what, target, path) => {
  const { space, commenter } = await world.space();
  const input = { contentOf: { spaceId: space.id }, text: { markdown: "x" }, ...target };
  expect(await refused(app, commenter, createComment, input)).toBe(`INVALID_INPUT ${path}`);
});

it("a comment update with null fields is refused", async () => {
  const made = await world.comment();
  for (const name of ["text", "resolved", "addedReactions", "removedReactions"]) {
    const input = { ...commentOf("space", made), [name]: null };
    expect(await refused(app, made.commenter, updateComment, input)).toBe(`INVALID_INPUT ${name}`);
  }
});

it("malformed comment ids are treated like unknown ones", async () => {
  const made = await world.comment();
  for (const commentId of ["", "1", "999999999", "99999999999999999999", made.space.id])
    expect(await refused(app, made.editor, updateComment, { commentId, resolved: true }), commentId).toBe("NOT_FOUND");
});

it("concurrent updates resolve a comment once and keep its edits whole", async () => {
  const made = await world.comment();
  const input = commentOf("space", made);
  const people = [made.editor, made.reviewer, made.admin, made.commenter];
  const attempts = times(8, (index) => {
    const person = people[index % 4] ?? made.admin;
    const text = person === made.commenter && { text: { markdown: `Text ${index}` } };
    return done(app, person, updateComment, { ...input, resolved: true, ...text });
  });
  const answers = await Promise.all(attempts);
  const resolvers = new Set(answers.map(({ comment }) => comment.resolvedBy?.id));
  expect([...resolvers]).toEqual([expect.any(String)]);
  const types = await eventTypesOf(app, input.commentId);
  expect(types.toSorted()).toEqual(["comment.resolved", "comment.updated", "comment.updated"]);
});
