// Commands that request reviews, withdraw requests, and submit and dismiss reviews.
import { itemRoleColumns, spaceRoleOf } from "#src/access/content.ts";
import { DomainError, type ErrorDetail, found, invalidInput } from "#src/base/errors.ts";
import { isIdOf, newId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import { changeIfAny, type Deleted, deleteIfThere, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { checkText, type Optional } from "#src/domain/input.ts";
import { type LoadedChangeRequest, loadChangeRequest } from "#src/features/change-requests/commands/load.ts";
import { lockChangeRequest } from "#src/features/content/commands/lock.ts";
import {
  mayDismissReview,
  mayRequestReviews,
  maySubmitReview,
  mayWithdrawReviewRequest,
} from "#src/features/reviews/access.ts";
import { postReviewRequest } from "#src/features/reviews/commands/emails.ts";
import { reviewEvent, reviewEvents } from "#src/features/reviews/events.ts";
import { reviews, reviewsOfChangeRequest } from "#src/features/reviews/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { ReviewStatus } from "#src/generated/prisma/enums.ts";

const reviewerLimit = 50;

/** Also asks former reviewers again. CONFLICT if merged or archived, INVALID_INPUT for invalid reviewers. */
export async function requestReviews(
  context: Context,
  input: { readonly changeRequestId: string; readonly reviewerIds: readonly string[] },
): Promise<{ id: string; ids: readonly string[] }> {
  const { length } = input.reviewerIds;
  if (length > reviewerLimit)
    throw invalidInput("reviewerIds", `must have at most ${reviewerLimit} entries, but has ${length}.`);
  const reviewed = await loadChangeRequest(context, input.changeRequestId);
  const requested = await changeIfAny(context, mayRequestReviews, reviewed, async (transaction) => {
    await lockChangeRequest(transaction, reviewed.place);
    await requireReviewers(transaction, reviewed, input.reviewerIds);
    const asked = await putRequests(transaction, context, reviewed, [...new Set(input.reviewerIds)]);
    const status = "requested";
    const events = asked.map((review) => reviewEvent(reviewEvents.requested, { ...review, status }, reviewed));
    return { result: { id: reviewed.changeRequestId, ids: asked.map(({ id }) => id) }, events };
  });
  for (const reviewId of requested.ids) postReviewRequest(context, reviewed, reviewId);
  return requested;
}

/** Throws INVALID_INPUT that names all invalid reviewers, without revealing whether a person exists. */
async function requireReviewers(transaction: Transaction, of: LoadedChangeRequest, reviewerIds: readonly string[]) {
  const ids = reviewerIds.filter((id) => isIdOf("User", id));
  const rows = await transaction.$queryRaw<{ userId: string }[]>(
    sql`select m."userId" from "Space" t join "OrganizationMember" m on m."organizationId" = t."organizationId"
      where t.id = ${of.space.id} and m."userId" = any(${ids}::text[]) and not m.disabled
      and ${spaceRoleOf(sql`m."userId"`, sql`m.role`)} >= 'comment'`,
  );
  const able = new Set(rows.map(({ userId }) => userId));
  const refused = reviewerIds.flatMap((id, index): ErrorDetail[] => {
    const path = `reviewerIds/${index}`;
    if (id === of.createdById) return [{ path, message: "is the author, who cannot review their own change request." }];
    return able.has(id) ? [] : [{ path, message: "does not have the role comment on the space." }];
  });
  const [first] = refused;
  if (first) throw new DomainError("INVALID_INPUT", `${first.path}: ${first.message}`, refused);
}

/** Writes the requests, and returns the new ones. The change request has to be locked. */
function putRequests(
  transaction: Transaction,
  { viewer, clock }: Context,
  { changeRequestId }: LoadedChangeRequest,
  reviewerIds: readonly string[],
): Promise<{ id: string; reviewerId: string }[]> {
  const ids = reviewerIds.map(() => newId("Review"));
  return transaction.$queryRaw(
    sql`insert into "Review" as r (id, "changeRequestId", "reviewerId", status, "requestedById", "requestedAt")
      select n.id, ${changeRequestId}, n."reviewerId", 'requested', ${viewer.userId}, ${clock.now().toISOString()}::timestamptz
      from unnest(${ids}::text[], ${reviewerIds}::text[]) n(id, "reviewerId")
      on conflict ("changeRequestId", "reviewerId") do update set status = 'requested', message = null, "reviewedAt" = null,
        "revisionId" = null, "dismissedById" = null, "dismissedAt" = null, "requestedById" = excluded."requestedById", "requestedAt" = excluded."requestedAt"
      where r.status <> 'requested'
      returning id, "reviewerId"`,
  );
}

/** Withdraws a request; a submitted review stays. CONFLICT if the change request is merged or archived. */
export async function withdrawReviewRequest(
  context: Context,
  { reviewerId, ...input }: { readonly changeRequestId: string; readonly reviewerId: string },
): Promise<Deleted & { id: string }> {
  const reviewed = await loadChangeRequest(context, input.changeRequestId);
  const id = reviewed.changeRequestId;
  const subject = { ...reviewed, reviewerId };
  return answersWith(context, { id }, () =>
    deleteIfThere(context, mayWithdrawReviewRequest, subject, async (transaction) => {
      await lockChangeRequest(transaction, reviewed.place);
      if (!isIdOf("User", reviewerId)) return null;
      const [row] = await transaction.$queryRaw<{ id: string }[]>`
        delete from "Review" where "changeRequestId" = ${id} and "reviewerId" = ${reviewerId} and status = 'requested' returning id`;
      return row ? reviewEvent(reviewEvents.withdrawn, { ...row, reviewerId, status: "requested" }, reviewed) : null;
    }),
  );
}

/** The limit of Unicode characters of a message. */
const messageLimit = 10_000;

type Verdict = Extract<ReviewStatus, "approved" | "changes_requested">;

/** Reviews the active revision, which replaces the viewer's former review. CONFLICT if merged or archived. */
export async function submitReview(
  context: Context,
  input: { readonly changeRequestId: string; readonly verdict: Verdict } & Optional<{ message: string }>,
): Promise<{ id: string }> {
  const { verdict: status } = input;
  const message = checkText("message", input.message ?? "", { max: messageLimit }) || null;
  const reviewed = await loadChangeRequest(context, input.changeRequestId);
  const { changeRequestId } = reviewed;
  const reviewerId = context.viewer.userId;
  const own = { key: { reviewerId }, projection: project(["requestedAt"]) };
  const seen = await context.reader.pick(reviewsOfChangeRequest, { id: changeRequestId }, own);
  const subject = (review: { requestedAt: unknown } | null) => ({ ...reviewed, isAsked: review?.requestedAt != null });
  return changeIfAny(context, maySubmitReview, subject(seen), async (transaction) => {
    const { revisionId } = await lockChangeRequest(transaction, reviewed.place);
    const key = { changeRequestId, reviewerId };
    const before = await transaction.review.findUnique({ where: { changeRequestId_reviewerId: key } });
    await requireAllowed(context, maySubmitReview, subject(before)); // the request may have been withdrawn since
    const id = before?.id ?? newId("Review");
    const given = { status, message, revisionId, dismissedById: null, dismissedAt: null };
    const isSame = before?.status === status && before.message === message && before.revisionId === revisionId;
    if (isSame) return { result: { id }, events: [] };
    const data = { ...given, reviewedAt: context.clock.now() };
    await transaction.review.upsert({ where: { id }, update: data, create: { id, ...key, ...data } });
    const event = reviewEvent(reviewEvents.submitted, { id, reviewerId, status, revisionId }, reviewed);
    return { result: { id }, events: [event] };
  });
}

const dismissed = project(["changeRequestId", "spaceId", "authorId", "reviewerId"]);
const ofSpace = project([...itemRoleColumns, "isAccessible"]);

/** Dismisses a submitted review; its text stays. CONFLICT if it is only requested, and if merged or archived. */
export async function dismissReview(context: Context, { reviewId }: { reviewId: string }): Promise<{ id: string }> {
  const review = await context.reader.found(reviews, reviewId, dismissed);
  const { id, changeRequestId, spaceId, reviewerId, authorId: createdById } = review;
  const space = await context.reader.found(spaces, spaceId, ofSpace);
  const place = { organizationId: space.organizationId, spaceId, changeRequestId };
  return changeIfAny(context, mayDismissReview, { space, createdById, reviewerId }, async (transaction) => {
    await lockChangeRequest(transaction, place);
    const { status } = found(await transaction.review.findUnique({ where: { id } }), "review");
    if (status === "dismissed") return { result: { id }, events: [] };
    if (status === "requested")
      throw new DomainError("CONFLICT", "This review was not submitted yet: withdraw its request instead.");
    const data = { dismissedById: context.viewer.userId, dismissedAt: context.clock.now() };
    await transaction.review.update({ where: { id }, data: { ...data, status: "dismissed" } });
    const event = { id, reviewerId, status: "dismissed" } as const;
    return { result: { id }, events: [reviewEvent(reviewEvents.dismissed, event, { space, changeRequestId })] };
  });
}
