// Subscriptions to events of grants, for admins of the organization.
import { adminEvent } from "#src/features/organizations/subscriptions.ts";
import { collections } from "#src/features/collections/reads.ts";
import { grantEvents } from "#src/features/grants/events.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { teams } from "#src/features/teams/reads.ts";
import { userOfEvent } from "#src/features/users/subscriptions.ts";
import { type EventFields, textIn } from "#src/graph/schema/events.ts";
import { eventField, eventIdField } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const now = "as it is now; null if the grant has none, or if it was deleted";

const grantOfEvent = (t: EventFields) => ({
  grantId: t.value("ID", "Id of the grant.", ({ event }) => event.subjectId),
  ...userOfEvent(t, "the grantee"),
  teamId: eventIdField(t, "teamId", "Id of the team that has the role; null for a grant to a user."),
  team: t.rowOrNull(teams, ({ event }) => textIn(event, "teamId"), `The team that has the role, ${now}.`),
  collectionId: eventIdField(t, "collectionId", "Id of the collection; null for a grant on a space."),
  collection: t.rowOrNull(collections, ({ event }) => textIn(event, "collectionId"), `The collection, ${now}.`),
  space: t.rowOrNull(spaces, ({ event }) => event.spaceId, `The space, ${now}.`),
});

extendSubscription("organizationEvents", [
  adminEvent("GrantSet", "A role on a collection or space was granted to a user or team.", grantEvents.set, (t) => ({
    ...grantOfEvent(t),
    roleBefore: eventField(t, Role, "roleBefore", "The previously granted role; null if none was granted."),
    role: eventField(t, Role, "role", "The granted role."),
  })),
  adminEvent(
    "GrantRemoved",
    "A role on a collection or space was revoked from a user or team.",
    grantEvents.removed,
    (t) => ({ ...grantOfEvent(t), role: eventField(t, Role, "role", "The revoked role.") }),
  ),
]);
