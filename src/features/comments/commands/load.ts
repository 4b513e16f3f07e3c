// Loads the space, change request and review that an input on comments names, and locks the rows of a change.
import { itemRoleColumns } from "#src/access/content.ts";
import { DomainError, invalidInput, notFound } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { ifGiven, oneOf, type Optional } from "#src/domain/input.ts";
import { findChangeRequest } from "#src/features/change-requests/commands/load.ts";
import {
  type CommentRow,
  comments,
  commentsOfChangeRequest,
  commentsOfSpace,
  replies,
  repliesOfComment,
} from "#src/features/comments/reads/comments.ts";
import { type SpaceRow, spaces } from "#src/features/spaces/reads.ts";

/** The content that an input names: the main content of a space, or a change request. */
export type PlaceInput = Optional<{ spaceId: string; changeRequestId: string }>;

export interface Place {
  readonly space: SpaceRow;
  readonly changeRequestId: string | null;
}

/** A place with its current revision, which a new comment refers to. */
export interface PresentPlace extends Place {
  readonly revisionId: string;
}

const spaceColumns = project([...itemRoleColumns, "isAccessible", "revisionId"]);
const authorColumn = project(["postedById", "markdown"]);
const placeColumns = project(["postedById", "markdown", "spaceId", "changeRequestId"]);

async function placeIn(context: Context, spaceId: string, changeRequestId: string | null): Promise<PresentPlace> {
  const space = await context.reader.found(spaces, spaceId, spaceColumns);
  return { space, changeRequestId, revisionId: space.revisionId };
}

/** The place that an input names. NOT_FOUND if the viewer does not see the space or change request. */
export async function loadPlace(context: Context, { spaceId, changeRequestId }: PlaceInput): Promise<PresentPlace> {
  const [name, id] = oneOf("contentOf", { spaceId, changeRequestId });
  if (name === "spaceId") return placeIn(context, id, null);
  const { space, row } = await findChangeRequest(context, id, { ofSpace: spaceColumns, own: revisionColumn });
  return { space, changeRequestId: row.id, revisionId: row.revisionId };
}

async function placeInPath(context: Context): Promise<Place | undefined> {
  const { spaceId, changeRequestId } = context.path ?? {};
  if (spaceId === undefined) return undefined;
  return loadPlace(context, changeRequestId === undefined ? { spaceId } : { changeRequestId });
}

const revisionColumn = project(["revisionId", "spaceId"]);

type PlacedComment = { readonly place: Place; readonly comment: CommentRow };

export async function findComment(context: Context, commentId: string): Promise<PlacedComment | null> {
  const place = await placeInPath(context);
  if (!place) {
    const comment = await context.reader.row(comments, commentId, placeColumns);
    return comment && { place: await placeIn(context, comment.spaceId, comment.changeRequestId), comment };
  }
  const { space, changeRequestId } = place;
  const one = { key: { id: commentId }, projection: authorColumn };
  const comment = await (changeRequestId === null
    ? context.reader.pick(commentsOfSpace, space, one)
    : context.reader.pick(commentsOfChangeRequest, { id: changeRequestId }, one));
  return comment && { place, comment };
}

/** As {@link findComment}, but throws NOT_FOUND, which names the place if the comment is elsewhere. */
export async function loadComment(context: Context, commentId: string): Promise<PlacedComment> {
  const seen = await findComment(context, commentId);
  if (seen) return seen;
  const elsewhere = await context.reader.row(comments, commentId, placeColumns);
  if (!elsewhere) throw notFound("comment");
  const { spaceId, changeRequestId } = elsewhere;
  const where = changeRequestId === null ? "the main content" : `the change request ${changeRequestId}`;
  throw new DomainError(
    "NOT_FOUND",
    `This comment is on ${where} of the space ${spaceId}, not at the path of the request. Use the path of that place, or name only the comment.`,
  );
}

export async function findReply(context: Context, replyId: string) {
  const commentId = context.path?.["commentId"];
  if (commentId !== undefined) {
    const { place, comment } = await loadComment(context, commentId);
    const one = { key: { id: replyId }, projection: authorColumn };
    const reply = await context.reader.pick(repliesOfComment, comment, one);
    return reply && { place, commentId, reply };
  }
  const reply = await context.reader.row(replies, replyId, project([...(placeColumns.columns ?? []), "commentId"]));
  if (!reply) return null;
  return { place: await placeIn(context, reply.spaceId, reply.changeRequestId), commentId: reply.commentId, reply };
}

const notOwn = () => invalidInput("reviewId", "must be the id of your own review of the change request.");

/** The id of a review, or null if not given. INVALID_INPUT for other ids, and always on the main content. */
export function checkReview({ changeRequestId }: Place, reviewId: string | null | undefined): string | null {
  const id = ifGiven("reviewId", reviewId, (given) => {
    if (changeRequestId === null || !isIdOf("Review", given)) throw notOwn();
    return given;
  });
  return id ?? null;
}

/** Locks a review until the transaction ends. INVALID_INPUT unless the user wrote it for the change request. */
export async function keepReview(
  transaction: Transaction,
  review: { readonly reviewId: string; readonly changeRequestId: string | null; readonly postedById: string },
): Promise<void> {
  const { reviewId, changeRequestId, postedById } = review;
  const [row] = await transaction.$queryRaw<object[]>`select id from "Review"
    where id = ${reviewId} and "changeRequestId" = ${changeRequestId} and "reviewerId" = ${postedById} for key share`;
  if (!row) throw notOwn();
}

type LockedComment = Pick<CommentRow, "markdown" | "status">;

/** Locks a comment until the transaction ends. NOT_FOUND if it was deleted. */
export async function lockComment(transaction: Transaction, id: string): Promise<LockedComment> {
  const [row] = await transaction.$queryRaw<LockedComment[]>`
    select markdown, status from "Comment" where id = ${id} for no key update`;
  if (!row) throw notFound("comment");
  return row;
}

/** Locks a reply until the transaction ends. NOT_FOUND if it was deleted. */
export async function lockReply(transaction: Transaction, id: string): Promise<{ markdown: string }> {
  const [row] = await transaction.$queryRaw<{ markdown: string }[]>`
    select markdown from "CommentReply" where id = ${id} for no key update`;
  if (!row) throw notFound("reply");
  return row;
}
