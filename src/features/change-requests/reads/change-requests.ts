// Reads of change requests, which are visible to viewers with a role on their space.
import { canAccessSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Instant } from "#src/base/time.ts";
import { allOf, containsText, isOneOf, since, whenGiven } from "#src/db/reading/filters.ts";
import { identifier, joinSql, type Sql, sql } from "#src/db/connection/database.ts";
import { derive, derivedColumn, entity, type Stored } from "#src/db/reading/entity.ts";
import { byNumber, byText, byTime, orderedBy, type Ordered } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import { forThoseWithAccess, revisions } from "#src/features/content/reads/revisions.ts";
import type { SpaceRow } from "#src/features/spaces/reads.ts";
import { withRoleOnSpace } from "#src/features/spaces/access.ts";
import { namedUsers, type UserRow } from "#src/features/users/reads.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { ChangeRequestStatus } from "#src/generated/prisma/enums.ts";
import type { ChangeRequestModel } from "#src/generated/prisma/models.ts";

export type ChangeRequestReviewStatus = "none" | "pending" | "approved" | "changes_requested";

export interface ChangeRequestRow extends Stored<ChangeRequestModel> {
  /** Whether the main content has changed since it was started or last updated. */
  outdated: boolean;
  /** The author and the time of the revision that the merge created; null before the merge. */
  mergedById: string | null;
  mergedAt: Instant | null;
}

/** A column of the revision that the merge of row `t` created. */
const ofMerge = (column: string) =>
  sql`(select ${identifier("r", column)} from "Revision" r where r.id = t."revisionMergedId")`;

export const changeRequests = entity<ChangeRequestRow, Viewer>({
  kind: "ChangeRequest",
  derived: {
    outdated: () => sql`(t.status <> 'merged' and coalesce(t."revisionMergedAncestorId", t."revisionInitialId")
      <> (select s."revisionId" from "Space" s where s.id = t."spaceId"))`,
    mergedById: () => ofMerge("authorId"),
    mergedAt: () => ofMerge("createdAt"),
  },
  visible: (viewer: Viewer) => canAccessSpace(viewer, sql`t."spaceId"`),
});

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    ChangeRequest: ChangeRequestRow;
  }
}

declare module "#src/features/content/reads/revisions.ts" {
  interface RevisionRow {
    /** The change request whose merge created it; null for viewers without a role on the space. */
    mergedFromId: string | null;
  }
}

derive(revisions, {
  mergedFromId: (viewer) =>
    forThoseWithAccess(
      viewer,
      sql`case t.type when 'merge' then (select cr.id from "ChangeRequest" cr where cr."revisionMergedId" = t.id order by cr.number limit 1) end`,
    ),
});

/** Columns that lists filter and sort by come from the contributor rows, which have an index for them. */
const contributionColumns = Object.values(Prisma.ChangeRequestScalarFieldEnum).map((name) => {
  if (name === "id") return sql`cc."changeRequestId" as id`;
  return identifier(name === "spaceId" || name === "number" || name === "status" ? "cc" : "cr", name);
});

/** One row per change request and user who created it or added a revision to it: `contributorId`. */
const contributions: typeof changeRequests = {
  ...changeRequests,
  table: sql`(select cc."userId" as "contributorId", ${joinSql(contributionColumns)}
    from "ChangeRequestContributor" cc join "ChangeRequest" cr on cr.id = cc."changeRequestId")`,
};

const changeRequestOrders = { number: byNumber, createdAt: byTime("createdAt"), updatedAt: byTime("updatedAt") };

export interface ChangeRequestFilter extends Ordered<keyof typeof changeRequestOrders> {
  readonly statuses?: readonly ChangeRequestStatus[] | null | undefined;
  readonly contributorId?: string | null | undefined;
  readonly spaceIds?: readonly string[] | null | undefined;
  readonly authorIds?: readonly string[] | null | undefined;
  readonly mine?: boolean | null | undefined;
  readonly reviewerId?: string | null | undefined;
  readonly reviewStatus?: ChangeRequestReviewStatus | null | undefined;
  readonly subject?: string | null | undefined;
  readonly updatedSince?: Date | null | undefined;
}

const passes = (args: ChangeRequestFilter, viewer: Viewer): Sql | null =>
  allOf(
    whenGiven(args.statuses, (statuses) => isOneOf(sql`t.status`, statuses, sql`"ChangeRequestStatus"`)),
    whenGiven(args.authorIds, (ids) => isOneOf(sql`t."createdById"`, ids)),
    whenGiven(args.mine, (mine) =>
      mine ? sql`t."createdById" = ${viewer.userId}` : sql`t."createdById" <> ${viewer.userId}`,
    ),
    whenGiven(args.spaceIds, (ids) => isOneOf(sql`t."spaceId"`, ids)),
    whenGiven(
      args.reviewerId,
      (id) => sql`exists (select from "Review" rv where rv."changeRequestId" = t.id and rv."reviewerId" = ${id})`,
    ),
    whenGiven(args.reviewStatus, (status) => sql`${derivedColumn(changeRequests, "reviewStatus", viewer)} = ${status}`),
    whenGiven(args.subject, (text) => containsText(sql`t."subject"`, text)),
    whenGiven(args.updatedSince, (instant) => since(sql`t."updatedAt"`, instant)),
  );

/** Whether a user created change request `t` or added a revision to it. */
const isContributor = (id: string): Sql =>
  sql`exists (select from "ChangeRequestContributor" cc where cc."changeRequestId" = t.id and cc."userId" = ${id})`;

const passesWithContributor = (args: ChangeRequestFilter, viewer: Viewer): Sql | null =>
  allOf(passes(args, viewer), whenGiven(args.contributorId, isContributor));

type AccessibleSpace = Pick<SpaceRow, "id" | "isAccessible">;

export const changeRequestsOfSpace: PageList<ChangeRequestRow, Viewer, ChangeRequestFilter, AccessibleSpace> = {
  entity: changeRequests,
  parent: sql`t."spaceId" = p.id`,
  policy: withRoleOnSpace,
  visible: "with parent",
  order: orderedBy(changeRequestOrders, byNumber),
  where: passesWithContributor,
  // The index of one contributor's change requests is by number only.
  insteadFor: ({ contributorId, orderBy }) =>
    contributorId == null || (orderBy && orderBy.field !== "number") ? null : contributionsInSpace,
};

const contributionsInSpace: typeof changeRequestsOfSpace = {
  ...changeRequestsOfSpace,
  entity: contributions,
  where: (args, viewer) => allOf(sql`t."contributorId" = ${args.contributorId}`, passes(args, viewer)),
  insteadFor: () => null,
};

export const changeRequestsOfOrganization: PageList<ChangeRequestRow, Viewer, ChangeRequestFilter> = {
  entity: changeRequests,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: orderedBy(changeRequestOrders, byTime("createdAt", "desc")),
  where: passesWithContributor,
};

export const changeRequestsOfUser: typeof changeRequestsOfOrganization = {
  ...changeRequestsOfOrganization,
  parent: sql`t."createdById" = p.id`,
};

/** Every viewer of a change request sees its contributors. */
export const contributorsOfChangeRequest: PageList<UserRow, Viewer> = {
  entity: namedUsers,
  parent: sql`t.id in (select cc."userId" from "ChangeRequestContributor" cc where cc."changeRequestId" = p.id)`,
  visible: "with parent",
  order: byText("displayName"),
};
