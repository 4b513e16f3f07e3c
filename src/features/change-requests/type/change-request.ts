// The GraphQL type ChangeRequest, and the inputs and results of merging and updating it.
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

export const ChangeRequestStatus = defineEnum("ChangeRequestStatus", "The status of a change request.", {
  draft: "Being written.",
  open: "Open for review.",
  archived: "Archived without being merged.",
  merged: "Merged into the main content.",
});

export const ChangeRequestReviewStatus = defineEnum(
  "ChangeRequestReviewStatus",
  "The combined result of the reviews of a change request. Requested changes take precedence, then pending reviews.",
  {
    none: "No review was given or requested.",
    pending: "A requested review is missing, and no reviewer requests changes.",
    approved: "All requested and given reviews approve.",
    changes_requested: "At least one reviewer requests changes.",
  },
);

export const ChangeRequestOrder = defineOrder("ChangeRequest", "change requests", {
  number: "By number within the space.",
  createdAt: "By time of creation.",
  updatedAt: "By time of the last change.",
});

export const ChangeRequestStatusChange = defineEnum(
  "ChangeRequestStatusChange",
  "The statuses of a change request that users can set.",
  { draft: "Being written.", open: "Open for review.", archived: "Archived without being merged." },
);

const ChangeRequestUrls = defineLinks("ChangeRequestUrls", "Links of a change request.", {
  location: "The change request in /v1.",
  app: "The change request in the application.",
});

const ChangeRequestPermissions = defineFlags(
  "ChangeRequestPermissions",
  "The permissions of the viewer on a change request, if its status allows the action: a merged one takes only comments; an archived one can still be updated from the main content and merged.",
  {
    view: "See it.",
    edit: "Edit its content, update it from the main content, and resolve conflicts.",
    update: "Change its subject and status.",
    comment: "Comment on it.",
    requestReviews: "Request reviews and withdraw the requests.",
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
      description: "Sequential number within the space, from 1.",
      extensions: limited({ minimum: 1 }),
    }),
    status: t.expose("status", { type: ChangeRequestStatus, description: "Status." }),
    subject: t.exposeString("subject", {
      description: "Subject, at most 100 characters.",
      extensions: ofLength(subjectLength),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Time of creation." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "Time of the last change." }),
    spaceId: t.exposeID("spaceId", { description: "Id of its space." }),
    revisionId: t.exposeID("revisionId", { description: "Id of its current revision." }),
    revisionInitialId: t.exposeID("revisionInitialId", {
      description: "Id of the revision of the main content from which it started.",
    }),
    revisionMergedAncestorId: t.exposeID("revisionMergedAncestorId", {
      nullable: true,
      description: "Id of the revision of the main content from which it was last updated; null if it never was.",
    }),
    revisionMergedId: t.exposeID("revisionMergedId", {
      nullable: true,
      description: "Id of the revision that its merge created; null before the merge.",
    }),
    outdated: t.exposeBoolean("outdated", {
      description: "Whether the main content has changed since it was last updated or started.",
    }),
    agentTaskId: t.exposeString("agentTaskId", {
      nullable: true,
      description: "Id of the task of an agent that works in it; null if none was given.",
    }),
    mergedAt: t.expose("mergedAt", {
      type: "DateTime",
      nullable: true,
      description: "Time of the merge; null before the merge.",
    }),
    permissions: t.field({
      type: ChangeRequestPermissions,
      description: "Permissions of the viewer.",
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

export const PullOutcome = defineEnum("PullOutcome", "The outcome of pulling the main content into a change request.", {
  update: "The change request contains the whole main content.",
  conflicts: "Nothing was changed: resolve the conflicts first.",
});

const ConflictSettlementInput = builder.inputType("ConflictSettlementInput", {
  description: "The resolution of a conflict: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    choice: t.field({ type: ConflictSide, description: "The side to take." }),
    text: t.string({ description: "A replacement for both sides, if `takesText` of the conflict is true." }),
  }),
});

export const ConflictResolutionInput = builder.inputType("ConflictResolutionInput", {
  description: "A conflict and its resolution.",
  fields: (t) => ({
    conflictId: t.id({ required: true, description: "Id of the conflict." }),
    settlement: t.field({ type: ConflictSettlementInput, required: true, description: "How to resolve the conflict." }),
  }),
});
