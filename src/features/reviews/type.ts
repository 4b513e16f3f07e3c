// The GraphQL type Review, and the enumerations about it.
import { itemRoleColumns } from "#src/access/content.ts";
import { project } from "#src/db/reading/entity.ts";
import { reviewPermissions } from "#src/features/reviews/access.ts";
import { reviews } from "#src/features/reviews/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineFlags } from "#src/graph/schema/flag-types.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { longText } from "#src/graph/run/selection.ts";

export const ReviewStatus = defineEnum("ReviewStatus", "The state of a review.", {
  requested: "Asked for, and not given yet.",
  approved: "Given: the change request is good as it is.",
  changes_requested: "Given: something is to be changed first.",
  dismissed: "Given, and set aside: it counts no more.",
});

const ReviewPermissions = defineFlags("ReviewPermissions", "What the viewer may do with a review as it is now.", {
  view: "See it.",
  withdraw: "Withdraw the request for it.",
  dismiss: "Set it aside.",
});

const roleColumns = project(itemRoleColumns);

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
    dismissedAt: t.expose("dismissedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was set aside; null unless it is dismissed.",
    }),
    permissions: t.field({
      type: ReviewPermissions,
      description: "What the viewer may do.",
      select: { spaceId: true, authorId: true, reviewerId: true, status: true },
      resolve: async ({ spaceId, authorId: createdById, reviewerId, status }, _args, { reader, viewer }) => {
        const space = await reader.found(spaces, spaceId, roleColumns); // in one statement for all of them
        return reviewPermissions(viewer, { space, createdById, reviewerId, status });
      },
    }),
    outdated: t.exposeBoolean("outdated", {
      description:
        "Whether the content of the change request has moved on since it was given; false while it is only requested.",
    }),
  }),
});
