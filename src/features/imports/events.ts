// What happens by imports.
import { defineEvents } from "#src/events/declared.ts";

export const importEvents = defineEvents(
  {
    imported: "content.imported",
    intoChangeRequest: "changeRequest.contentImported",
  },
  { changesRights: false },
);
