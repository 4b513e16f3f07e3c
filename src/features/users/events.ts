// The events of users, sent only to the user themselves.
import { defineEvents } from "#src/events/declared.ts";

export const userEvents = defineEvents({ updated: "user.updated" }, { changesRights: false, audience: "themselves" });
