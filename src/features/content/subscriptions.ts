// What subscriptions deliver of content.
import { contentEvents } from "#src/features/content/events.ts";
import { revisions } from "#src/features/content/reads/revisions.ts";
import { spaceOfEvent } from "#src/features/spaces/subscriptions.ts";
import { defineEvent, type EventFields, textIn } from "#src/graph/schema/events.ts";
import { eventIdField } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const about = {
  revision: "The revision that was made; null when its space has been deleted.",
  revisionBefore: "Id of the revision that was active until then; null where it is not known.",
};

export const revisionOfEvent = (t: EventFields) => ({
  revisionId: t.value("ID", "Id of the revision that was made.", ({ event }) => textIn(event, "revisionId") ?? ""),
  revision: t.rowOrNull(revisions, ({ event }) => textIn(event, "revisionId"), about.revision),
  revisionBeforeId: eventIdField(t, "revisionBeforeId", about.revisionBefore),
});

extendSubscription("spaceEvents", [
  defineEvent(
    "SpaceContentEdited",
    "The main content of a space has a new revision, by edits, a merge or an import, or its computed pages were made anew: then `revisionBeforeId` is the same.",
    [contentEvents.ofSpaceUpdated],
    (t) => ({ ...spaceOfEvent(t), ...revisionOfEvent(t) }),
  ),
]);
