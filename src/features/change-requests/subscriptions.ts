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
  spaceId: t.value({ type: "ID", description: "Id of its space.", value: ({ event }) => event.spaceId ?? "" }),
  changeRequestId: t.value({
    type: "ID",
    description: "Id of the change request.",
    value: ({ event }) => changeRequestIdOf(event),
  }),
  changeRequest: t.rowOrNull(
    changeRequests,
    ({ event }) => changeRequestIdOf(event),
    "The change request as it is now; null when it has been deleted.",
  ),
});

const isOfStatus = (event: StoredEvent): boolean => textIn(event, "status") !== null;

const merged = defineEvent({
  name: "ChangeRequestMerged",
  description: "A change request was merged into the main content.",
  of: [changeRequestEvents.merged],
  fields: (t) => ({ ...changeRequestOfEvent(t), ...revisionOfEvent(t) }),
});

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
    defineEvent({
      name: "ChangeRequestOpened",
      description: "A change request was created, as a draft.",
      of: [changeRequestEvents.created],
      fields: changeRequestOfEvent,
    }),
    defineEvent({
      name: "ChangeRequestEdited",
      description:
        "The content of a change request has a new revision: by edits, an import, updates pulled in or conflicts settled.",
      of: [contentEvents.ofChangeRequestUpdated],
      fields: (t) => ({ ...changeRequestOfEvent(t), ...revisionOfEvent(t) }),
    }),
    defineEvent({
      name: "ChangeRequestUpdatesPulled",
      description:
        "The main content was brought into a change request, and conflicts were settled where there were any.",
      of: [changeRequestEvents.updatesPulled, changeRequestEvents.conflictsResolved],
      fields: (t) => ({ ...changeRequestOfEvent(t), ...revisionOfEvent(t) }),
    }),
    defineEvent({
      name: "ChangeRequestSubjectChanged",
      description: "The subject of a change request was changed.",
      of: [changeRequestEvents.updated],
      when: (event) => !isOfStatus(event),
      fields: changeRequestOfEvent,
    }),
    defineEvent({
      name: "ChangeRequestStatusChanged",
      description: "The status of a change request was changed, and perhaps its subject.",
      of: [changeRequestEvents.updated],
      when: isOfStatus,
      fields: changeRequestOfEvent,
    }),
    merged,
  ],
  open({ spaceId, organizationId }) {
    const [name, id] = oneOf("spaceId", { spaceId, organizationId });
    return name === "spaceId" ? listenToSpace(id) : listenToOrganization(id);
  },
});

extendSubscription("spaceEvents", [merged]);
