// Submitting reviews: permissions, recorded values, repeated reviews, and outdated ones.
import { expect, test } from "vitest";
import { eventsOf, refused } from "#test/features/comments/discussion.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import {
  done,
  happenedTo,
  placeOf,
  readReviewed,
  requestReviews,
  submitReview,
  withdrawRequest,
} from "#test/features/reviews/reviewing.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const noon = new Date("2026-06-01T12:00:00.000Z");

const { app, world } = await useApp({ clock: { now: () => noon } });

const approve = (made: Parameters<typeof placeOf>[0]) => ({ ...placeOf(made), verdict: "APPROVED" });

test.each(["open", "draft"] as const)(
  "a submitted review is recorded with the active revision, on a change request that is %s",
  async (status) => {
    const made = await world.changeRequest({ changeRequest: { status } });
    const { reviewer, organization, space, changeRequest } = made;
    const input = { ...placeOf(made), verdict: "CHANGES_REQUESTED", message: " Who is **it** for? " };
    const { review } = await done(app, reviewer, submitReview, input);
    expect(review).toEqual({
      id: review.id,
      status: "CHANGES_REQUESTED",
      message: "Who is **it** for?",
      outdated: false,
      requestedAt: null,
      reviewedAt: noon.toISOString(),
      reviewer: { id: reviewer.id },
      requestedBy: null,
      revision: { id: changeRequest.revisionId },
      changeRequest: { id: changeRequest.id, reviewStatus: "CHANGES_REQUESTED" },
    });
    expect(await eventsOf(app, review.id)).toEqual([
      {
        type: "review.submitted",
        organizationId: organization.id,
        spaceId: space.id,
        actorId: reviewer.id,
        payload: {
          changeRequestId: changeRequest.id,
          reviewerId: reviewer.id,
          status: "changes_requested",
          revisionId: changeRequest.revisionId,
        },
      },
    ]);
  },
);

test("a submitted review fulfils the request, and keeps its requester", async () => {
  const made = await world.changeRequest();
  const { editor, commenter, changeRequest } = made;
  const requestedAt = "2026-05-01T00:00:00.000Z";
  const asked = await world.insert((rows) => addReview(rows, { changeRequest, reviewerId: commenter.id, requestedAt }));
  const { review } = await done(app, commenter, submitReview, { ...approve(made), message: " \n" });
  expect(review).toMatchObject({
    id: asked.id,
    status: "APPROVED",
    message: null,
    requestedAt,
    requestedBy: { id: editor.id },
  });
});

test("a second submitted review replaces the first; the same again changes nothing", async () => {
  const made = await world.changeRequest();
  const { reviewer, changeRequest } = made;
  const first = await done(app, reviewer, submitReview, {
    ...placeOf(made),
    verdict: "CHANGES_REQUESTED",
    message: "No",
  });
  const second = await done(app, reviewer, submitReview, approve(made));
  expect(await done(app, reviewer, submitReview, { ...approve(made), message: null })).toEqual(second);
  expect(second.review).toMatchObject({ id: first.review.id, status: "APPROVED", message: null });
  expect(await app.database.prisma.review.count({ where: { changeRequestId: changeRequest.id } })).toBe(1);
  expect(await happenedTo(app, first.review.id)).toEqual([
    ["review.submitted", reviewer.id, "changes_requested"],
    ["review.submitted", reviewer.id, "approved"],
  ]);
});

test("a submitted review is outdated after the content changes, until it is submitted again", async () => {
  const made = await world.changeRequest();
  const { editor, reviewer, changeRequest } = made;
  const read = async () => (await readReviewed(app, editor, made)).reviews.nodes[0];
  const { review } = await done(app, reviewer, submitReview, approve(made));
  expect(await read()).toMatchObject({ outdated: false, revision: { id: changeRequest.revisionId } });
  const revisionId = await editAs(app.as(editor.token), { changeRequestId: changeRequest.id }, newPage("New").edit);
  expect(await read()).toMatchObject({ id: review.id, outdated: true, revision: { id: changeRequest.revisionId } });
  expect((await done(app, reviewer, submitReview, approve(made))).review).toMatchObject({
    id: review.id,
    outdated: false,
    revision: { id: revisionId },
  });
  expect(await happenedTo(app, review.id)).toHaveLength(2);
});

test("submitting several reviews is allowed for a commenter who was asked once, and never for the author", async () => {
  const made = await world.changeRequest();
  const { editor, commenter, changeRequest } = made;
  const input = approve(made);
  await world.insert((rows) => {
    for (const { id: reviewerId } of [editor, commenter]) addReview(rows, { changeRequest, reviewerId });
  });
  expect(await refused(app, editor, submitReview, input)).toBe("FORBIDDEN");
  await done(app, commenter, submitReview, input);
  await done(app, commenter, submitReview, { ...input, verdict: "CHANGES_REQUESTED" });
});

test("submitting a review is refused after the reviewer lost access or the request was withdrawn", async () => {
  const made = await world.changeRequest();
  const { editor, commenter, invitedGuest } = made;
  const input = approve(made);
  const reviewerIds = [commenter.id, invitedGuest.id];
  await done(app, editor, requestReviews, { ...placeOf(made), reviewerIds });
  await app.database.prisma.grant.deleteMany({ where: { userId: invitedGuest.id } });
  expect(await refused(app, invitedGuest, submitReview, input)).toBe("NOT_FOUND");
  await done(app, editor, withdrawRequest, { ...placeOf(made), reviewerId: commenter.id });
  expect(await refused(app, commenter, submitReview, input)).toBe("FORBIDDEN");
});

test.each(["merged", "archived"] as const)(
  "submitting a review is a CONFLICT once the change request is %s",
  async (status) => {
    const made = await world.changeRequest({ changeRequest: { status } });
    expect(await refused(app, made.reviewer, submitReview, approve(made))).toBe("CONFLICT");
  },
);

test.each([
  ["a message of one character too many", { message: "🙂".repeat(10_001) }, "INVALID_INPUT message"],
  ["a message with NUL", { message: "a\0b" }, "INVALID_INPUT message"],
  ["no verdict", { verdict: null }, "INVALID_INPUT"],
  ["an unknown verdict", { verdict: "REQUESTED" }, "INVALID_INPUT"],
  ["a number instead of an id", { changeRequestId: "7" }, "NOT_FOUND"],
])("submitting a review with %s is refused", async (_what, fields, code) => {
  const made = await world.changeRequest();
  const input = { ...approve(made), ...fields };
  expect(await refused(app, made.reviewer, submitReview, input)).toBe(code);
});

test("a submitted review may have a message of the maximum length", async () => {
  const made = await world.changeRequest();
  const message = "🙂".repeat(10_000);
  expect((await done(app, made.reviewer, submitReview, { ...approve(made), message })).review.message).toBe(message);
});

test("two reviews by one user submitted concurrently are one, with the values of the last", async () => {
  const made = await world.changeRequest();
  const { reviewer, changeRequest } = made;
  const answers = await Promise.all(
    times(6, (index) => {
      const input = {
        ...placeOf(made),
        verdict: index % 2 ? "APPROVED" : "CHANGES_REQUESTED",
        message: `${index % 2}`,
      };
      return done(app, reviewer, submitReview, input);
    }),
  );
  const ids = new Set(answers.map(({ review }) => review.id));
  expect(ids.size).toBe(1);
  const rows = await app.database.prisma.review.findMany({ where: { changeRequestId: changeRequest.id } });
  const [id = ""] = ids;
  const events = await happenedTo(app, id);
  expect(rows).toMatchObject([{ id, revisionId: changeRequest.revisionId }]);
  expect(events.at(-1)).toEqual(["review.submitted", reviewer.id, rows[0]?.status]);
});

test("reviews submitted during edits are of a revision that was active", async () => {
  const made = await world.changeRequest();
  const { editor, reviewer, admin, creator, changeRequest } = made;
  const edits = times(5, (index) =>
    editAs(app.as(editor.token), { changeRequestId: changeRequest.id }, newPage(`Page ${index}`).edit),
  );
  const given = [reviewer, admin, creator].map((person) => done(app, person, submitReview, approve(made)));
  const revisions = new Set([changeRequest.revisionId, ...(await Promise.all(edits))]);
  await Promise.all(given);
  const { reviews } = await readReviewed(app, editor, made);
  const { revisionId } = await app.database.prisma.changeRequest.findUniqueOrThrow({ where: { id: changeRequest.id } });
  expect(reviews.nodes).toHaveLength(3);
  for (const { revision, outdated } of reviews.nodes) {
    expect(revisions).toContain(revision?.id);
    expect(outdated).toBe(revision?.id !== revisionId);
  }
});
