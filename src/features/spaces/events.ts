// What happens to spaces.
import { defineEvents } from "#src/events/declared.ts";

/** To the organization that a space leaves, beside `transferred` to the one that it comes to. */
export const spaceDepartureEvents = defineEvents(
  {
    left: "space.left",
  },
  { changesRights: false, audience: "members" },
);

export const spaceEvents = defineEvents(
  {
    created: "space.created",
    duplicated: "space.duplicated",
    updated: "space.updated",
    moved: "space.moved",
    transferred: "space.transferred",
    restored: "space.restored",
  },
  { audience: "the space" },
);

export const spaceFarewellEvents = defineEvents(
  {
    deleted: "space.deleted",
    purged: "space.purged",
  },
  { audience: "the space", isFarewell: true },
);
