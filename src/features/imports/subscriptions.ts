// What subscriptions deliver of imports.
import { project } from "#src/db/reading/entity.ts";
import { contentImports } from "#src/features/imports/reads.ts";
import { ImportState } from "#src/features/imports/type.ts";
import { listenToSpaces } from "#src/features/spaces/subscriptions.ts";
import { eventField, eventIdField } from "#src/graph/schema/event-fields.ts";
import { revisionOfEvent } from "#src/features/content/subscriptions.ts";
import { importEvents, importProgressEvents, longImportEvents } from "#src/features/imports/events.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { defineSubscription, extendSubscription } from "#src/graph/schema/subscriptions.ts";

extendSubscription("spaceEvents", [
  defineEvent(
    "ContentImported",
    "Files were imported into the main content of a space. `SpaceContentEdited` comes with it.",
    [importEvents.imported],
    (t) => ({ ...spaceOfEvent(t), ...revisionOfEvent(t) }),
  ),
]);

const importOfEvent = (t: EventFields) => ({
  ...spaceOfEvent(t),
  importId: t.value("ID", "Id of the import.", ({ event }) => event.subjectId),
  import: t.rowOrNull(contentImports, ({ event }) => event.subjectId, "The import as it is now; null when it is gone."),
  changeRequestId: eventIdField(
    t,
    "changeRequestId",
    "Id of the change request that it goes into; null for the main content.",
  ),
  state: eventField(t, ImportState, "state", "Its state from then on."),
});

defineSubscription({
  name: "importEvents",
  description:
    "Sends how far imports of what is at an address are, and that they have ended: of one import, or of all in spaces that the viewer has a role on.",
  subjects: {
    importId: "Id of the import.",
    spaceId: "Id of the space.",
    spaceIds: "Ids of 1 to 100 spaces; the stream goes on while any is left.",
  },
  events: [
    defineEvent("ImportStarted", "An import was asked for.", [longImportEvents.started], importOfEvent),
    defineEvent("ImportProgressed", "An import is further than before.", [importProgressEvents.progressed], (t) => ({
      ...importOfEvent(t),
      found: eventField(t, "Int", "found", "Number of pages that were known then."),
      read: eventField(t, "Int", "read", "Number of pages that were read by then."),
    })),
    defineEvent(
      "ImportEnded",
      "An import is done, has failed or was cancelled.",
      [longImportEvents.ended],
      importOfEvent,
    ),
  ],
  open: async ({ by, ids }, context) => {
    if (by !== "importId") return listenToSpaces(context, ids);
    const [id = ""] = ids;
    const { spaceId } = await context.reader.found(contentImports, id, project(["spaceId"]));
    return { ...(await listenToSpaces(context, [spaceId])), accepts: (event) => event.subjectId === id };
  },
});
