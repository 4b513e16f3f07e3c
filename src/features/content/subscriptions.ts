// What is told live of content.
import { findRevision } from "#src/features/content/reads/revisions.ts";
import { Revision } from "#src/features/content/type/revision.ts";
import { spaceOfEvent } from "#src/features/spaces/subscriptions.ts";
import type { GraphTypes } from "#src/graph/builder.ts";
import { defineEvent, type EventMessage, textIn } from "#src/graph/events.ts";
import { wantedRows } from "#src/graph/selection.ts";
import { extendSubscription } from "#src/graph/subscriptions.ts";

type Fields = PothosSchemaTypes.ObjectFieldBuilder<PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>, EventMessage>;

/** Fields of an event that made a revision. */
export const revisionOfEvent = (t: Fields) => ({
  revisionId: t.id({
    description: "Id of the revision that was made.",
    resolve: ({ event }) => textIn(event, "revisionId") ?? "",
  }),
  revision: t.field({
    type: Revision,
    nullable: true,
    description: "The revision that was made; null when its space is gone by now.",
    resolve: ({ event }, _args, context, info) =>
      findRevision(context, textIn(event, "revisionId") ?? "", wantedRows(info, "Revision")),
  }),
});

extendSubscription("spaceEvents", [
  defineEvent({
    name: "SpaceContentEdited",
    description: "The main content of a space has a new revision: by edits, a merge or an import.",
    of: ["space.contentUpdated"],
    fields: (t) => ({ ...spaceOfEvent(t), ...revisionOfEvent(t) }),
  }),
]);
