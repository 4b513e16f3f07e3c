// Subscriptions to events of content.
import { contentEvents } from "#src/features/content/events.ts";
import { revisions } from "#src/features/content/reads/revisions.ts";
import { spaceOfEvent } from "#src/features/spaces/subscriptions.ts";
import { defineEvent, type EventFields, textIn } from "#src/graph/schema/events.ts";
import { eventIdField } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const about = {
  revision: "The new revision; null if its space was deleted.",
  revisionBefore: "Id of the previous revision; null if unknown.",
};

export const revisionOfEvent = (t: EventFields) => ({
  revisionId: t.value("ID", "Id of the new revision.", ({ event }) => textIn(event, "revisionId") ?? ""),
  revision: t.rowOrNull(revisions, ({ event }) => textIn(event, "revisionId"), about.revision),
  revisionBeforeId: eventIdField(t, "revisionBeforeId", about.revisionBefore),
});

extendSubscription("spaceEvents", [
  defineEvent(
    "SpaceContentEdited",
    "The main content of a space has a new revision, by edits, a merge or an import. Also sent when its computed pages were refreshed: then `revisionBeforeId` is the same.",
    [contentEvents.ofSpaceUpdated],
    (t) => ({ ...spaceOfEvent(t), ...revisionOfEvent(t) }),
  ),
]);
