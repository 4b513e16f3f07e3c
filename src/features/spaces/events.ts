// What happens to spaces.
import { defineEvents } from "#src/events/declared.ts";

export const spaceEvents = defineEvents({
  created: "space.created",
  duplicated: "space.duplicated",
  updated: "space.updated",
  shareKeyRotated: "space.shareKeyRotated",
  moved: "space.moved",
  transferred: "space.transferred",
  deleted: "space.deleted",
  restored: "space.restored",
  purged: "space.purged",
});
