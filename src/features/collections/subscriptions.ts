// Subscriptions to events of collections, and the fields of moves that spaces share.
import { collectionDepartureEvents, collectionEvents } from "#src/features/collections/events.ts";
import { collections } from "#src/features/collections/reads.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField, eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

export const placeOfEvent = (t: EventFields) => ({
  fromParentId: eventIdField(
    t,
    "fromParentId",
    "Id of the collection in which it was; null at the top level, or if unknown.",
  ),
  toParentId: eventIdField(t, "toParentId", "Id of its new parent collection; null at the top level."),
  fromOrganizationId: eventIdField(
    t,
    "fromOrganizationId",
    "Id of the organization from which it was transferred; null if it stayed in its organization.",
  ),
});

const collectionIdOf = (t: EventFields) => ({
  collectionId: t.value("ID", "Id of the collection.", ({ event }) => event.subjectId),
});

const collectionOfEvent = (t: EventFields) => ({ ...collectionIdOf(t), collection: rowNow(t, collections) });

const title = (t: EventFields) => ({
  title: eventField(t, "String", "title", "Title of the collection at the time of the event."),
});

extendSubscription("organizationEvents", [
  defineEvent("CollectionCreated", "A collection was created.", [collectionEvents.created], (t) => ({
    ...collectionOfEvent(t),
    ...title(t),
    parentId: eventIdField(t, "parentId", "Id of the collection in which it was created; null at the top level."),
  })),
  defineEvent(
    "CollectionSettingsChanged",
    "The settings of a collection were changed.",
    [collectionEvents.updated],
    (t) => ({ ...collectionOfEvent(t), ...changesOfEvent(t) }),
  ),
  defineEvent(
    "CollectionMoved",
    "A collection was moved with all its content, within its organization or from another one.",
    [collectionEvents.moved, collectionEvents.transferred],
    (t) => ({ ...collectionOfEvent(t), ...placeOfEvent(t) }),
  ),
  defineEvent(
    "CollectionDeleted",
    "A collection was deleted; its children moved up to its position. Sent to members, and to guests who had a role on it.",
    [collectionEvents.deleted],
    (t) => ({
      ...collectionIdOf(t),
      ...title(t),
      parentId: eventIdField(t, "parentId", "Id of the collection in which it was; null at the top level."),
    }),
  ),
  defineEvent(
    "CollectionLeft",
    "A collection was transferred to another organization. Sent to members of the old organization, and to its guests who had a role on the collection.",
    [collectionDepartureEvents.left],
    (t) => ({ ...collectionIdOf(t), ...title(t) }),
  ),
]);
