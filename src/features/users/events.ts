// The events of users, each for the user alone.
import { defineEvents } from "#src/events/declared.ts";

export const userEvents = defineEvents({ updated: "user.updated" }, { changesRights: false, audience: "themselves" });
