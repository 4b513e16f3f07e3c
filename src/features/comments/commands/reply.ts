// The commands that post, change and delete replies to comments.
import { found } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { change, changeIfAny, type Deleted, deleteIfThere, requireAllowed } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { ifGiven, type Optional } from "#src/domain/input.ts";
import { mayCreateCommentReply, mayDeleteCommentReply, mayUpdateCommentReply } from "#src/features/comments/access.ts";
import { postMentions } from "#src/features/comments/commands/emails.ts";
import { keepMentions, usersNamedIn } from "#src/features/comments/commands/mentions.ts";
import { loadComment, findReply, lockComment, lockReply } from "#src/features/comments/commands/load.ts";
import {
  type Body,
  changeReactions,
  checkReactions,
  type ReactionInput,
  readBody,
} from "#src/features/comments/commands/input.ts";
import { commentEvent, reacted, replyEvents } from "#src/features/comments/events.ts";

type CommentReplyUpdate = ReactionInput & Optional<{ text: Body }> & { readonly replyId: string };

type NewReply = { readonly commentId: string; readonly text: Body };

/** NOT_FOUND for the comment, INVALID_INPUT for the text. A resolved comment stays resolved. */
export async function createCommentReply(context: Context, input: NewReply): Promise<{ id: string }> {
  const { place, comment } = await loadComment(context, input.commentId);
  const data = {
    id: newId("CommentReply"),
    commentId: comment.id,
    postedById: context.viewer.userId,
    postedAt: context.clock.now(),
    markdown: await readBody(input.text),
  };
  const { id, commentId, postedById: authorId, postedAt: now } = data;
  const named = await usersNamedIn(data.markdown);
  const subject = { postedById: comment.postedById, space: place.space };
  let mentioned: readonly DomainEvent[] = [];
  const replied = await change(context, mayCreateCommentReply, subject, async (transaction) => {
    await lockComment(transaction, comment.id);
    await transaction.commentReply.create({ data });
    mentioned = await keepMentions(transaction, { commentId, replyId: id, authorId, now, place }, named);
    const created = commentEvent({ type: replyEvents.created }, { id, commentId }, place);
    return { result: { id }, events: [created, ...mentioned] };
  });
  postMentions(context, place, mentioned);
  return replied;
}

/** As for comments, only a new text sets `editedAt`; unchanged parts write no event. */
export async function updateCommentReply(context: Context, input: CommentReplyUpdate): Promise<{ id: string }> {
  const { place, commentId, reply } = found(await findReply(context, input.replyId), "reply");
  const { id, postedById } = reply;
  const markdown = await ifGiven("text", input.text, (text) => readBody(text, reply.markdown));
  const reactions = checkReactions(input);
  const reacts = reactions.added.length + reactions.removed.length > 0;
  const parts = { text: markdown !== undefined, status: false, reactions: reacts };
  const subject = { postedById, space: place.space, parts };
  if (!parts.text && !reacts) {
    await requireAllowed(context, mayUpdateCommentReply, subject);
    return { id };
  }
  const named = await usersNamedIn(markdown ?? "");
  const by = { on: { replyId: id }, userId: context.viewer.userId, now: context.clock.now() };
  let mentioned: readonly DomainEvent[] = [];
  const updated = await changeIfAny(context, mayUpdateCommentReply, subject, async (transaction) => {
    const before = await lockReply(transaction, id);
    const edited = markdown !== undefined && markdown !== before.markdown && { markdown, editedAt: by.now };
    if (edited) await transaction.commentReply.update({ where: { id }, data: edited });
    const naming = { commentId, replyId: id, authorId: by.userId, now: by.now, place };
    mentioned = edited ? await keepMentions(transaction, naming, named, before.markdown) : [];
    const happened = reacted(replyEvents, await changeReactions(transaction, by, reactions));
    const all = [...(edited ? [{ type: replyEvents.updated }] : []), ...happened];
    const events = all.map((what) => commentEvent(what, { id, commentId }, place));
    return { result: { id }, events: [...events, ...mentioned] };
  });
  postMentions(context, place, mentioned);
  return updated;
}

/** Deletes a reply with its reactions. NOT_FOUND if the path of /v1 names a comment that does not exist. */
export async function deleteCommentReply(
  context: Context,
  input: { readonly replyId: string },
): Promise<Deleted & { commentId: string | null }> {
  const seen = await findReply(context, input.replyId);
  if (!seen) return { deletedId: null, commentId: null };
  const { place, commentId, reply } = seen;
  const { id, postedById } = reply;
  return answersWith(context, { commentId }, () =>
    deleteIfThere(context, mayDeleteCommentReply, { postedById, space: place.space }, async (transaction) => {
      const { count } = await transaction.commentReply.deleteMany({ where: { id } });
      return count === 0 ? null : commentEvent({ type: replyEvents.deleted }, { id, commentId }, place);
    }),
  );
}
