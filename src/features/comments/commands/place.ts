// Where a comment is: the space, change request and review that an input names, and the rows that a change locks.
import { itemRole, itemRoleColumns } from "#src/access/content.ts";
import { found, invalidInput, notFound } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import { want } from "#src/db/entity.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { ifGiven } from "#src/domain/input.ts";
import { changeRequestsOfSpace, namedBy } from "#src/features/change-requests/reads/change-requests.ts";
import {
  type CommentRow,
  commentsOfChangeRequest,
  commentsOfSpace,
  repliesOfComment,
} from "#src/features/comments/reads/comments.ts";
import { type SpaceRow, spaces } from "#src/features/spaces/reads.ts";
import type { CommentStatus, Role } from "#src/generated/prisma/enums.ts";

/** How an input says where: without a change request (its id, or its number as text) on the main content. */
export interface PlaceInput {
  readonly spaceId: string;
  readonly changeRequestId?: string | null | undefined;
}

export interface Place {
  readonly space: SpaceRow;
  readonly changeRequestId: string | null;
  /** The revision that is commented on: the present one. */
  readonly revisionId: string;
  /** The viewer's role on the space. */
  readonly role: Role | null;
}

const spaceColumns = want([...itemRoleColumns, "isAccessible", "revisionId"]);
const authorColumn = want(["postedById"]);

/** The place that an input means. NOT_FOUND when the viewer sees no such space, or no such change request in it. */
export async function placeInHand(context: Context, { spaceId, changeRequestId }: PlaceInput): Promise<Place> {
  const space = await context.reader.found(spaces, spaceId, spaceColumns);
  const role = itemRole(context.viewer, space);
  if (changeRequestId == null) return { space, changeRequestId: null, revisionId: space.revisionId, role };
  const { id, revisionId } = found(
    await context.reader.pick(changeRequestsOfSpace, space, {
      key: namedBy(changeRequestId),
      wanted: want(["revisionId"]),
    }),
    "change request",
  );
  return { space, changeRequestId: id, revisionId, role };
}

/** The comment of this id in the place, or null. */
export function findCommentAt(context: Context, place: Place, id: string): Promise<CommentRow | null> {
  const { space, changeRequestId } = place;
  const one = { key: { id }, wanted: authorColumn };
  return changeRequestId === null
    ? context.reader.pick(commentsOfSpace, space, one)
    : context.reader.pick(commentsOfChangeRequest, { id: changeRequestId }, one);
}

/** The comment that an input means, with its place. NOT_FOUND when the viewer sees none there. */
export async function commentInHand(
  context: Context,
  input: PlaceInput & { readonly commentId: string },
): Promise<{ place: Place; comment: CommentRow }> {
  const place = await placeInHand(context, input);
  return { place, comment: found(await findCommentAt(context, place, input.commentId), "comment") };
}

/** The reply of this id to a comment, or null. */
export function findReplyAt(context: Context, comment: { id: string }, id: string) {
  return context.reader.pick(repliesOfComment, comment, { key: { id }, wanted: authorColumn });
}

const notOwn = () => invalidInput("review", "must be the id of your own review of the change request.");

/** The id of a review, or null for none. INVALID_INPUT for what cannot be one, and always on the main content. */
export function checkReview({ changeRequestId }: Place, review: string | null | undefined): string | null {
  const id = ifGiven("review", review, (given) => {
    if (changeRequestId === null || !isIdOf("Review", given)) throw notOwn();
    return given;
  });
  return id ?? null;
}

/**
 * Keeps a review from being deleted until the transaction ends. INVALID_INPUT when it is not there, and when it is not
 * of the user and the change request.
 */
export async function keepReview(
  transaction: Transaction,
  review: { readonly reviewId: string; readonly changeRequestId: string | null; readonly postedById: string },
): Promise<void> {
  const { reviewId, changeRequestId, postedById } = review;
  const [row] = await transaction.$queryRaw<object[]>`select id from "Review"
    where id = ${reviewId} and "changeRequestId" = ${changeRequestId} and "reviewerId" = ${postedById} for key share`;
  if (!row) throw notOwn();
}

/** Holds a comment. NOT_FOUND when it is gone. */
export async function lockComment(
  transaction: Transaction,
  id: string,
): Promise<{ markdown: string; status: CommentStatus }> {
  const [row] = await transaction.$queryRaw<{ markdown: string; status: CommentStatus }[]>`
    select markdown, status from "Comment" where id = ${id} for no key update`;
  if (!row) throw notFound("comment");
  return row;
}

/** Holds a reply. NOT_FOUND when it is gone. */
export async function lockReply(transaction: Transaction, id: string): Promise<{ markdown: string }> {
  const [row] = await transaction.$queryRaw<{ markdown: string }[]>`
    select markdown from "CommentReply" where id = ${id} for no key update`;
  if (!row) throw notFound("reply");
  return row;
}
