// What everybody tries with reviews of the change request of the fixture, which is by the editor, and the flags that
// stand for it.
import type { Database } from "#src/db/connection/database.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { type PermissionCase, flag, type Fixture } from "#test/support/access/fixture.ts";
import { createWorld } from "#test/support/world.ts";

const place = ({ changeRequest }: Fixture) => ({ changeRequestId: changeRequest.id });
const seen = ["space", "changeRequest"];

/** Asks everybody but the author, those who may not see it too. */
const askEverybody = ({ changeRequest, editor, people }: Fixture, database: Database) =>
  createWorld(database).insert((rows) => {
    for (const { id: reviewerId } of Object.values(people))
      if (reviewerId !== editor.id) addReview(rows, { changeRequest, reviewerId });
  });

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "requestReviews",
    input: (fixture) => ({ ...place(fixture), reviewerIds: [fixture.commenter.id] }),
    allowedBy: ["changeRequest.requestReviews"],
    seen,
  },
  {
    mutation: "withdrawReviewRequest",
    prepare: askEverybody,
    input: (fixture) => ({ ...place(fixture), reviewerId: fixture.reader.id }),
    allowedBy: (name, flags) =>
      flag(flags, "space.edit") || (["editor", "reader"].includes(name) && flag(flags, "space.access")),
    seen,
  },
  {
    mutation: "submitReview",
    input: (fixture) => ({ ...place(fixture), verdict: "APPROVED" }),
    allowedBy: ["changeRequest.review"],
    seen,
  },
  {
    mutation: "submitReview",
    how: "that was asked for",
    prepare: askEverybody,
    input: (fixture) => ({ ...place(fixture), verdict: "CHANGES_REQUESTED" }),
    allowedBy: (name, flags) => name !== "editor" && (flag(flags, "space.review") || flag(flags, "space.comment")),
    seen,
  },
  {
    mutation: "dismissReview",
    input: ({ givenReview }) => ({ reviewId: givenReview.id }),
    allowedBy: ["review.dismiss"],
    seen: ["review"],
  },
];
