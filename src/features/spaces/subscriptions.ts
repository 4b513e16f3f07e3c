// The subscription events of spaces, and the scopes of subscriptions to spaces.
import { DomainError, notFound } from "#src/base/errors.ts";
import { whenAll } from "#src/runtime/waiting.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { audienceOf } from "#src/events/declared.ts";
import { placeOfEvent } from "#src/features/collections/subscriptions.ts";
import { listenToOrganizations, organizationSubjects } from "#src/features/organizations/subscriptions.ts";
import { spaceDepartureEvents, spaceEvents, spaceTerminalEvents } from "#src/features/spaces/events.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { defineEvent, type EventFields, textIn } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField, eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import { defineSubscription, extendSubscription, type Listening, type Named } from "#src/graph/schema/subscriptions.ts";

const access = project(["isAccessible"]);

/** NOT_FOUND or FORBIDDEN unless the viewer has a role on all of the spaces, or on any of the remaining ones. */
async function requireRole(context: Context, ids: readonly string[], onHowMany: "all" | "any"): Promise<void> {
  const rows = await whenAll(ids.map((id) => context.reader.row(spaces, id, access)));
  const { length } = rows.filter((row) => row?.isAccessible);
  if (length === ids.length || (onHowMany === "any" && length > 0)) return;
  const isHidden = onHowMany === "all" ? rows.includes(null) : rows.every((row) => row === null);
  if (isHidden) throw notFound("space");
  throw new DomainError("FORBIDDEN", "You need a role on a space to subscribe to its events.");
}

/** Subscribes to spaces, for users with a role on them; later the stream continues with the remaining ones. */
export async function listenToSpaces(context: Context, ids: readonly string[]): Promise<Listening> {
  if (ids.length > 1) await requireRole(context, ids, "all");
  return {
    scope: { by: "spaceId", ids },
    check: (present) => requireRole(present, ids, "any"),
    isProven: ({ type }) => ids.length === 1 && audienceOf(type) === "space",
  };
}

const spaceSubjects = {
  spaceId: "Id of the space.",
  spaceIds: "Ids of 1 to 100 spaces; the stream continues while any of them remains.",
};

export const contentSubjects = { ...spaceSubjects, ...organizationSubjects };

export function listenToContent(
  context: Context,
  { by, ids }: Named<keyof typeof contentSubjects>,
): Promise<Listening> {
  return by.startsWith("space") ? listenToSpaces(context, ids) : listenToOrganizations(context, ids);
}

export const spaceOfEvent = (t: EventFields) => ({
  spaceId: t.value("ID", "Id of the space.", ({ event }) => event.spaceId ?? ""),
  space: rowNow(t, spaces, ({ event }) => event.spaceId),
});

const spaceIdOf = (t: EventFields) => ({
  spaceId: t.value("ID", "Id of the space.", ({ event }) => event.spaceId ?? event.subjectId),
});

const title = (t: EventFields) => ({
  title: eventField(t, "String", "title", "Title of the space at the time of the event."),
});

const created = defineEvent("SpaceCreated", "A space was created.", [spaceEvents.created], (t) => ({
  ...spaceOfEvent(t),
  ...title(t),
  parentId: eventIdField(t, "parentId", "Id of the parent collection; null at the top level."),
}));

const kinds = [
  defineEvent("SpaceSettingsChanged", "The settings of a space were changed.", [spaceEvents.updated], (t) => ({
    ...spaceOfEvent(t),
    ...changesOfEvent(t),
  })),
  defineEvent(
    "SpaceMoved",
    "A space was moved, within its organization or from another one.",
    [spaceEvents.moved, spaceEvents.transferred],
    (t) => ({ ...spaceOfEvent(t), ...placeOfEvent(t) }),
  ),
  defineEvent("SpaceDuplicated", "A space was copied. The space is the original.", [spaceEvents.duplicated], (t) => ({
    ...spaceOfEvent(t),
    ...title(t),
    copyId: eventIdField(t, "copyId", "Id of the copy."),
    copy: t.rowOrNull(spaces, ({ event }) => textIn(event, "copyId"), "The copy in its current state."),
  })),
  defineEvent(
    "SpaceDeleted",
    "A space was deleted; for seven days it can be restored. Ends streams that subscribe to this space only.",
    [spaceTerminalEvents.deleted],
    (t) => ({ ...spaceIdOf(t), ...title(t) }),
  ),
  defineEvent(
    "SpaceShareKeyRotated",
    "The secret of a share-link space was replaced: the former link no longer works. The event does not contain the secret.",
    [spaceEvents.shareKeyRotated],
    spaceOfEvent,
  ),
  defineEvent("SpaceRestored", "A deleted space was restored.", [spaceEvents.restored], spaceOfEvent),
  defineEvent(
    "SpacePurged",
    "A deleted space was permanently removed, automatically seven days after its deletion. Sent to members and guests who could see it.",
    [spaceDepartureEvents.purged],
    (t) => ({ ...spaceIdOf(t), ...title(t) }),
  ),
];

defineSubscription({
  name: "spaceEvents",
  description:
    "Sends the events of spaces: main content edited, people mentioned on pages, a change request merged, settings changed, moved, duplicated, deleted, restored. It ends with NOT_FOUND when the last one is deleted, and with FORBIDDEN when the viewer no longer has a role on any of them.",
  subjects: spaceSubjects,
  events: kinds,
  open: ({ ids }, context) => listenToSpaces(context, ids),
});

extendSubscription("organizationEvents", [
  created,
  ...kinds,
  defineEvent(
    "SpaceLeft",
    "A space was transferred to another organization. Sent to members and guests of its former organization who could see it.",
    [spaceDepartureEvents.left],
    (t) => ({ ...spaceIdOf(t), ...title(t) }),
  ),
]);
