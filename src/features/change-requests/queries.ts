// The query `changeRequest`, and the fields that list change requests on spaces, organizations and users.
import { invalidInput } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import { oneOf, type Optional } from "#src/domain/input.ts";
import { ChangeRequestConflict } from "#src/features/change-requests/type/conflict.ts";
import {
  type ChangeRequestFilter,
  changeRequests,
  changeRequestsOfOrganization,
  changeRequestsOfSpace,
  changeRequestsOfUser,
  contributorsOfChangeRequest,
} from "#src/features/change-requests/reads/change-requests.ts";
import { conflictColumns, conflictsOf } from "#src/features/change-requests/reads/conflicts.ts";
import {
  ChangeRequest,
  ChangeRequestOrder,
  ChangeRequestReviewStatus,
  ChangeRequestStatus,
} from "#src/features/change-requests/type/change-request.ts";
import { changesBetween } from "#src/features/content/reads/changes.ts";
import { namedBy, revisions, revisionsOfChangeRequest } from "#src/features/content/reads/revisions.ts";
import { ListedChanges } from "#src/features/content/type/change-list.ts";
import { ContentChanges } from "#src/features/content/type/changes.ts";
import { Page } from "#src/features/content/type/page.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Revision, revisionArguments } from "#src/features/content/type/revision.ts";
import { Space } from "#src/features/spaces/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { ContentImport } from "#src/features/imports/type.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { columnsOf, projectionOf } from "#src/graph/run/selection.ts";

builder.prismaObjectField(ContentImport, "changeRequest", (t) =>
  t.rowOrNull(
    changeRequests,
    "changeRequestId",
    "The change request into which it imports; null for the main content.",
  ),
);

builder.queryField("changeRequest", (t) =>
  t.find(changeRequests, "A change request. NOT_FOUND if no change request with this id is visible to you."),
);

const filterArguments = builder.args((t) => ({
  statuses: t.field({ type: [ChangeRequestStatus], description: "Only change requests with one of these statuses." }),
  reviewerId: t.id({
    description:
      "Only change requests that this user has reviewed or was asked to review. Filters the list while scanning it in its order.",
  }),
  reviewStatus: t.field({
    type: ChangeRequestReviewStatus,
    description: "Only change requests with this review status. Filters the list while scanning it in its order.",
  }),
  subject: t.string({
    description:
      "Only change requests whose subject contains this text, ignoring case. Filters the list while scanning it in its order.",
  }),
  updatedSince: t.field({ type: "DateTime", description: "Only change requests changed at or after this time." }),
  orderBy: t.field({ type: ChangeRequestOrder, description: "Sort order; newest first by default." }),
}));

const contributorArgument = builder.args((t) => ({
  contributorId: t.id({ description: "Only change requests that this user created or added a revision to." }),
}));

const inboxArguments = builder.args((t) => ({
  ...filterArguments,
  ...contributorArgument,
  spaceIds: t.idList({ description: "Only change requests of these spaces." }),
}));

const authorArguments = builder.args((t) => ({
  authorIds: t.idList({ description: "Only change requests created by one of these users." }),
  mine: t.boolean({
    description: "True: only change requests that the viewer created; false: only those of other users.",
  }),
}));

/** Numbers are unique only within a space: lists across spaces are not sorted by them. */
function withoutNumbers<Args extends ChangeRequestFilter>(args: Args): Args {
  if (args.orderBy?.field === "number")
    throw invalidInput("orderBy", "supports NUMBER only in the list of one space. Use CREATED_AT or UPDATED_AT.");
  return args;
}

const ChangeRequestKey = builder.inputType("ChangeRequestKey", {
  description: "The key of a change request within a space: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: "Id of the change request, or its number as text, as in /v1." }),
    number: t.int({ description: "Its number within the space." }),
  }),
});

builder.prismaObjectFields(Space, (t) => {
  const count = (place: 0 | 1 | 2, description: string) =>
    t.value("Int", description, ["counts"], ({ counts }) => counts?.[place] ?? 0);
  return {
    changeRequestCount: count(0, "Number of change requests of any status."),
    openChangeRequestCount: count(1, "Number of open change requests."),
    draftChangeRequestCount: count(2, "Number of draft change requests."),
    changeRequests: t.list(
      changeRequestsOfSpace,
      "Change requests of the space, newest first; empty for viewers without a role on the space.",
      { args: { ...filterArguments, ...authorArguments, ...contributorArgument } },
    ),
    changeRequest: t.pick(changeRequestsOfSpace, "A change request of the space. NOT_FOUND if it does not exist.", {
      args: { by: t.arg({ type: ChangeRequestKey, required: true, description: "Key of the change request." }) },
      key: ({ by }) => idOrNumber(by),
    }),
  };
});

function idOrNumber(by: Optional<{ id: string; number: number }>): { id: string } | { number: number } {
  const [name, value] = oneOf("by", { id: by.id, number: by.number });
  return name === "number" ? { number: value } : namedBy(value);
}

builder.prismaObjectField(Organization, "changeRequests", (t) =>
  t.list(
    changeRequestsOfOrganization,
    "Change requests of all spaces of the organization on which the viewer has a role, newest first.",
    { args: { ...inboxArguments, ...authorArguments }, filter: withoutNumbers },
  ),
);

builder.prismaObjectField(User, "changeRequests", (t) =>
  t.list(
    changeRequestsOfUser,
    "Change requests that the user created in all spaces on which the viewer has a role, newest first.",
    { args: inboxArguments, filter: withoutNumbers },
  ),
);

builder.prismaObjectFields(ChangeRequest, (t) => ({
  space: t.row(spaces, "spaceId", "Its space."),
  createdBy: t.row(namedUsers, "createdById", "User who created it."),
  content: t.row(revisions, "revisionId", "Its content: the current revision, with the id `revisionId`."),
  revisionInitial: t.row(revisions, "revisionInitialId", "The revision of the main content from which it started."),
  revisionMergedAncestor: t.rowOrNull(
    revisions,
    "revisionMergedAncestorId",
    "The revision of the main content from which it was last updated; null if it never was.",
  ),
  revisionMerged: t.rowOrNull(
    revisions,
    "revisionMergedId",
    "The revision that its merge created; null before the merge.",
  ),
  contributors: t.list(contributorsOfChangeRequest, "Users who created it or added a revision to it, by name."),
  mergedBy: t.rowOrNull(namedUsers, "mergedById", "User who merged it; null before the merge."),
  changes: t.field({
    type: ContentChanges,
    description:
      "The proposed changes: the differences between the main content from which it was last updated, or from which it started, and its content. Fixed once it is merged.",
    select: { revisionId: true, revisionInitialId: true, revisionMergedAncestorId: true },
    resolve: ({ revisionId, revisionInitialId, revisionMergedAncestorId }, _args, context) =>
      changesBetween(context, revisionMergedAncestorId ?? revisionInitialId, revisionId),
  }),
  conflicts: t.field({
    type: [ChangeRequestConflict],
    description:
      "Conflicts that prevent merging it or updating it from the main content; empty once it is merged. Computed by a merge that is not " +
      "stored. INVALID_INPUT if the comparisons of the operation take more than five seconds.",
    select: columnsOf(conflictColumns),
    resolve: (changeRequest, _args, context) => conflictsOf(context, changeRequest),
  }),
  revisions: t.list(
    revisionsOfChangeRequest,
    "Revisions created in it, newest first, without the revision from which it started.",
    { args: revisionArguments },
  ),
}));

builder.prismaObjectFields(Revision, (t) => ({
  changeRequest: t.rowOrNull(
    changeRequests,
    "changeRequestId",
    "The change request in which it was created; null for the main content and for viewers without a role on the space.",
  ),
  mergedFromId: t.exposeID("mergedFromId", {
    nullable: true,
    description:
      "Id of the change request whose merge created it; null for all other revisions and for viewers without a role on the space.",
  }),
  mergedFrom: t.rowOrNull(
    changeRequests,
    "mergedFromId",
    "The change request whose merge created it; null for all other revisions and for viewers without a role on the space.",
  ),
}));

builder.objectField(ListedChanges, "mergedFrom", (t) =>
  t.field({
    type: ChangeRequest,
    nullable: true,
    description:
      "The change request whose merge created the later revision; null for all other revisions and for viewers without a role on the space.",
    resolve: async ({ after }, _args, { reader }, info) => {
      const revision = await reader.row(revisions, after.id, project(["mergedFromId"]));
      return revision?.mergedFromId ? reader.row(changeRequests, revision.mergedFromId, projectionOf(info)) : null;
    },
  }),
);

builder.objectField(Page, "changeRequest", (t) =>
  t.rowOrNull(
    changeRequests,
    ({ revision }) => revision.changeRequestId,
    "The change request in which its revision was created; null for the main content and for viewers without a role on the space.",
  ),
);
