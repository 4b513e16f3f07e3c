// Reading reviews: seen by whoever has a role on the space of the change request.
import { canAccessSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Page, PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { ReviewModel } from "#src/generated/prisma/models.ts";

export interface ReviewRow extends Stored<ReviewModel> {
  /** Whether the content of the change request has moved on since it was given. */
  outdated: boolean;
}

const reviews = entity<ReviewRow, Viewer>({
  kind: "Review",
  stored: Prisma.ReviewScalarFieldEnum,
  derived: {
    outdated: () => sql`(t."revisionId" is not null and t."revisionId" <> (
      select cr."revisionId" from "ChangeRequest" cr where cr.id = t."changeRequestId"))`,
  },
  visible: (viewer) => sql`exists (select from "ChangeRequest" cr
    where cr.id = t."changeRequestId" and ${canAccessSpace(viewer, sql`cr."spaceId"`)})`,
});

/** Ids sort by the time when somebody was first asked, or came by themself: a new round leaves a review in its place. */
const reviewsOfChangeRequest: PageList<ReviewRow, Viewer, object> = {
  name: "ChangeRequest.reviews",
  entity: reviews,
  parent: sql`t."changeRequestId" = p.id`,
  visible: "with parent",
  order: () => ({ name: "age", key: sql`t.id`, type: "text", direction: "asc" }),
};

const reviewOfChangeRequest: PageList<ReviewRow, Viewer, { reviewerId: string }> = {
  ...reviewsOfChangeRequest,
  name: "ChangeRequest.review",
  where: ({ reviewerId }) => sql`t."reviewerId" = ${reviewerId}`,
};

/** What waits for the viewer: merged and archived change requests wait for nobody any more. */
const requestsToViewer: PageList<ReviewRow, Viewer, object> = {
  name: "Query.reviewRequests",
  entity: reviews,
  parent: sql`t."reviewerId" = p.id and t.status = 'requested'
    and exists (select from "ChangeRequest" cr where cr.id = t."changeRequestId" and cr.status in ('draft', 'open'))`,
  visible: "by its own rule",
  // Never null while it is requested, as a check of the table says.
  order: () => ({ name: "requestedAt", key: sql`t."requestedAt"`, type: "timestamptz", direction: "desc" }),
};

export function findReview(context: Context, id: string, wanted: Wanted): Promise<ReviewRow | null> {
  return context.reader.row(reviews, id, wanted);
}

/** The review of a change request in hand by one person, or null. */
export function findReviewBy(
  context: Context,
  changeRequest: { id: string },
  reviewerId: string,
  wanted: Wanted,
): Promise<ReviewRow | null> {
  return context.reader.first(reviewOfChangeRequest, changeRequest.id, { args: { reviewerId }, wanted });
}

export function pageReviewsOfChangeRequest(
  context: Context,
  changeRequest: { id: string },
  page: PageArguments,
  wanted: Wanted,
): Promise<Page<ReviewRow>> {
  return context.reader.page(reviewsOfChangeRequest, changeRequest.id, { page, args: {}, wanted });
}

/** The reviews that the viewer is asked for and can give, the last request first. */
export function pageReviewRequests(context: Context, page: PageArguments, wanted: Wanted): Promise<Page<ReviewRow>> {
  return context.reader.page(requestsToViewer, context.viewer.userId, { page, args: {}, wanted });
}
