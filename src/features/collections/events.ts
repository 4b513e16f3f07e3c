// What happens to collections.
import { defineEvents } from "#src/events/declared.ts";

/** To the organization that a collection leaves, beside `transferred` to the one that it comes to. */
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
