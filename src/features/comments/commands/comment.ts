// The commands that post, change and delete comments.
import { newId } from "#src/base/ids.ts";
import {
  change,
  changeIfAny,
  type Deleted,
  deleteIfThere,
  requireAllowed,
  type Transaction,
} from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { ifGiven, type Optional } from "#src/domain/input.ts";
import { mayCreateComment, mayDeleteComment, mayUpdateComment } from "#src/features/comments/access.ts";
import {
  type Body,
  changeReactions,
  checkReactions,
  type ReactionInput,
  type Reactions,
  readBody,
} from "#src/features/comments/commands/input.ts";
import { postMentions } from "#src/features/comments/commands/emails.ts";
import { keepMentions, usersNamedIn } from "#src/features/comments/commands/mentions.ts";
import {
  checkReview,
  loadComment,
  findComment,
  keepReview,
  lockComment,
  type Place,
  loadPlace,
  type PlaceInput,
} from "#src/features/comments/commands/load.ts";
import { checkTarget, type TargetInput } from "#src/features/comments/commands/target.ts";
import { commentEvent, commentEvents, reacted } from "#src/features/comments/events.ts";

type NewComment = PlaceInput & TargetInput & Optional<{ reviewId: string }> & { readonly text: Body };

type CommentUpdate = ReactionInput & Optional<{ text: Body; resolved: boolean }> & { readonly commentId: string };

interface CheckedUpdate {
  readonly id: string;
  readonly markdown: string | undefined;
  readonly resolved: boolean | undefined;
  readonly reactions: Reactions;
  readonly place: Place;
  readonly named: readonly string[];
}

/** NOT_FOUND for the space or change request, INVALID_INPUT for the text, the target and another user's review. */
export async function createComment(context: Context, input: NewComment): Promise<{ id: string }> {
  const place = await loadPlace(context, input);
  const data = {
    id: newId("Comment"),
    spaceId: place.space.id,
    changeRequestId: place.changeRequestId,
    postedById: context.viewer.userId,
    postedAt: context.clock.now(),
    markdown: await readBody(input.text),
    reviewId: checkReview(place, input.reviewId),
    ...(await checkTarget(context, place, input)),
  };
  const { id, reviewId, markdown, postedById: authorId, postedAt: now } = data;
  const named = await usersNamedIn(markdown);
  let mentioned: readonly DomainEvent[] = [];
  const created = await change(context, mayCreateComment, place.space, async (transaction) => {
    if (reviewId !== null) await keepReview(transaction, { ...data, reviewId });
    await transaction.comment.create({ data });
    mentioned = await keepMentions(transaction, { commentId: id, replyId: null, authorId, now, place }, named);
    return { result: { id }, events: [commentEvent({ type: commentEvents.created }, { id }, place), ...mentioned] };
  });
  postMentions(context, place, mentioned);
  return created;
}

/** Only a new text sets `editedAt`; unchanged parts write no event. FORBIDDEN if any part is not allowed. */
export async function updateComment(context: Context, input: CommentUpdate): Promise<{ id: string }> {
  const { place, comment } = await loadComment(context, input.commentId);
  const { id } = comment;
  const markdown = await ifGiven("text", input.text, (text) => readBody(text, comment.markdown));
  const resolved = ifGiven("resolved", input.resolved, (value) => value);
  const reactions = checkReactions(input);
  const parts = {
    text: markdown !== undefined,
    status: resolved !== undefined,
    reactions: reactions.added.length + reactions.removed.length > 0,
  };
  const subject = { postedById: comment.postedById, space: place.space, parts };
  if (!Object.values(parts).includes(true)) {
    await requireAllowed(context, mayUpdateComment, subject);
    return { id };
  }
  const named = await usersNamedIn(markdown ?? "");
  let events: DomainEvent[] = [];
  const updated = await changeIfAny(context, mayUpdateComment, subject, async (transaction) => {
    events = await writeUpdate(transaction, context, { id, markdown, resolved, reactions, place, named });
    return { result: { id }, events };
  });
  postMentions(context, place, events);
  return updated;
}

/** Locks the comment, writes the differences to its current state, and returns their events. */
async function writeUpdate(
  transaction: Transaction,
  { viewer: { userId }, clock }: Context,
  { id, markdown, resolved, reactions, place, named }: CheckedUpdate,
): Promise<DomainEvent[]> {
  const now = clock.now();
  const before = await lockComment(transaction, id);
  const edited = markdown !== undefined && markdown !== before.markdown && { markdown, editedAt: now };
  const closed = resolved === true && before.status === "open";
  const opened = resolved === false && before.status === "resolved";
  const status = closed
    ? ({ status: "resolved", resolvedAt: now, resolvedById: userId } as const)
    : opened && ({ status: "open", resolvedAt: null, resolvedById: null } as const);
  if (edited || status) await transaction.comment.update({ where: { id }, data: { ...edited, ...status } });
  const by = { commentId: id, replyId: null, authorId: userId, now, place };
  const mentioned = edited ? await keepMentions(transaction, by, named, before.markdown) : [];
  const happened = [
    ...(edited ? [{ type: commentEvents.updated }] : []),
    ...(closed ? [{ type: commentEvents.resolved }] : []),
    ...(opened ? [{ type: commentEvents.reopened }] : []),
    ...reacted(commentEvents, await changeReactions(transaction, { on: { commentId: id }, userId, now }, reactions)),
  ];
  return [...happened.map((what) => commentEvent(what, { id }, place)), ...mentioned];
}

export async function deleteComment(
  context: Context,
  input: { readonly commentId: string },
): Promise<Deleted & { spaceId: string | null; changeRequestId: string | null }> {
  const seen = await findComment(context, input.commentId);
  if (!seen) return { deletedId: null, spaceId: null, changeRequestId: null };
  const { place, comment } = seen;
  const { id, postedById } = comment;
  const { space, changeRequestId } = place;
  return answersWith(context, { spaceId: space.id, changeRequestId }, () =>
    deleteIfThere(context, mayDeleteComment, { postedById, space }, async (transaction) => {
      const { count } = await transaction.comment.deleteMany({ where: { id } });
      return count === 0 ? null : commentEvent({ type: commentEvents.deleted }, { id }, place);
    }),
  );
}
