// What subscriptions deliver of change requests.
import { oneOf } from "#src/domain/input.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { contentEvents } from "#src/features/content/events.ts";
import { revisionOfEvent } from "#src/features/content/subscriptions.ts";
import { listenToOrganization, listenToSpace } from "#src/features/spaces/subscriptions.ts";
import { builder } from "#src/graph/builder.ts";
import { defineEvent, type EventFields, textIn } from "#src/graph/events.ts";
import { defineSubscription, extendSubscription } from "#src/graph/subscriptions.ts";

/** The id of the change request that an event is about: what happens to a review names its change request. */
const changeRequestIdOf = (event: StoredEvent): string => textIn(event, "changeRequestId") ?? event.subjectId;

/** Fields of an event that name a change request, and show it. */
export const changeRequestOfEvent = (t: EventFields) => ({
  spaceId: t.value("ID", "Id of its space.", ({ event }) => event.spaceId ?? ""),
  changeRequestId: t.value("ID", "Id of the change request.", ({ event }) => changeRequestIdOf(event)),
  changeRequest: t.rowOrNull(
    changeRequests,
    ({ event }) => changeRequestIdOf(event),
    "The change request as it is now; null when it has been deleted.",
  ),
});

const isOfStatus = (event: StoredEvent): boolean => textIn(event, "status") !== null;

const merged = defineEvent(
  "ChangeRequestMerged",
  "A change request was merged into the main content.",
  [changeRequestEvents.merged],
  (t) => ({ ...changeRequestOfEvent(t), ...revisionOfEvent(t) }),
);

defineSubscription({
  name: "changeRequestEvents",
  description:
    "Sends what happens to change requests and their reviews: in a space, or in all spaces of an organization that the viewer has a role on. Exactly one " +
    "of the two.",
  args: builder.args((t) => ({
    spaceId: t.id({ description: "Id of the space." }),
    organizationId: t.id({ description: "Id of the organization." }),
  })),
  events: [
    defineEvent(
      "ChangeRequestOpened",
      "A change request was created, as a draft.",
      [changeRequestEvents.created],
      changeRequestOfEvent,
    ),
    defineEvent(
      "ChangeRequestEdited",
      "The content of a change request has a new revision: by edits, an import, updates pulled in or conflicts settled.",
      [contentEvents.ofChangeRequestUpdated],
      (t) => ({ ...changeRequestOfEvent(t), ...revisionOfEvent(t) }),
    ),
    defineEvent(
      "ChangeRequestUpdatesPulled",
      "The main content was brought into a change request, and conflicts were settled where there were any.",
      [changeRequestEvents.updatesPulled, changeRequestEvents.conflictsResolved],
      (t) => ({ ...changeRequestOfEvent(t), ...revisionOfEvent(t) }),
    ),
    {
      ...defineEvent(
        "ChangeRequestSubjectChanged",
        "The subject of a change request was changed.",
        [changeRequestEvents.updated],
        changeRequestOfEvent,
      ),
      when: (event) => !isOfStatus(event),
    },
    {
      ...defineEvent(
        "ChangeRequestStatusChanged",
        "The status of a change request was changed, and perhaps its subject.",
        [changeRequestEvents.updated],
        changeRequestOfEvent,
      ),
      when: isOfStatus,
    },
    merged,
  ],
  open({ spaceId, organizationId }) {
    const [name, id] = oneOf("spaceId", { spaceId, organizationId });
    return name === "spaceId" ? listenToSpace(id) : listenToOrganization(id);
  },
});

extendSubscription("spaceEvents", [merged]);
