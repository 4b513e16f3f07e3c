// Requesting reviews and withdrawing requests: permissions, valid reviewers, errors and events.
import { describe, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { eventsOf, refused } from "#test/features/comments/discussion.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import {
  done,
  happenedTo,
  placeOf,
  readReviewed,
  requestReviews,
  withdrawRequest,
} from "#test/features/reviews/reviewing.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const noon = new Date("2026-06-01T12:00:00.000Z");

const { app, world } = await useApp({ clock: { now: () => noon } });

describe("requestReviews", () => {
  test("requests reviews from users, and emits an event for each", async () => {
    const made = await world.changeRequest();
    const { editor, commenter, invitedGuest, organization, space, changeRequest } = made;
    const reviewerIds = [commenter.id, invitedGuest.id, commenter.id];
    const answer = await done(app, editor, requestReviews, { ...placeOf(made), reviewerIds });
    const asked = (reviewer: { id: string }) => ({
      id: expect.stringMatching(/^rvw_/) as string,
      status: "REQUESTED",
      message: null,
      outdated: false,
      requestedAt: noon.toISOString(),
      reviewedAt: null,
      reviewer: { id: reviewer.id },
      requestedBy: { id: editor.id },
      revision: null,
    });
    const { reviews, ...rest } = answer.changeRequest;
    expect(rest).toEqual({ id: changeRequest.id, reviewStatus: "PENDING" });
    expect(reviews.nodes).toEqual([asked(commenter), asked(invitedGuest)]);
    for (const { id, reviewer } of reviews.nodes)
      expect(await eventsOf(app, id)).toEqual([
        {
          type: "review.requested",
          organizationId: organization.id,
          spaceId: space.id,
          actorId: editor.id,
          payload: { changeRequestId: changeRequest.id, reviewerId: reviewer.id, status: "requested" },
        },
      ]);
  });

  test("again changes nothing for pending reviewers, and begins a new round for those who submitted a review", async () => {
    const made = await world.changeRequest();
    const { editor, teamGuest, commenter, reviewer, changeRequest } = made;
    const [waiting, given] = await world.insert((rows) => [
      addReview(rows, { changeRequest, reviewerId: commenter.id }),
      addReview(rows, {
        changeRequest,
        reviewerId: reviewer.id,
        status: "changes_requested",
        message: "Too long.",
        requestedById: null,
        requestedAt: null,
      }),
    ]);
    const input = { ...placeOf(made), reviewerIds: [reviewer.id, commenter.id] };
    const first = await done(app, teamGuest, requestReviews, input);
    expect(first.changeRequest).toMatchObject({
      reviewStatus: "PENDING",
      reviews: {
        nodes: [
          { id: waiting.id, status: "REQUESTED", requestedBy: { id: editor.id } },
          {
            id: given.id,
            status: "REQUESTED",
            requestedBy: { id: teamGuest.id },
            message: null,
            reviewedAt: null,
            revision: null,
          },
        ],
      },
    });
    expect(await done(app, editor, requestReviews, input)).toEqual(first);
    expect(await done(app, editor, requestReviews, { ...input, reviewerIds: [] })).toEqual(first);
    expect(await happenedTo(app, waiting.id)).toEqual([]);
    expect(await happenedTo(app, given.id)).toEqual([["review.requested", teamGuest.id, "requested"]]);
  });

  test("refuses all users who cannot review it with one error, existing or not, and creates no requests", async () => {
    const made = await world.changeRequest();
    const { reviewer, editor, reader, guest, disabled, outsider } = made;
    const unable = [reader.id, guest.id, disabled.id, outsider.id, newId("User"), made.space.id, "", "a\0b"];
    const input = { ...placeOf(made), reviewerIds: [reviewer.id, ...unable, editor.id] };
    const { errors } = await app.as(editor.token).graphql(requestReviews, { input });
    const message = "does not have the role comment on the space.";
    expect(errors?.[0]?.extensions).toMatchObject({
      code: "INVALID_INPUT",
      details: [
        ...unable.map((_, index) => ({ path: `reviewerIds/${index + 1}`, message })),
        {
          path: `reviewerIds/${unable.length + 1}`,
          message: "is the author, who cannot review their own change request.",
        },
      ],
    });
    expect((await readReviewed(app, editor, made)).reviewStatus).toBe("NONE");
  });

  test("is limited to fifty users", async () => {
    const made = await world.changeRequest();
    const reviewerIds = times(51, () => made.reviewer.id);
    const input = { ...placeOf(made), reviewerIds };
    expect(await refused(app, made.editor, requestReviews, input)).toBe("INVALID_INPUT reviewerIds");
    const { changeRequest } = await done(app, made.editor, requestReviews, {
      ...input,
      reviewerIds: reviewerIds.slice(1),
    });
    expect(changeRequest.reviews.nodes).toHaveLength(1);
  });

  test("is allowed for the author and editors, also by number", async () => {
    const made = await world.changeRequest();
    const input = { ...placeOf(made), reviewerIds: [made.reviewer.id] };
    for (const person of [made.commenter, made.reader, made.invitedGuest])
      expect(await refused(app, person, requestReviews, { ...input, reviewerIds: ["who"] })).toBe("FORBIDDEN");
    await done(app, made.teamGuest, requestReviews, input);
    await give(made, { createdById: made.reader.id });
    await done(app, made.reader, requestReviews, { ...input, reviewerIds: [made.editor.id] });
  });

  test("is refused for public read access, and for malformed ids", async () => {
    const made = await world.changeRequest({ space: { visibility: "public" } });
    const input = { ...placeOf(made), reviewerIds: [made.reviewer.id] };
    expect(await refused(app, made.outsider, requestReviews, input)).toBe("NOT_FOUND");
    for (const changeRequestId of ["2", "", made.space.id])
      expect(await refused(app, made.editor, requestReviews, { ...input, changeRequestId })).toBe("NOT_FOUND");
  });
});

describe("withdrawReviewRequest", () => {
  test("withdraws a request once, and emits its event", async () => {
    const made = await world.changeRequest();
    const { editor, commenter, changeRequest } = made;
    const review = await world.insert((rows) => addReview(rows, { changeRequest, reviewerId: commenter.id }));
    const input = { ...placeOf(made), reviewerId: commenter.id };
    const none = { id: changeRequest.id, reviewStatus: "NONE", reviews: { nodes: [] } };
    expect(await done(app, editor, withdrawRequest, input)).toEqual({
      deletedId: expect.any(String) as string,
      changeRequest: none,
    });
    expect(await done(app, editor, withdrawRequest, input)).toEqual({ deletedId: null, changeRequest: none });
    expect(await eventsOf(app, review.id)).toEqual([
      {
        type: "review.withdrawn",
        organizationId: made.organization.id,
        spaceId: made.space.id,
        actorId: editor.id,
        payload: { changeRequestId: changeRequest.id, reviewerId: commenter.id, status: "requested" },
      },
    ]);
  });

  test("keeps submitted reviews, and ignores users who are not asked or do not exist", async () => {
    const made = await world.changeRequest();
    const { editor, changeRequest, reviewer } = made;
    await world.insert((rows) => addReview(rows, { changeRequest, reviewerId: reviewer.id, status: "approved" }));
    for (const reviewerId of [reviewer.id, made.commenter.id, newId("User"), "", "a\0b"]) {
      const { deletedId, changeRequest: left } = await done(app, editor, withdrawRequest, {
        ...placeOf(made),
        reviewerId,
      });
      expect([deletedId, left.reviewStatus]).toEqual([null, "APPROVED"]);
    }
  });

  test("is allowed for the author, editors, and the reviewer", async () => {
    const made = await world.changeRequest();
    const { changeRequest, reader, commenter } = made;
    await world.insert((rows) => addReview(rows, { changeRequest, reviewerId: reader.id }));
    const input = { ...placeOf(made), reviewerId: reader.id };
    expect(await done(app, reader, withdrawRequest, input)).toMatchObject({ deletedId: expect.any(String) as string });
    await give(made, { createdById: commenter.id });
    expect(await done(app, commenter, withdrawRequest, input)).toMatchObject({ deletedId: null });
  });

  test("works for a user who has left the organization", async () => {
    const made = await world.changeRequest();
    const { admin, reviewer, editor, organization, changeRequest } = made;
    await world.insert((rows) => addReview(rows, { changeRequest, reviewerId: reviewer.id }));
    const remove = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { deletedId } }`;
    const input = { organizationId: organization.id, userId: reviewer.id };
    await app.as(admin.token).query(remove, { input });
    expect(await readReviewed(app, editor, made)).toMatchObject({
      reviewStatus: "PENDING",
      reviews: { nodes: [{ reviewer: { id: reviewer.id } }] },
    });
    const { deletedId } = await done(app, editor, withdrawRequest, { ...placeOf(made), reviewerId: reviewer.id });
    expect(deletedId).not.toBeNull();
  });
});

test.each(["merged", "archived"] as const)(
  "requesting and withdrawing reviews is a CONFLICT once the change request is %s",
  async (status) => {
    const made = await world.changeRequest({ changeRequest: { status } });
    const { editor, reviewer, changeRequest } = made;
    await world.insert((rows) => addReview(rows, { changeRequest, reviewerId: reviewer.id }));
    const reviewerIds = [made.commenter.id];
    expect(await refused(app, editor, requestReviews, { ...placeOf(made), reviewerIds })).toBe("CONFLICT");
    expect(await refused(app, editor, withdrawRequest, { ...placeOf(made), reviewerId: reviewer.id })).toBe("CONFLICT");
  },
);

test("concurrent requests for reviews create one review per reviewer", async () => {
  const made = await world.changeRequest();
  const { editor, teamGuest, admin, reviewer, commenter, invitedGuest } = made;
  const people = [reviewer.id, commenter.id, invitedGuest.id];
  await Promise.all(
    times(9, (index) => {
      const reviewerIds = [...people.slice(index % 3), ...people.slice(0, index % 3)];
      return done(app, [editor, teamGuest, admin][index % 3] ?? admin, requestReviews, {
        ...placeOf(made),
        reviewerIds,
      });
    }),
  );
  const { reviews } = await readReviewed(app, editor, made);
  expect(reviews.nodes.map((review) => review.reviewer.id).toSorted()).toEqual(people.toSorted());
  for (const { id } of reviews.nodes) expect(await happenedTo(app, id)).toHaveLength(1);
});

/** Makes another user the author of the change request. */
function give({ changeRequest: { id } }: { changeRequest: { id: string } }, data: { createdById: string }) {
  return app.database.prisma.changeRequest.update({ where: { id }, data });
}
