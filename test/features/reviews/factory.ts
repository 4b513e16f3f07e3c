// Creates reviews for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, type Rows } from "#test/support/rows.ts";

/** A review requested by the author; with another `status` it is submitted on the active revision. */
export function addReview(
  rows: Rows,
  given: {
    changeRequest: { id: string; revisionId: string; createdById: string };
    reviewerId: string;
  } & Partial<Prisma.ReviewCreateManyInput>,
) {
  const { changeRequest, ...fields } = given;
  const { status = "requested" } = fields;
  return rows.add("Review", {
    id: newId("Review"),
    changeRequestId: changeRequest.id,
    status,
    requestedById: changeRequest.createdById,
    requestedAt: nextInstant(),
    ...(status !== "requested" && { reviewedAt: nextInstant(), revisionId: changeRequest.revisionId }),
    ...fields,
  });
}
