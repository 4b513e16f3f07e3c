// What subscriptions deliver of content.
import { contentEvents } from "#src/features/content/events.ts";
import { revisions } from "#src/features/content/reads/revisions.ts";
import { Revision } from "#src/features/content/type/revision.ts";
import { spaceOfEvent } from "#src/features/spaces/subscriptions.ts";
import type { ObjectFields } from "#src/graph/builder.ts";
import { defineEvent, type EventMessage, textIn } from "#src/graph/events.ts";
import { wanted } from "#src/graph/selection.ts";
import { extendSubscription } from "#src/graph/subscriptions.ts";

type Fields = ObjectFields<EventMessage>;

/** Fields of an event that made a revision. */
export const revisionOfEvent = (t: Fields) => ({
  revisionId: t.value({
    type: "ID",
    description: "Id of the revision that was made.",
    value: ({ event }) => textIn(event, "revisionId") ?? "",
  }),
  revision: t.field({
    type: Revision,
    nullable: true,
    description: "The revision that was made; null when its space is gone by now.",
    resolve: ({ event }, _args, context, info) =>
      context.reader.row(revisions, textIn(event, "revisionId") ?? "", wanted(info)),
  }),
});

extendSubscription("spaceEvents", [
  defineEvent({
    name: "SpaceContentEdited",
    description: "The main content of a space has a new revision: by edits, a merge or an import.",
    of: [contentEvents.ofSpaceUpdated],
    fields: (t) => ({ ...spaceOfEvent(t), ...revisionOfEvent(t) }),
  }),
]);
