// The GraphQL type Review, and the enumerations about it.
import { reviews } from "#src/features/reviews/reads.ts";
import { defineNode } from "#src/graph/nodes.ts";
import { defineEnum } from "#src/graph/scalars.ts";
import { longText } from "#src/graph/selected-values.ts";

export const ReviewStatus = defineEnum("ReviewStatus", "The state of a review.", {
  requested: "Asked for, and not given yet.",
  approved: "Given: the change request is good as it is.",
  changes_requested: "Given: something is to be changed first.",
});

export const ReviewVerdict = defineEnum("ReviewVerdict", "What a review comes to.", {
  approved: "It is good as it is.",
  changes_requested: "Something is to be changed first.",
});

export const Review = defineNode("Review", reviews, {
  description: "What one person is asked to say, or has said, of a change request. No merge waits for it.",
  fields: (t) => ({
    status: t.expose("status", { type: ReviewStatus, description: "Its state." }),
    message: t.exposeString("message", {
      nullable: true,
      description: "What the reviewer said besides, as Markdown; null for nothing.",
      extensions: longText,
    }),
    requestedAt: t.expose("requestedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was last asked for; null where the reviewer was not asked.",
    }),
    reviewedAt: t.expose("reviewedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was given; null while it is only requested.",
    }),
    outdated: t.exposeBoolean("outdated", {
      description:
        "Whether the content of the change request has moved on since it was given; false while it is only requested.",
    }),
  }),
});
