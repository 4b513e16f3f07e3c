// What happens to collections.
import { defineEvents } from "#src/events/declared.ts";

export const collectionEvents = defineEvents({
  created: "collection.created",
  updated: "collection.updated",
  moved: "collection.moved",
  transferred: "collection.transferred",
  deleted: "collection.deleted",
});
