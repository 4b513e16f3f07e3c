// What subscriptions deliver of collections, and where they and spaces are moved.
import { collectionDepartureEvents, collectionEvents } from "#src/features/collections/events.ts";
import { collections } from "#src/features/collections/reads.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField, eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

export const placeOfEvent = (t: EventFields) => ({
  fromParentId: eventIdField(
    t,
    "fromParentId",
    "Id of the collection in which it was; null at the top, and where it is not known.",
  ),
  toParentId: eventIdField(t, "toParentId", "Id of the collection in which it is from then on; null at the top."),
  fromOrganizationId: eventIdField(
    t,
    "fromOrganizationId",
    "Id of the organization that it was transferred from; null when it stayed in its own.",
  ),
});

const collectionIdOf = (t: EventFields) => ({
  collectionId: t.value("ID", "Id of the collection.", ({ event }) => event.subjectId),
});

const collectionOfEvent = (t: EventFields) => ({ ...collectionIdOf(t), collection: rowNow(t, collections) });

const title = (t: EventFields) => ({ title: eventField(t, "String", "title", "Title of the collection then.") });

extendSubscription("organizationEvents", [
  defineEvent("CollectionCreated", "A collection was created.", [collectionEvents.created], (t) => ({
    ...collectionOfEvent(t),
    ...title(t),
    parentId: eventIdField(t, "parentId", "Id of the collection in which it was created; null at the top."),
  })),
  defineEvent(
    "CollectionSettingsChanged",
    "The settings of a collection were changed.",
    [collectionEvents.updated],
    (t) => ({ ...collectionOfEvent(t), ...changesOfEvent(t) }),
  ),
  defineEvent(
    "CollectionMoved",
    "A collection was moved to another place with everything inside, perhaps from another organization.",
    [collectionEvents.moved, collectionEvents.transferred],
    (t) => ({ ...collectionOfEvent(t), ...placeOfEvent(t) }),
  ),
  defineEvent(
    "CollectionDeleted",
    "A collection was deleted; what was inside came to its place. Told to members, and to guests who had a role on it.",
    [collectionEvents.deleted],
    (t) => ({
      ...collectionIdOf(t),
      ...title(t),
      parentId: eventIdField(t, "parentId", "Id of the collection in which it was; null at the top."),
    }),
  ),
  defineEvent(
    "CollectionLeft",
    "A collection was transferred to another organization. Told to members of the one that it left, and to guests there who had a role on it.",
    [collectionDepartureEvents.left],
    (t) => ({ ...collectionIdOf(t), ...title(t) }),
  ),
]);
