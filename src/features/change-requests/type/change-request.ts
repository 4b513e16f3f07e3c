// The GraphQL type ChangeRequest, and what merging and updating it takes and comes to.
import { limited, ofLength } from "#src/graph/schema/rest-forms.ts";
import { subjectLength } from "#src/features/change-requests/commands/change-request.ts";
import { itemRoleColumns } from "#src/access/content.ts";
import { project } from "#src/db/reading/entity.ts";
import { changeRequestPermissions } from "#src/features/change-requests/access.ts";
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { ConflictSide } from "#src/features/change-requests/type/conflict.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineOrder } from "#src/graph/schema/orders.ts";
import { defineFlags, defineLinks } from "#src/graph/schema/flag-types.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const ChangeRequestStatus = defineEnum("ChangeRequestStatus", "The state of a change request.", {
  draft: "Being written.",
  open: "Open for review.",
  archived: "Given up.",
  merged: "Merged into the main content.",
});

export const ChangeRequestReviewStatus = defineEnum(
  "ChangeRequestReviewStatus",
  "The overall outcome of the reviews of a change request. Changes requested by anybody count most, then reviews that are still to come.",
  {
    none: "Nobody has reviewed it, and nobody is asked to.",
    pending: "Somebody is asked for a review and has not given it, and nobody requests changes.",
    approved: "Everybody who was asked, or reviewed unasked, has approved.",
    changes_requested: "Somebody requests changes.",
  },
);

export const ChangeRequestOrder = defineOrder("ChangeRequest", "change requests", {
  number: "Their number, which counts up within the space.",
  createdAt: "When they were created.",
  updatedAt: "When they were last changed.",
});

export const ChangeRequestStatusChange = defineEnum(
  "ChangeRequestStatusChange",
  "The states of a change request that users can set.",
  { draft: "Being written.", open: "Open for review.", archived: "Given up." },
);

const ChangeRequestUrls = defineLinks("ChangeRequestUrls", "Links of a change request.", {
  location: "The change request in the REST interface.",
  app: "The change request in the application.",
});

const ChangeRequestPermissions = defineFlags(
  "ChangeRequestPermissions",
  "What the viewer may do with a change request while its status allows it: only comments go on once it is merged; one that is archived can still be updated from the main content and merged.",
  {
    view: "See it.",
    edit: "Edit its content, update it from the main content, and resolve conflicts.",
    update: "Change its subject and status.",
    comment: "Comment on it.",
    requestReviews: "Ask people for reviews, and withdraw the requests.",
    review: "Review it.",
    merge: "Merge it.",
  },
);

const roleColumns = project(itemRoleColumns);

export const ChangeRequest = defineNode("ChangeRequest", changeRequests, {
  description: "A proposed change to the content of a space.",
  resource: "change-request",
  fields: (t) => ({
    number: t.exposeInt("number", {
      description: "Running number within the space, from 1.",
      extensions: limited({ minimum: 1 }),
    }),
    status: t.expose("status", { type: ChangeRequestStatus, description: "Its state." }),
    subject: t.exposeString("subject", {
      description: "What it is about, at most 100 characters.",
      extensions: ofLength(subjectLength),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was last changed." }),
    spaceId: t.exposeID("spaceId", { description: "Id of its space." }),
    revisionId: t.exposeID("revisionId", { description: "Id of its active revision." }),
    revisionInitialId: t.exposeID("revisionInitialId", {
      description: "Id of the revision of the space that it started from.",
    }),
    revisionMergedAncestorId: t.exposeID("revisionMergedAncestorId", {
      nullable: true,
      description: "Id of the revision of the main content that it was last updated from.",
    }),
    revisionMergedId: t.exposeID("revisionMergedId", {
      nullable: true,
      description: "Id of the revision that its merge made.",
    }),
    outdated: t.exposeBoolean("outdated", { description: "Whether the main content has moved on since." }),
    agentTaskId: t.exposeString("agentTaskId", {
      nullable: true,
      description: "Id of the task that an agent is to carry out in it; null when none was given.",
    }),
    mergedAt: t.expose("mergedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was merged; null until then.",
    }),
    permissions: t.field({
      type: ChangeRequestPermissions,
      description: "What the viewer may do.",
      select: { createdById: true, spaceId: true, isViewerAsked: true },
      resolve: async ({ createdById, spaceId, isViewerAsked: isAsked }, _args, { reader, viewer }) => {
        const space = await reader.found(spaces, spaceId, roleColumns); // in one statement for all of them
        return changeRequestPermissions(viewer, { space, createdById, isAsked });
      },
    }),
    urls: t.value(ChangeRequestUrls, "Links.", ["spaceId"], ({ id, spaceId }, { publicUrl, links }) => ({
      location: `${publicUrl}/v1/spaces/${spaceId}/change-requests/${id}`,
      app: links.app(`spaces/${spaceId}/change-requests/${id}`, id),
    })),
  }),
});

export const PullOutcome = defineEnum("PullOutcome", "What pulling the main content into a change request came to.", {
  update: "The change request has everything of the main content.",
  conflicts: "Nothing was changed: first the conflicts have to be settled.",
});

const ConflictSettlementInput = builder.inputType("ConflictSettlementInput", {
  description: "What settles a conflict: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    choice: t.field({ type: ConflictSide, description: "The side that is taken." }),
    text: t.string({ description: "What is put there instead, where the conflict takes a text." }),
  }),
});

export const ConflictResolutionInput = builder.inputType("ConflictResolutionInput", {
  description: "How one conflict is settled.",
  fields: (t) => ({
    conflictId: t.id({ required: true, description: "Id of the conflict." }),
    settlement: t.field({ type: ConflictSettlementInput, required: true, description: "What is to be there." }),
  }),
});
