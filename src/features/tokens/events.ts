// What happens to API tokens.
import { defineEvents } from "#src/events/declared.ts";

export const tokenEvents = defineEvents(
  {
    created: "apiToken.created",
    revoked: "apiToken.revoked",
  },
  { audience: "themselves" },
);
