// The GraphQL type Review, and its enumerations.
import { itemRoleColumns } from "#src/access/content.ts";
import { project } from "#src/db/reading/entity.ts";
import { htmlOfMessage } from "#src/features/links/reads/message-html.ts";
import { reviewPermissions } from "#src/features/reviews/access.ts";
import { reviews } from "#src/features/reviews/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineFlags, defineLinks } from "#src/graph/schema/flag-types.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { longText } from "#src/graph/run/selection.ts";

export const ReviewStatus = defineEnum(
  "ReviewStatus",
  "The status of a review.",
  {
    requested: "Requested, not submitted yet.",
    approved: "The reviewer approved the change request.",
    changes_requested: "The reviewer requested changes.",
    dismissed: "Dismissed: it no longer counts.",
  },
  { hyphens: true },
);

const ReviewPermissions = defineFlags(
  "ReviewPermissions",
  "Permissions of the viewer on a review in its current status.",
  {
    view: "See it.",
    withdraw: "Withdraw the request for it.",
    dismiss: "Dismiss it.",
  },
);

const roleColumns = project(itemRoleColumns);

export const ReviewVerdict = defineEnum(
  "ReviewVerdict",
  "The verdict of a review.",
  {
    approved: "The change request is approved.",
    changes_requested: "Changes are requested.",
  },
  { hyphens: true },
);

const ReviewUrls = defineLinks("ReviewUrls", "Links to a review.", { location: "The review in /v1." });

export const Review = defineNode("Review", reviews, {
  description: "A requested or submitted review of a change request by one person. Merges do not require it.",
  fields: (t) => ({
    status: t.expose("status", { type: ReviewStatus, description: "Status." }),
    message: t.exposeString("message", {
      nullable: true,
      description: "Message of the reviewer in Markdown; null without one.",
      extensions: longText,
    }),
    messageHtml: t.string({
      nullable: true,
      description:
        "The message as HTML without scripts and styles, as `html` of the body of a comment; null without one. INVALID_INPUT if the operation converts more text than the limit.",
      select: { message: true },
      resolve: ({ message }, _args, context) => (message === null ? null : htmlOfMessage(context, message)),
    }),
    requestedAt: t.expose("requestedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was last requested; null without a request.",
    }),
    reviewedAt: t.expose("reviewedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was submitted; null while it is only requested.",
    }),
    dismissedAt: t.expose("dismissedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was dismissed; null unless it is dismissed.",
    }),
    revisionId: t.exposeID("revisionId", {
      nullable: true,
      description: "Id of the reviewed revision; null while the review is only requested.",
    }),
    urls: t.value(ReviewUrls, "Links.", ["spaceId", "changeRequestId"], (review, { publicUrl }) => ({
      location: `${publicUrl}/v1/spaces/${review.spaceId}/change-requests/${review.changeRequestId}/reviews/${review.id}`,
    })),
    permissions: t.field({
      type: ReviewPermissions,
      description: "Permissions of the viewer.",
      select: { spaceId: true, authorId: true, reviewerId: true, status: true },
      resolve: async ({ spaceId, authorId: createdById, reviewerId, status }, _args, { reader, viewer }) => {
        const space = await reader.found(spaces, spaceId, roleColumns); // in one statement for all reviews
        return reviewPermissions(viewer, { space, createdById, reviewerId, status });
      },
    }),
    outdated: t.exposeBoolean("outdated", {
      description:
        "Whether the content of the change request has changed since the review; false while it is only requested.",
    }),
  }),
});
