// What happens to users.
import { defineEvents } from "#src/events/declared.ts";

export const userEvents = defineEvents({ updated: "user.updated" }, { changesRights: false, audience: "themselves" });
