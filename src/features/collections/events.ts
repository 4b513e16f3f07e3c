// The event types of collections.
import { defineEvents } from "#src/events/declared.ts";

/** Sent to the organization that a collection leaves; the receiving one gets `transferred`. */
export const collectionDepartureEvents = defineEvents(
  { left: "collection.left" },
  { audience: "who had it", isAudited: true },
);

export const collectionEvents = defineEvents(
  {
    created: "collection.created",
    updated: "collection.updated",
    moved: "collection.moved",
    transferred: "collection.transferred",
    deleted: "collection.deleted",
  },
  { audience: "the collection", isAudited: true },
);
