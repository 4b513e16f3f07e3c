// The events of spaces.
import { defineEvents } from "#src/events/declared.ts";

/** `left` goes to the organization that a space leaves, and `transferred` to the one that receives it. */
export const spaceDepartureEvents = defineEvents(
  { left: "space.left", purged: "space.purged" },
  { audience: "who had it", isAudited: ["left"] },
);

export const spaceEvents = defineEvents(
  {
    created: "space.created",
    duplicated: "space.duplicated",
    updated: "space.updated",
    shareKeyRotated: "space.shareKeyRotated",
    moved: "space.moved",
    transferred: "space.transferred",
    restored: "space.restored",
  },
  { audience: "the space", isAudited: true },
);

export const spaceTerminalEvents = defineEvents(
  { deleted: "space.deleted" },
  { audience: "the space", isTerminal: true, isAudited: true },
);
