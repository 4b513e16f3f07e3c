// What subscriptions deliver of spaces, and how a subscription listens to spaces.
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

/** NOT_FOUND and FORBIDDEN unless the viewer has a role on all of the spaces, or on any of those that are left. */
async function requireRole(context: Context, ids: readonly string[], onHowMany: "all" | "any"): Promise<void> {
  const rows = await whenAll(ids.map((id) => context.reader.row(spaces, id, access)));
  const { length } = rows.filter((row) => row?.isAccessible);
  if (length === ids.length || (onHowMany === "any" && length > 0)) return;
  const isHidden = onHowMany === "all" ? rows.includes(null) : rows.every((row) => row === null);
  if (isHidden) throw notFound("space");
  throw new DomainError("FORBIDDEN", "You need a role on a space to subscribe to its events.");
}

/** Listens to spaces, for those with a role on them; later the stream goes on with those that are left. */
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
  spaceIds: "Ids of 1 to 100 spaces; the stream goes on while any is left.",
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

const title = (t: EventFields) => ({ title: eventField(t, "String", "title", "Title of the space then.") });

const created = defineEvent("SpaceCreated", "A space was created.", [spaceEvents.created], (t) => ({
  ...spaceOfEvent(t),
  ...title(t),
  parentId: eventIdField(t, "parentId", "Id of the collection in which it was created; null at the top."),
}));

const kinds = [
  defineEvent("SpaceSettingsChanged", "The settings of a space were changed.", [spaceEvents.updated], (t) => ({
    ...spaceOfEvent(t),
    ...changesOfEvent(t),
  })),
  defineEvent(
    "SpaceMoved",
    "A space was moved to another place, perhaps from another organization.",
    [spaceEvents.moved, spaceEvents.transferred],
    (t) => ({ ...spaceOfEvent(t), ...placeOfEvent(t) }),
  ),
  defineEvent("SpaceDuplicated", "A space was copied. The space is the original.", [spaceEvents.duplicated], (t) => ({
    ...spaceOfEvent(t),
    ...title(t),
    copyId: eventIdField(t, "copyId", "Id of the copy."),
    copy: t.rowOrNull(spaces, ({ event }) => textIn(event, "copyId"), "The copy as it is now."),
  })),
  defineEvent(
    "SpaceDeleted",
    "A space was deleted; for seven days it can be restored. For who listens to this space only, the stream ends then.",
    [spaceTerminalEvents.deleted],
    (t) => ({ ...spaceIdOf(t), ...title(t) }),
  ),
  defineEvent(
    "SpaceShareKeyRotated",
    "A share-link space got another secret, which is not told: the link up to then stopped to work.",
    [spaceEvents.shareKeyRotated],
    spaceOfEvent,
  ),
  defineEvent("SpaceRestored", "A deleted space was restored.", [spaceEvents.restored], spaceOfEvent),
  defineEvent(
    "SpacePurged",
    "A deleted space was removed for good, by nobody: seven days after it was deleted. Told to members and guests who had it.",
    [spaceDepartureEvents.purged],
    (t) => ({ ...spaceIdOf(t), ...title(t) }),
  ),
];

defineSubscription({
  name: "spaceEvents",
  description:
    "Sends what happens to spaces: main content edited, people named on its pages, a change request merged, settings changed, moved, duplicated, deleted, restored. It ends with NOT_FOUND when the last one is deleted, and with FORBIDDEN when the viewer has no role on any more.",
  subjects: spaceSubjects,
  events: kinds,
  open: ({ ids }, context) => listenToSpaces(context, ids),
});

extendSubscription("organizationEvents", [
  created,
  ...kinds,
  defineEvent(
    "SpaceLeft",
    "A space was transferred to another organization. Told to members and guests of the one that it left who had it.",
    [spaceDepartureEvents.left],
    (t) => ({ ...spaceIdOf(t), ...title(t) }),
  ),
]);
