// The event types of change requests.
import { defineEvents } from "#src/events/declared.ts";

export const changeRequestEvents = defineEvents(
  {
    created: "changeRequest.created",
    opened: "changeRequest.opened",
    updated: "changeRequest.updated",
    statusChanged: "changeRequest.statusChanged",
    updatesPulled: "changeRequest.updatesPulled",
    conflictsResolved: "changeRequest.conflictsResolved",
    merged: "changeRequest.merged",
  },
  { changesRights: false },
);
