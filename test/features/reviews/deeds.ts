// Permission cases of reviews of the fixture's change request, which is by the editor, with their flags.
import type { Database } from "#src/db/connection/database.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { type Deed, flag, type Stage } from "#test/support/access/stage.ts";
import { createWorld } from "#test/support/world.ts";

const place = ({ changeRequest }: Stage) => ({ changeRequestId: changeRequest.id });
const seen = ["space", "changeRequest"];

/** Requests reviews from everyone but the author, including users who may not see it. */
const askEverybody = ({ changeRequest, editor, people }: Stage, database: Database) =>
  createWorld(database).insert((rows) => {
    for (const { id: reviewerId } of Object.values(people))
      if (reviewerId !== editor.id) addReview(rows, { changeRequest, reviewerId });
  });

export const deeds: readonly Deed[] = [
  {
    mutation: "requestReviews",
    input: (stage) => ({ ...place(stage), reviewerIds: [stage.commenter.id] }),
    allowedBy: ["changeRequest.requestReviews"],
    seen,
  },
  {
    mutation: "withdrawReviewRequest",
    prepare: askEverybody,
    input: (stage) => ({ ...place(stage), reviewerId: stage.reader.id }),
    allowedBy: (name, flags) =>
      flag(flags, "space.edit") || (["editor", "reader"].includes(name) && flag(flags, "space.access")),
    seen,
  },
  {
    mutation: "submitReview",
    input: (stage) => ({ ...place(stage), verdict: "APPROVED" }),
    allowedBy: ["changeRequest.review"],
    seen,
  },
  {
    mutation: "submitReview",
    how: "that was requested",
    prepare: askEverybody,
    input: (stage) => ({ ...place(stage), verdict: "CHANGES_REQUESTED" }),
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
