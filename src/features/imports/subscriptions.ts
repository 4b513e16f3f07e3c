// Subscriptions to events of imports.
import { project } from "#src/db/reading/entity.ts";
import { contentImports } from "#src/features/imports/reads.ts";
import { ImportState } from "#src/features/imports/type.ts";
import { listenToSpaces, spaceOfEvent } from "#src/features/spaces/subscriptions.ts";
import { eventField, eventIdField } from "#src/graph/schema/event-fields.ts";
import { revisionOfEvent } from "#src/features/content/subscriptions.ts";
import { importEvents, importProgressEvents, longImportEvents } from "#src/features/imports/events.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { defineSubscription, extendSubscription } from "#src/graph/schema/subscriptions.ts";

extendSubscription("spaceEvents", [
  defineEvent(
    "ContentImported",
    "Files were imported into the main content of a space. `SpaceContentEdited` is sent as well.",
    [importEvents.imported],
    (t) => ({ ...spaceOfEvent(t), ...revisionOfEvent(t) }),
  ),
]);

const importOfEvent = (t: EventFields) => ({
  ...spaceOfEvent(t),
  importId: t.value("ID", "Id of the import.", ({ event }) => event.subjectId),
  import: t.rowOrNull(
    contentImports,
    ({ event }) => event.subjectId,
    "The import as it is now; null if it was deleted.",
  ),
  changeRequestId: eventIdField(
    t,
    "changeRequestId",
    "Id of the change request into which it imports; null for the main content.",
  ),
  state: eventField(t, ImportState, "state", "Its new state."),
});

defineSubscription({
  name: "importEvents",
  description:
    "Sends the progress and the end of imports of URLs and of uploaded archives: of one import, or of all imports in given spaces on which the viewer has a role.",
  subjects: {
    importId: "Id of the import.",
    spaceId: "Id of the space.",
    spaceIds: "Ids of 1 to 100 spaces. The stream continues while at least one is visible.",
  },
  events: [
    defineEvent("ImportStarted", "An import was requested.", [longImportEvents.started], importOfEvent),
    defineEvent("ImportProgressed", "An import made progress.", [importProgressEvents.progressed], (t) => ({
      ...importOfEvent(t),
      found: eventField(t, "Int", "found", "Number of pages found until the event."),
      read: eventField(t, "Int", "read", "Number of pages read until the event."),
    })),
    defineEvent(
      "ImportEnded",
      "An import succeeded, failed or was cancelled.",
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
