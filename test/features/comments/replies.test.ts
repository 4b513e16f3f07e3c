// Posting, changing and deleting replies to comments of both kinds: payloads, refusals and events.
import { describe, expect, it } from "vitest";
import { addReaction, addReply } from "#test/features/comments/factory.ts";
import {
  commentOf,
  createReply,
  deleteComment,
  deleteReply,
  done,
  eventsOf,
  eventTypesOf,
  type Kind,
  kinds,
  refused,
  updateReply,
} from "#test/features/comments/discussion.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const noon = new Date("2026-06-01T12:00:00.000Z");

const { app, world } = await useApp({ clock: { now: () => noon } });

/** A world with a reply of the commenter to a comment of the kind, and their input fields. */
async function withReply(kind: Kind) {
  const made = await world.comment();
  const comment = commentOf(kind, made);
  const reply = await world.insert((rows) =>
    addReply(rows, { commentId: comment.commentId, postedById: made.commenter.id }),
  );
  const place = { organizationId: made.organization.id, spaceId: made.space.id };
  const payload = { commentId: comment.commentId, changeRequestId: kind === "space" ? null : made.changeRequest.id };
  return { ...made, at: comment, own: { replyId: reply.id }, event: { ...place, payload } };
}

describe.each(kinds)("a reply to a comment on a %s", (kind) => {
  it("is posted to open and resolved comments and emits its event", async () => {
    const { at, event, commenter, editor } = await withReply(kind);
    const status = { status: "resolved", resolvedAt: noon, resolvedById: editor.id } as const;
    await app.database.prisma.comment.update({ where: { id: at.commentId }, data: status });
    const input = { ...at, text: { markdown: "Indeed" } };
    const { reply } = await done(app, commenter, createReply, input);
    expect(reply).toMatchObject({
      body: { markdown: "Indeed" },
      postedBy: { id: commenter.id },
      postedAt: noon.toISOString(),
      editedAt: null,
      reactions: [],
      comment: { id: at.commentId, replyCount: kind === "space" ? 2 : 3 },
    });
    expect(await eventsOf(app, reply.id)).toEqual([{ type: "commentReply.created", actorId: commenter.id, ...event }]);
    expect(await app.database.prisma.comment.findUnique({ where: { id: at.commentId } })).toMatchObject(status);
  });

  it("is changed by its author, which sets editedAt; the same text changes nothing", async () => {
    const { own, event, commenter } = await withReply(kind);
    const input = { ...own, text: { markdown: "Better" } };
    for (let round = 0; round < 2; round++) {
      const { reply } = await done(app, commenter, updateReply, input);
      expect(reply).toMatchObject({ body: { markdown: "Better" }, editedAt: noon.toISOString() });
    }
    const updated = { type: "commentReply.updated", actorId: commenter.id, ...event };
    expect(await eventsOf(app, own.replyId)).toEqual([updated]);
  });

  it("is unchanged by an empty update", async () => {
    const { own, editor } = await withReply(kind);
    expect((await done(app, editor, updateReply, own)).reply).toMatchObject({ editedAt: null });
    expect(await eventTypesOf(app, own.replyId)).toEqual([]);
  });

  it("is deleted with its reactions by its author and by admins of the space", async () => {
    const { own, event, commenter, admin, reviewer } = await withReply(kind);
    await world.insert((rows) => addReaction(rows, { replyId: own.replyId, userId: reviewer.id }));
    expect(await done(app, admin, deleteReply, own)).toEqual({ deletedId: own.replyId });
    expect(await done(app, commenter, deleteReply, own)).toEqual({ deletedId: null });
    expect(await app.database.prisma.reaction.count({ where: { replyId: own.replyId } })).toBe(0);
    expect(await eventsOf(app, own.replyId)).toEqual([{ type: "commentReply.deleted", actorId: admin.id, ...event }]);
  });
});

it("a reply to a comment is refused with invalid texts and null", async () => {
  const { at, own, commenter } = await withReply("space");
  for (const [text, path] of [
    [{ markdown: " " }, "text.markdown"],
    [{ document: { object: "document", nodes: [] } }, "text.document"],
  ] as const)
    expect(await refused(app, commenter, createReply, { ...at, text })).toBe(`INVALID_INPUT ${path}`);
  for (const name of ["text", "addedReactions", "removedReactions"])
    expect(await refused(app, commenter, updateReply, { ...own, [name]: null })).toBe(`INVALID_INPUT ${name}`);
});

it("a reply to a comment that is deleted concurrently is deleted with it or refused", async () => {
  const { at, commenter, admin } = await withReply("space");
  const answers = await Promise.all([
    ...times(5, () => app.as(commenter.token).graphql(createReply, { input: { ...at, text: { markdown: "Me too" } } })),
    app.as(admin.token).graphql(deleteComment, { input: at }),
  ]);
  const codes = answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code));
  expect(codes.filter((code) => code !== "NOT_FOUND")).toEqual([]);
  expect(await app.database.prisma.commentReply.count({ where: { commentId: at.commentId } })).toBe(0);
});
