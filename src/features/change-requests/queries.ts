// Where change requests are asked for: `changeRequest`, and from spaces, organizations and users.
import { invalidInput } from "#src/base/errors.ts";
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
import { columnsOf } from "#src/graph/run/selection.ts";

builder.prismaObjectField(ContentImport, "changeRequest", (t) =>
  t.rowOrNull(changeRequests, "changeRequestId", "The change request that it goes into; null for the main content."),
);

builder.queryField("changeRequest", (t) =>
  t.find(changeRequests, "A change request. NOT_FOUND when there is none with this id that the viewer may see."),
);

const filterArguments = builder.args((t) => ({
  statuses: t.field({ type: [ChangeRequestStatus], description: "Only those in one of these states." }),
  reviewerId: t.id({
    description:
      "Only those that the user of this id has reviewed, or is asked to review; the list is looked through in its order.",
  }),
  reviewStatus: t.field({
    type: ChangeRequestReviewStatus,
    description: "Only those whose reviews come to this; the list is looked through in its order.",
  }),
  subject: t.string({
    description:
      "Only those whose subject contains this text, in any letter case; the list is looked through in its order.",
  }),
  updatedSince: t.field({ type: "DateTime", description: "Only those changed at this instant or later." }),
  orderBy: t.field({ type: ChangeRequestOrder, description: "How they are sorted; the newest first when left out." }),
}));

const contributorArgument = builder.args((t) => ({
  contributorId: t.id({ description: "Only those that the user of this id created, or made a revision in." }),
}));

const inboxArguments = builder.args((t) => ({
  ...filterArguments,
  ...contributorArgument,
  spaceIds: t.idList({ description: "Only those of the spaces of these ids." }),
}));

const authorArguments = builder.args((t) => ({
  authorIds: t.idList({ description: "Only those that one of the users of these ids created." }),
  mine: t.boolean({ description: "True lists only those that the viewer created, false only those of others." }),
}));

/** Numbers count within a space: no list of several is sorted by them. */
function withoutNumbers<Args extends ChangeRequestFilter>(args: Args): Args {
  if (args.orderBy?.field === "number")
    throw invalidInput("orderBy", "NUMBER sorts the change requests of one space only; give CREATED_AT or UPDATED_AT.");
  return args;
}

const ChangeRequestKey = builder.inputType("ChangeRequestKey", {
  description: "What a change request of a space is found by: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: "Id of the change request, or its number as text, as in REST." }),
    number: t.int({ description: "Its number within the space." }),
  }),
});

builder.prismaObjectFields(Space, (t) => {
  const count = (place: 0 | 1 | 2, description: string) =>
    t.value("Int", description, ["changeRequestCounts"], (space) => space.changeRequestCounts[place]);
  return {
    changeRequestCount: count(0, "Change requests of any status."),
    openChangeRequestCount: count(1, "Open change requests."),
    draftChangeRequestCount: count(2, "Draft change requests."),
    changeRequests: t.list(
      changeRequestsOfSpace,
      "Its change requests, newest first; none for those without a role on the space.",
      { args: { ...filterArguments, ...authorArguments, ...contributorArgument } },
    ),
    changeRequest: t.pick(changeRequestsOfSpace, "One of its change requests. NOT_FOUND if it does not exist.", {
      args: { by: t.arg({ type: ChangeRequestKey, required: true, description: "What it is found by." }) },
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
    "The change requests of all its spaces that the viewer has a role on, newest first.",
    { args: { ...inboxArguments, ...authorArguments }, filter: withoutNumbers },
  ),
);

builder.prismaObjectField(User, "changeRequests", (t) =>
  t.list(
    changeRequestsOfUser,
    "The change requests that they created, in all spaces that the viewer has a role on, newest first.",
    { args: inboxArguments, filter: withoutNumbers },
  ),
);

builder.prismaObjectFields(ChangeRequest, (t) => ({
  space: t.row(spaces, "spaceId", "Its space."),
  createdBy: t.row(namedUsers, "createdById", "Who created it."),
  content: t.row(revisions, "revisionId", "Its content: the active revision, that of `revisionId`."),
  revisionInitial: t.row(revisions, "revisionInitialId", "The revision of the main content that it started from."),
  revisionMergedAncestor: t.rowOrNull(
    revisions,
    "revisionMergedAncestorId",
    "The revision of the main content that it was last updated from; null when it never was.",
  ),
  revisionMerged: t.rowOrNull(revisions, "revisionMergedId", "The revision that its merge made; null until then."),
  contributors: t.list(contributorsOfChangeRequest, "Who created it or made a revision in it, by name."),
  mergedBy: t.rowOrNull(namedUsers, "mergedById", "Who merged it; null until it is merged."),
  changes: t.field({
    type: ContentChanges,
    description:
      "What it proposes: what differs between the main content that it was last updated from, or started from, and its content. It does not change any more once it is merged.",
    select: { revisionId: true, revisionInitialId: true, revisionMergedAncestorId: true },
    resolve: ({ revisionId, revisionInitialId, revisionMergedAncestorId }, _args, context) =>
      changesBetween(context, revisionMergedAncestorId ?? revisionInitialId, revisionId),
  }),
  conflicts: t.field({
    type: [ChangeRequestConflict],
    description:
      "The conflicts that prevent merging it, and updating it from the main content; empty once it is merged. Merges both to find out, and " +
      "changes nothing. INVALID_INPUT where the comparisons of the operation take more than five seconds.",
    select: columnsOf(conflictColumns),
    resolve: (changeRequest, _args, context) => conflictsOf(context, changeRequest),
  }),
  revisions: t.list(
    revisionsOfChangeRequest,
    "The revisions made in it, newest first; what it started from is not among them.",
    { args: revisionArguments },
  ),
}));

builder.prismaObjectFields(Revision, (t) => ({
  changeRequest: t.rowOrNull(
    changeRequests,
    "changeRequestId",
    "The change request in which it was made; null for the main content, and for those without a role on the space.",
  ),
  mergedFromId: t.exposeID("mergedFromId", {
    nullable: true,
    description:
      "Id of the change request whose merge made it; null for every other revision, and for those without a role on the space.",
  }),
  mergedFrom: t.rowOrNull(
    changeRequests,
    "mergedFromId",
    "The change request whose merge made it; null for every other revision, and for those without a role on the space.",
  ),
}));

builder.objectField(Page, "changeRequest", (t) =>
  t.rowOrNull(
    changeRequests,
    ({ revision }) => revision.changeRequestId,
    "The change request in which its revision was made; null for the main content, and for those without a role on the space.",
  ),
);
