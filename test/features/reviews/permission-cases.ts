// Permission cases of reviews of the fixture's change request, which is by the editor, with their flags.
import type { Database } from "#src/db/connection/database.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { type PermissionCase, flag, type Fixture } from "#test/support/access/fixture.ts";
import { createWorld } from "#test/support/world.ts";

const place = ({ changeRequest }: Fixture) => ({ changeRequestId: changeRequest.id });
const seen = ["space", "changeRequest"];

/** Requests reviews from everyone but the author, including users who may not see it. */
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
    how: "that was requested",
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
