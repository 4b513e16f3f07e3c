// Where change requests are asked for: `changeRequest`, and from spaces.
import "#src/features/change-requests/type/page-conflicts.ts";
import "#src/features/change-requests/type/value-conflicts.ts";
import { invalidInput, found } from "#src/base/errors.ts";
import {
  findChangeRequest,
  findChangeRequestIn,
  namedBy,
  pageChangeRequests,
} from "#src/features/change-requests/reads/change-requests.ts";
import { conflictColumns, conflictsOf } from "#src/features/change-requests/reads/conflicts.ts";
import { ChangeRequestConflict } from "#src/features/change-requests/type/conflict.ts";
import {
  ChangeRequest,
  ChangeRequestConnection,
  ChangeRequestStatus,
} from "#src/features/change-requests/type/change-request.ts";
import { changesBetween } from "#src/features/content/reads/changes/compare.ts";
import { findRevision, pageRevisionsOfChangeRequest } from "#src/features/content/reads/revisions.ts";
import { ContentChanges } from "#src/features/content/type/changes.ts";
import { Revision, RevisionConnection } from "#src/features/content/type/revision.ts";
import { findSpace } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { namedUser } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.queryField("changeRequest", (t) =>
  t.field({
    type: ChangeRequest,
    nullable: true,
    description: "A change request. NOT_FOUND when there is none with this id that the viewer may see.",
    args: { id: t.arg.id({ required: true, description: "Id of the change request." }) },
    resolve: async (_root, { id }, context, info) =>
      found(await findChangeRequest(context, id, wantedRows(info, "ChangeRequest")), "change request"),
  }),
);

builder.objectFields(Space, (t) => ({
  changeRequests: t.field({
    type: ChangeRequestConnection,
    description: "Its change requests, newest first; none for those without a role on the space.",
    args: {
      ...pageArguments,
      status: t.arg({ type: ChangeRequestStatus, description: "Only those of this status." }),
      contributor: t.arg.id({ description: "Only those that the user of this id created, or made a revision in." }),
    },
    columns: ["id", "isAccessible"],
    resolve: (space, { status = null, contributor = null, ...page }, context, info) =>
      pageChangeRequests(context, space, { ...page, status, contributor }, wantedRows(info, "ChangeRequest")),
  }),
  changeRequest: t.field({
    type: ChangeRequest,
    nullable: true,
    description: "One of its change requests, by exactly one of the arguments. NOT_FOUND when there is none.",
    args: {
      id: t.arg.id({ description: "Id of the change request, or its number as text, as in REST." }),
      number: t.arg.int({ description: "Its number within the space." }),
    },
    columns: ["id", "isAccessible"],
    resolve: async (space, args, context, info) =>
      found(
        await findChangeRequestIn(context, space, idOrNumber(args), wantedRows(info, "ChangeRequest")),
        "change request",
      ),
  }),
}));

function idOrNumber({
  id,
  number,
}: {
  id?: string | null | undefined;
  number?: number | null | undefined;
}): { id: string } | { number: number } {
  if ((id == null) === (number == null)) throw invalidInput("id", "give exactly one of id and number.");
  return number != null ? { number } : namedBy(id ?? "");
}

builder.objectFields(ChangeRequest, (t) => ({
  space: t.field({
    type: Space,
    description: "Its space.",
    columns: ["spaceId"],
    resolve: async ({ spaceId }, _args, context, info) =>
      found(await findSpace(context, spaceId, wantedRows(info, "Space")), "space"),
  }),
  createdBy: t.field({
    type: User,
    description: "Who created it.",
    columns: ["createdById"],
    resolve: ({ createdById }, _args, context, info) => namedUser(context, createdById, wantedRows(info, "User")),
  }),
  content: t.field({
    type: Revision,
    description: "Its content: the active revision.",
    columns: ["revisionId"],
    resolve: async ({ revisionId }, _args, context, info) =>
      found(await findRevision(context, revisionId, wantedRows(info, "Revision")), "revision"),
  }),
  changes: t.field({
    type: ContentChanges,
    description:
      "What it proposes: what differs between the main content that it was last updated from, or started from, and its content. The same for " +
      "ever once it is merged.",
    columns: ["revisionId", "revisionInitialId", "revisionMergedAncestorId"],
    resolve: ({ revisionId, revisionInitialId, revisionMergedAncestorId }, _args, context) =>
      changesBetween(context, revisionMergedAncestorId ?? revisionInitialId, revisionId),
  }),
  conflicts: t.field({
    type: [ChangeRequestConflict],
    description:
      "What stands against merging it, and against updating it from the main content; empty once it is merged. Merges both to find out, and " +
      "changes nothing.",
    columns: conflictColumns,
    resolve: (changeRequest, _args, context) => conflictsOf(context, changeRequest),
  }),
  revisions: t.field({
    type: RevisionConnection,
    description: "The revisions made in it, newest first; what it started from is not among them.",
    args: pageArguments,
    columns: ["id"],
    resolve: (changeRequest, args, context, info) =>
      pageRevisionsOfChangeRequest(context, changeRequest, args, wantedRows(info, "Revision")),
  }),
}));
