// What subscriptions deliver of change requests.
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
import { defineEvent, type EventFields, textIn } from "#src/graph/schema/events.ts";
import { eventField, eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import { defineSubscription, extendSubscription, type Listening, type Named } from "#src/graph/schema/subscriptions.ts";

/** The id of the change request that an event is about: what happens to a review names its change request. */
const changeRequestIdOf = (event: StoredEvent): string => textIn(event, "changeRequestId") ?? event.subjectId;

export const changeRequestOfEvent = (t: EventFields) => ({
  spaceId: t.value("ID", "Id of its space.", ({ event }) => event.spaceId ?? ""),
  changeRequestId: t.value("ID", "Id of the change request.", ({ event }) => changeRequestIdOf(event)),
  changeRequest: rowNow(t, changeRequests, ({ event }) => changeRequestIdOf(event)),
});

const ofRevision = (t: EventFields) => ({ ...changeRequestOfEvent(t), ...revisionOfEvent(t) });

const subject = (t: EventFields) => ({ subject: eventField(t, "String", "subject", "Its subject then.") });

const number = (t: EventFields) => ({ number: eventField(t, "Int", "number", "Its number within the space.") });

const statusBefore = (t: EventFields) => ({
  statusBefore: eventField(t, ChangeRequestStatus, "statusBefore", "Its state until then."),
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
      "Id of the revision of the change request that was merged; null where it is not known.",
    ),
  }),
);

/** NOT_FOUND for one that the viewer does not see; later the stream goes on with those in the spaces that are left. */
async function listenToChangeRequests(context: Context, ids: readonly string[]): Promise<Listening> {
  const rows = await whenAll(ids.map((id) => context.reader.found(changeRequests, id, project(["spaceId"]))));
  const known = new Set(ids);
  const spaceIds = new Set(rows.map(({ spaceId }) => spaceId));
  return { ...(await listenToSpaces(context, [...spaceIds])), accepts: (event) => known.has(changeRequestIdOf(event)) };
}

export const changeRequestSubjects = {
  ...contentSubjects,
  changeRequestId: "Id of the change request.",
  changeRequestIds: "Ids of 1 to 100 change requests; the stream goes on while any of their spaces is left.",
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
    "Sends what happens to change requests and their reviews: of some change requests, in spaces, or in all spaces of organizations that the viewer has a " +
    "role on.",
  subjects: changeRequestSubjects,
  events: [
    defineEvent("ChangeRequestDrafted", "A change request was created, as a draft.", [created], (t) => ({
      ...changeRequestOfEvent(t),
      ...number(t),
      ...subject(t),
      agentTaskId: eventIdField(t, "agentTaskId", "Id of the task of an agent that is to carry it out; null for none."),
    })),
    defineEvent(
      "ChangeRequestOpened",
      "A change request is open from now on: it was a draft, or archived.",
      [opened],
      (t) => ({ ...changeRequestOfEvent(t), ...number(t), ...subject(t), ...statusBefore(t) }),
    ),
    defineEvent(
      "ChangeRequestEdited",
      "The content of a change request has a new revision: by edits, an import, updates pulled in or conflicts settled; or its computed pages were made anew: then `revisionBeforeId` is the same.",
      [contentEvents.ofChangeRequestUpdated],
      ofRevision,
    ),
    defineEvent(
      "ChangeRequestContentImported",
      "Files were imported into the content of a change request. `ChangeRequestEdited` comes with it.",
      [importEvents.intoChangeRequest],
      ofRevision,
    ),
    defineEvent(
      "ChangeRequestUpdatesPulled",
      "The main content was brought into a change request, and conflicts were settled where there were any.",
      [updatesPulled, conflictsResolved],
      ofRevision,
    ),
    defineEvent("ChangeRequestSubjectChanged", "The subject of a change request was changed.", [updated], (t) => ({
      ...changeRequestOfEvent(t),
      subjectBefore: eventField(t, "String", "subjectBefore", "Its subject until then."),
      subject: eventField(t, "String", "subject", "Its subject from then on."),
    })),
    defineEvent(
      "ChangeRequestStatusChanged",
      "The status of a change request was changed, other than by merging it.",
      [statusChanged],
      (t) => ({
        ...changeRequestOfEvent(t),
        ...statusBefore(t),
        status: eventField(t, ChangeRequestStatus, "status", "Its state from then on."),
      }),
    ),
    merged,
  ],
  open: (named, context) => listenToNamed(context, named),
});

extendSubscription("spaceEvents", [merged]);
