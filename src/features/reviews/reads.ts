// Reads of reviews, which users with a role on the space of the change request see.
import { byId, byTime } from "#src/db/reading/orders.ts";
import { canAccessSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { identifier, type Sql, sql } from "#src/db/connection/database.ts";
import { derive, entity, type Stored } from "#src/db/reading/entity.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import { allOf, isOneOf, whenGiven } from "#src/db/reading/filters.ts";
import type { Optional } from "#src/domain/input.ts";
import { type ChangeRequestReviewStatus, changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import type { ReviewStatus } from "#src/generated/prisma/enums.ts";
import type { ReviewModel } from "#src/generated/prisma/models.ts";

export interface ReviewRow extends Stored<ReviewModel> {
  /** Whether the content of the change request has changed since the review. */
  outdated: boolean;
  authorId: string;
  spaceId: string;
}

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    Review: ReviewRow;
  }
}

const ofChangeRequest = (column: string) =>
  sql`(select ${identifier("cr", column)} from "ChangeRequest" cr where cr.id = t."changeRequestId")`;

export const reviews = entity<ReviewRow, Viewer>({
  kind: "Review",
  derived: {
    outdated: () => sql`(t."revisionId" is not null and t."revisionId" <> ${ofChangeRequest("revisionId")})`,
    authorId: () => ofChangeRequest("createdById"),
    spaceId: () => ofChangeRequest("spaceId"),
  },
  texts: ["message"],
  visible: (viewer) => seenWhere(viewer),
});

/** Whether the viewer sees review `t`, and its change request `cr` satisfies a condition. */
function seenWhere(viewer: Viewer, condition = sql`true`): Sql {
  return sql`exists (select from "ChangeRequest" cr
    where cr.id = t."changeRequestId" and ${condition} and ${canAccessSpace(viewer, sql`cr."spaceId"`)})`;
}

declare module "#src/features/change-requests/reads/change-requests.ts" {
  interface ChangeRequestRow {
    reviewStatus: ChangeRequestReviewStatus;
    /** Whether somebody asked the viewer for a review, in this round or an earlier one. */
    isViewerAsked: boolean;
  }
}

derive(changeRequests, {
  reviewStatus:
    () => sql`(select case when count(*) = 0 then 'none' when bool_or(rv.status = 'changes_requested') then 'changes_requested'
    when bool_or(rv.status = 'requested') then 'pending' else 'approved' end from "Review" rv
    where rv."changeRequestId" = t.id and rv.status <> 'dismissed')`,
  isViewerAsked: (viewer) => sql`exists (select from "Review" rv
    where rv."changeRequestId" = t.id and rv."reviewerId" = ${viewer.userId} and rv."requestedAt" is not null)`,
});

type ReviewFilter = Optional<{ statuses: readonly ReviewStatus[]; reviewerId: string }>;

/** Ids sort by the time of the first request or unrequested review: a new round does not move a review. */
export const reviewsOfChangeRequest: PageList<ReviewRow, Viewer, ReviewFilter> = {
  entity: reviews,
  parent: sql`t."changeRequestId" = p.id`,
  visible: "with parent",
  order: byId(),
  where: ({ statuses, reviewerId }) =>
    allOf(
      whenGiven(statuses, (values) => isOneOf(sql`t.status`, values, sql`"ReviewStatus"`)),
      whenGiven(reviewerId, (id) => sql`t."reviewerId" = ${id}`),
    ),
};

const waiting = {
  entity: { ...reviews, visible: (viewer: Viewer) => seenWhere(viewer, sql`cr.status in ('draft', 'open')`) },
  parent: sql`t."reviewerId" = p.id and t.status = 'requested'`,
  visible: "by its own rule",
  // A constraint of the table ensures that this is not null while a review is requested.
  order: byTime("requestedAt", "desc"),
} as const;

/** The pending reviews of a user, without those of merged and archived change requests. */
export const requestsToUser: PageList<ReviewRow, Viewer> = waiting;

export const requestsToViewer: PageList<ReviewRow, Viewer, object, object> = {
  ...waiting,
  under: ({ userId }) => userId,
};
