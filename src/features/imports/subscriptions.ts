// What subscriptions deliver of imports.
import { revisionOfEvent } from "#src/features/content/subscriptions.ts";
import { importEvents } from "#src/features/imports/events.ts";
import { spaceOfEvent } from "#src/features/spaces/subscriptions.ts";
import { defineEvent } from "#src/graph/events.ts";
import { extendSubscription } from "#src/graph/subscriptions.ts";

extendSubscription("spaceEvents", [
  defineEvent(
    "ContentImported",
    "Files were imported into the main content of a space. `SpaceContentEdited` comes with it.",
    [importEvents.imported],
    (t) => ({ ...spaceOfEvent(t), ...revisionOfEvent(t) }),
  ),
]);
