// The event types of the content of spaces and change requests.
import { defineEvents } from "#src/events/declared.ts";

export const contentEvents = defineEvents(
  { ofSpaceUpdated: "space.contentUpdated", ofChangeRequestUpdated: "changeRequest.contentUpdated" },
  { changesRights: false },
);
