// Dismissing submitted reviews, and the comments of a review.
import { describe, expect, test } from "vitest";
import {
  done,
  happenedTo,
  placeOf,
  readReviewed,
  requestReviews,
  submitReview,
} from "#test/features/reviews/reviewing.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const dismiss = `mutation ($input: DismissReviewInput!) { dismissReview(input: $input) { review { id status message dismissedAt
  dismissedBy { id } permissions { view withdraw dismiss } changeRequest { reviewStatus } } } }`;

/** A change request for which the reviewer has requested changes. */
async function makeChangesRequested() {
  const made = await world.changeRequest();
  const input = { ...placeOf(made), verdict: "CHANGES_REQUESTED", message: "Too long" };
  const { review } = await done(app, made.reviewer, submitReview, input);
  return { ...made, review, input };
}

describe("dismissReview", () => {
  test("dismisses a review, which then does not count, and records by whom", async () => {
    const { admin, reviewer, review, ...made } = await makeChangesRequested();
    const { dismissReview } = await app.as(admin.token).query<{ dismissReview: object }>(dismiss, {
      input: { reviewId: review.id },
    });
    const set = {
      id: review.id,
      status: "DISMISSED",
      message: "Too long",
      dismissedAt: expect.any(String) as string,
      dismissedBy: { id: admin.id },
      permissions: { view: true, withdraw: false, dismiss: false },
      changeRequest: { reviewStatus: "NONE" },
    };
    expect(dismissReview).toEqual({ review: set });
    expect(await app.as(reviewer.token).query(dismiss, { input: { reviewId: review.id } })).toEqual({
      dismissReview: { review: set }, // repeating it changes nothing
    });
    expect(await happenedTo(app, review.id)).toEqual([
      ["review.submitted", reviewer.id, "changes_requested"],
      ["review.dismissed", admin.id, "dismissed"],
    ]);
    expect(await readReviewed(app, admin, made)).toMatchObject({ reviewStatus: "NONE" });
  });

  test("allows a new review and a new request afterwards", async () => {
    const { admin, reviewer, review, input, ...made } = await makeChangesRequested();
    const shown = `{ node(id: "${review.id}") { ... on Review { status dismissedAt dismissedBy { id } } } }`;
    const back = { dismissedAt: null, dismissedBy: null };
    await app.as(reviewer.token).query(dismiss, { input: { reviewId: review.id } });
    await done(app, reviewer, submitReview, { ...input, verdict: "APPROVED" });
    expect(await app.as(admin.token).query(shown)).toEqual({ node: { status: "APPROVED", ...back } });
    await app.as(admin.token).query(dismiss, { input: { reviewId: review.id } });
    await done(app, admin, requestReviews, { ...placeOf(made), reviewerIds: [reviewer.id] });
    expect(await app.as(admin.token).query(shown)).toEqual({ node: { status: "REQUESTED", ...back } });
  });

  test("is refused for a pending review, and after the change request is merged", async () => {
    const { admin, commenter, review, ...made } = await makeChangesRequested();
    const requested = await world.insert((rows) =>
      addReview(rows, { changeRequest: made.changeRequest, reviewerId: commenter.id }),
    );
    expect(await app.as(admin.token).refusal(dismiss, { input: { reviewId: requested.id } })).toBe("CONFLICT");
    const merge = `mutation ($input: MergeChangeRequestInput!) { mergeChangeRequest(input: $input) { revisionId } }`;
    await app.as(admin.token).query(merge, { input: placeOf(made) });
    expect(await app.as(admin.token).refusal(dismiss, { input: { reviewId: review.id } })).toBe("CONFLICT");
  });
});

test("permission flags of a review show who may withdraw and dismiss it", async () => {
  const { changeRequest, people, reviewer, commenter } = await world.changeRequest();
  const [given, requested] = await world.insert((rows) => [
    addReview(rows, { changeRequest, reviewerId: reviewer.id, status: "approved" }),
    addReview(rows, { changeRequest, reviewerId: commenter.id }),
  ]);
  const flags = "permissions { withdraw dismiss }";
  const document = `{ given: node(id: "${given?.id}") { ... on Review { ${flags} } } requested: node(id: "${requested?.id}") { ... on Review { ${flags} } } }`;
  const seen = async (name: keyof typeof people) => {
    const answer = await app
      .as(people[name].token)
      .query<Record<string, { permissions: { withdraw: boolean; dismiss: boolean } }>>(document);
    return [answer["given"]?.permissions.dismiss, answer["requested"]?.permissions.withdraw];
  };
  expect(await seen("admin")).toEqual([true, true]);
  expect(await seen("editor")).toEqual([false, true]); // the author
  expect(await seen("reviewer")).toEqual([true, true]);
  expect(await seen("commenter")).toEqual([false, true]);
  expect(await seen("reader")).toEqual([false, false]);
});

test("a review has its comments, and each of them its review", async () => {
  const { changeRequest, space, reviewer, editor } = await world.changeRequest();
  const { review, first, second } = await world.insert((rows) => {
    const review = addReview(rows, { changeRequest, reviewerId: reviewer.id, status: "approved" });
    const post = (given: object) =>
      addComment(rows, { spaceId: space.id, postedById: reviewer.id, changeRequestId: changeRequest.id, ...given });
    const [first, second] = [post({ reviewId: review.id }), post({ reviewId: review.id })];
    post({});
    return { review, first, second };
  });
  const document = `{ node(id: "${review.id}") { ... on Review { comments { totalCount nodes { id review { id } } } } }
    changeRequest(id: "${changeRequest.id}") { comments(first: 1) { nodes { review { id } } } } }`;
  const of = ({ id }: { id: string }) => ({ id, review: { id: review.id } });
  expect(await app.as(editor.token).query(document)).toEqual({
    node: { comments: { totalCount: 2, nodes: [of(first), of(second)] } },
    changeRequest: { comments: { nodes: [{ review: null }] } },
  });
});
