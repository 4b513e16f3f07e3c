// Subscriptions to events of comments, replies and reactions.
import type { StoredEvent } from "#src/events/event.ts";
import { changeRequestSubjects, listenToNamed } from "#src/features/change-requests/subscriptions.ts";
import { commentEvents, mentionEvents, replyEvents } from "#src/features/comments/events.ts";
import { comments, replies } from "#src/features/comments/reads/comments.ts";
import { spaceOfEvent } from "#src/features/spaces/subscriptions.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { defineEvent, type EventFields, textIn } from "#src/graph/schema/events.ts";
import { eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import { defineSubscription, extendSubscription } from "#src/graph/schema/subscriptions.ts";

/** The id of the comment of an event: events of replies have it in the payload. */
const commentIdOf = (event: StoredEvent): string => textIn(event, "commentId") ?? event.subjectId;

const replyIdOf = (event: StoredEvent): string | null =>
  event.type.startsWith("commentReply.") ? event.subjectId : textIn(event, "replyId");

const commentPlace = (t: EventFields) => ({
  commentId: t.value("ID", "Id of the comment.", ({ event }) => commentIdOf(event)),
  spaceId: t.value("ID", "Id of its space.", ({ event }) => event.spaceId ?? ""),
  changeRequestId: eventIdField(
    t,
    "changeRequestId",
    "Id of the change request on which it is; null for the main content.",
  ),
});

const comment = (t: EventFields) => ({
  ...commentPlace(t),
  comment: rowNow(t, comments, ({ event }) => commentIdOf(event)),
});

const ofReply = (t: EventFields) => ({
  ...comment(t),
  replyId: t.value("ID", "Id of the reply.", ({ event }) => event.subjectId),
});

const aboutReply = "The reply as it is now; null if it was deleted, or if the event is not about a reply.";

const replyNow = (t: EventFields) => t.rowOrNull(replies, ({ event }) => replyIdOf(event), aboutReply);

const reply = (t: EventFields) => ({ ...ofReply(t), reply: replyNow(t) });

const replyIfAny = (t: EventFields, description: string) => ({
  replyId: t.valueOrNull("ID", description, ({ event }) => replyIdOf(event)),
  reply: replyNow(t),
});

const namedUser = (t: EventFields) => ({
  userId: t.value("ID", "Id of the mentioned user.", ({ event }) => textIn(event, "userId") ?? ""),
  user: t.rowOrNull(namedUsers, ({ event }) => textIn(event, "userId"), "The mentioned user; null if deleted."),
});

const mention = (t: EventFields) => ({
  ...comment(t),
  ...replyIfAny(t, "Id of the reply with the mention; null for the comment itself."),
  ...namedUser(t),
});

const reaction = (t: EventFields) => ({
  ...comment(t),
  ...replyIfAny(t, "Id of the reply with the reaction; null for the comment itself."),
  emoji: t.value("String", "The emoji.", ({ event }) => textIn(event, "emoji") ?? ""),
});

const reactionEvents = (name: "reactionAdded" | "reactionRemoved") => [commentEvents[name], replyEvents[name]];

const events = [
  defineEvent("CommentPosted", "A comment was posted.", [commentEvents.created], comment),
  defineEvent("CommentEdited", "The text of a comment was changed.", [commentEvents.updated], comment),
  defineEvent("CommentResolved", "A comment was resolved.", [commentEvents.resolved], comment),
  defineEvent("CommentReopened", "A resolved comment was reopened.", [commentEvents.reopened], comment),
  defineEvent("CommentDeleted", "A comment was deleted with its replies.", [commentEvents.deleted], commentPlace),
  defineEvent("ReplyPosted", "A reply to a comment was posted.", [replyEvents.created], reply),
  defineEvent("ReplyEdited", "The text of a reply was changed.", [replyEvents.updated], reply),
  defineEvent("ReplyDeleted", "A reply was deleted.", [replyEvents.deleted], ofReply),
  defineEvent(
    "UserMentioned",
    "A new or edited comment or reply mentions a user who may see it.",
    [mentionEvents.created],
    mention,
  ),
  defineEvent("ReactionAdded", "A user reacted to a comment or reply.", reactionEvents("reactionAdded"), reaction),
  defineEvent("ReactionRemoved", "A user removed a reaction.", reactionEvents("reactionRemoved"), reaction),
];

extendSubscription("spaceEvents", [
  defineEvent(
    "UserMentionedOnPage",
    "A page of the main content mentions a user who may see it for the first time. `SpaceContentEdited` is sent as well.",
    [mentionEvents.onPage],
    (t) => ({
      ...spaceOfEvent(t),
      revisionId: eventIdField(t, "revisionId", "Id of the first revision with the mention."),
      pageId: t.value(
        "ID",
        "Id of the page, the same in every revision.",
        ({ event }) => textIn(event, "pageId") ?? "",
      ),
      ...namedUser(t),
    }),
  ),
]);

defineSubscription({
  name: "commentEvents",
  description:
    "Sends the events of comments, replies and reactions: of given spaces (main content and change requests), of given change requests, or " +
    "of all spaces of given organizations on which the viewer has a role.",
  subjects: changeRequestSubjects,
  events,
  open: (named, context) => listenToNamed(context, named),
});
