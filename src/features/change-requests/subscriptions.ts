// Subscriptions to events of change requests.
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { whenAll } from "#src/runtime/waiting.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { contentEvents } from "#src/features/content/events.ts";
import { revisionOfEvent } from "#src/features/content/subscriptions.ts";
import { ChangeRequestStatus } from "#src/features/change-requests/type/change-request.ts";
import { importEvents } from "#src/features/imports/events.ts";
import { contentSubjects, listenToContent, listenToSpaces } from "#src/features/spaces/subscriptions.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { projectionOf } from "#src/graph/run/selection.ts";
import { builder } from "#src/graph/schema/builder.ts";
import {
  defineEvent,
  type EventFields,
  type PresenceMessage,
  StreamMessage,
  textIn,
} from "#src/graph/schema/events.ts";
import { eventField, eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import { defineSubscription, extendSubscription, type Listening, type Named } from "#src/graph/schema/subscriptions.ts";

/** The id of the change request of an event: events of reviews have it in the payload. */
const changeRequestIdOf = (event: StoredEvent): string => textIn(event, "changeRequestId") ?? event.subjectId;

export const changeRequestOfEvent = (t: EventFields) => ({
  spaceId: t.value("ID", "Id of its space.", ({ event }) => event.spaceId ?? ""),
  changeRequestId: t.value("ID", "Id of the change request.", ({ event }) => changeRequestIdOf(event)),
  changeRequest: rowNow(t, changeRequests, ({ event }) => changeRequestIdOf(event)),
});

const ofRevision = (t: EventFields) => ({ ...changeRequestOfEvent(t), ...revisionOfEvent(t) });

const subject = (t: EventFields) => ({
  subject: eventField(t, "String", "subject", "Its subject at the time of the event."),
});

const number = (t: EventFields) => ({ number: eventField(t, "Int", "number", "Its number within the space.") });

const statusBefore = (t: EventFields) => ({
  statusBefore: eventField(t, ChangeRequestStatus, "statusBefore", "Its status before the event."),
});

const merged = defineEvent(
  "ChangeRequestMerged",
  "A change request was merged into the main content.",
  [changeRequestEvents.merged],
  (t) => ({
    ...ofRevision(t),
    mergedRevisionId: eventIdField(
      t,
      "mergedRevisionId",
      "Id of the revision of the change request that was merged; null if unknown.",
    ),
  }),
);

/** NOT_FOUND for an invisible one; the stream continues with the others when a space becomes invisible. */
async function listenToChangeRequests(context: Context, ids: readonly string[]): Promise<Listening> {
  const rows = await whenAll(ids.map((id) => context.reader.found(changeRequests, id, project(["spaceId"]))));
  const known = new Set(ids);
  const spaceIds = new Set(rows.map(({ spaceId }) => spaceId));
  return { ...(await listenToSpaces(context, [...spaceIds])), accepts: (event) => known.has(changeRequestIdOf(event)) };
}

export const changeRequestSubjects = {
  ...contentSubjects,
  changeRequestId: "Id of the change request.",
  changeRequestIds:
    "Ids of 1 to 100 change requests. The stream continues while at least one of their spaces is visible.",
};

type NamedSubjects = Named<keyof typeof changeRequestSubjects>;

export function listenToNamed(context: Context, { by, ids }: NamedSubjects): Promise<Listening> {
  if (by === "changeRequestId" || by === "changeRequestIds") return listenToChangeRequests(context, ids);
  return listenToContent(context, { by, ids });
}

const { created, opened, updated, statusChanged, updatesPulled, conflictsResolved } = changeRequestEvents;

defineSubscription({
  name: "changeRequestEvents",
  description:
    "Sends the events of change requests and their reviews: of given change requests, of given spaces, or of all spaces of given organizations on which the viewer " +
    "has a role.",
  subjects: changeRequestSubjects,
  events: [
    defineEvent("ChangeRequestDrafted", "A change request was created as a draft.", [created], (t) => ({
      ...changeRequestOfEvent(t),
      ...number(t),
      ...subject(t),
      agentTaskId: eventIdField(
        t,
        "agentTaskId",
        "Id of the task of an agent that works in it; null if none was given.",
      ),
    })),
    defineEvent("ChangeRequestOpened", "A draft or archived change request was opened.", [opened], (t) => ({
      ...changeRequestOfEvent(t),
      ...number(t),
      ...subject(t),
      ...statusBefore(t),
    })),
    defineEvent(
      "ChangeRequestEdited",
      "The content of a change request has a new revision: by edits, an import, pulled updates or resolved conflicts. Also sent when its computed pages were refreshed: then `revisionBeforeId` is the same.",
      [contentEvents.ofChangeRequestUpdated],
      ofRevision,
    ),
    defineEvent(
      "ChangeRequestContentImported",
      "Files were imported into the content of a change request. `ChangeRequestEdited` is sent as well.",
      [importEvents.intoChangeRequest],
      ofRevision,
    ),
    defineEvent(
      "ChangeRequestUpdatesPulled",
      "The main content was merged into a change request, with conflicts resolved if there were any.",
      [updatesPulled, conflictsResolved],
      ofRevision,
    ),
    defineEvent("ChangeRequestSubjectChanged", "The subject of a change request was changed.", [updated], (t) => ({
      ...changeRequestOfEvent(t),
      subjectBefore: eventField(t, "String", "subjectBefore", "Its subject before the event."),
      subject: eventField(t, "String", "subject", "Its new subject."),
    })),
    defineEvent(
      "ChangeRequestStatusChanged",
      "The status of a change request was changed, except by a merge.",
      [statusChanged],
      (t) => ({
        ...changeRequestOfEvent(t),
        ...statusBefore(t),
        status: eventField(t, ChangeRequestStatus, "status", "Its new status."),
      }),
    ),
    merged,
  ],
  open: (named, context) => listenToNamed(context, named),
});

extendSubscription("spaceEvents", [merged]);

/** How many users a message of presence lists. */
const mostPresent = 50;

const PresenceChanged = builder.objectRef<PresenceMessage>("PresenceChanged").implement({
  description: "The users who look at the subject now. Sent after `Ready`, and whenever one comes or leaves.",
  interfaces: [StreamMessage],
  fields: (t) => ({
    totalCount: t.value("Int", "Number of users who look at it, you included.", ({ userIds }) => userIds.length),
    users: t.field({
      type: [User],
      description: `The users who look at it, you included: at most ${mostPresent}.`,
      resolve: ({ userIds }, _args, { reader }, info) =>
        whenAll(userIds.slice(0, mostPresent).map((id) => reader.found(namedUsers, id, projectionOf(info)))),
    }),
  }),
});

defineSubscription({
  name: "presence",
  description:
    "Sends who looks at a change request or a space: the users with an open stream of this subscription for it, at any gateway. A user counts from `Ready` until the stream ends.",
  subjects: { changeRequestId: changeRequestSubjects.changeRequestId, spaceId: contentSubjects.spaceId },
  events: [],
  messages: [PresenceChanged],
  open: async ({ by, ids }, context) => ({
    ...(await listenToNamed(context, { by, ids })),
    presence: {
      subject: ids.join(),
      messageOf: (userIds, cursor): PresenceMessage => ({ type: "PresenceChanged", cursor, userIds }),
    },
  }),
});
