// The events of API tokens: of people, sent only to them, and of organizations.
import { defineEvents } from "#src/events/declared.ts";

export const tokenEvents = defineEvents(
  { created: "apiToken.created", rotated: "apiToken.rotated", revoked: "apiToken.revoked" },
  { audience: "themselves", isAudited: true },
);

export const serviceTokenEvents = defineEvents(
  { created: "serviceToken.created", rotated: "serviceToken.rotated", revoked: "serviceToken.revoked" },
  { audience: "admins", isAudited: true },
);
