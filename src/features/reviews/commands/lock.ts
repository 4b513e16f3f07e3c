// The change request that is reviewed, held while its reviews change.
import { DomainError, notFound } from "#src/base/errors.ts";
import { sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { ChangeRequestInHand } from "#src/features/change-requests/commands/in-hand.ts";
import type { ChangeRequestStatus } from "#src/generated/prisma/enums.ts";

/**
 * Holds a change request until the transaction ends, so that changes of its content and of its reviews come one after another. Answers its active
 * revision. NOT_FOUND when it is gone, CONFLICT when it is neither draft nor open.
 */
export async function lockReviewed(
  transaction: Transaction,
  { space, changeRequestId }: ChangeRequestInHand,
): Promise<{ revisionId: string }> {
  const [row] = await transaction.$queryRaw<{ revisionId: string; status: ChangeRequestStatus }[]>(
    sql`select cr."revisionId", cr.status from "ChangeRequest" cr join "Space" s on s.id = cr."spaceId"
      where cr.id = ${changeRequestId} and s.id = ${space.id} and s."organizationId" = ${space.organizationId}
      and s."deletedAt" is null for no key update of cr`,
  );
  if (!row) throw notFound("change request");
  if (row.status !== "draft" && row.status !== "open")
    throw new DomainError(
      "CONFLICT",
      `This change request is ${row.status}: only drafts and open ones are to be reviewed.`,
    );
  return row;
}
