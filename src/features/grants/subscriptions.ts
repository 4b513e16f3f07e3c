// What subscriptions deliver of grants, to admins of the organization.
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

const now = "as it is now; null where none is concerned, and when it has been deleted";

const grantOfEvent = (t: EventFields) => ({
  grantId: t.value("ID", "Id of the grant.", ({ event }) => event.subjectId),
  ...userOfEvent(t, "who holds it"),
  teamId: eventIdField(t, "teamId", "Id of the team that holds it; null for one that a user holds."),
  team: t.rowOrNull(teams, ({ event }) => textIn(event, "teamId"), `The team that holds it, ${now}.`),
  collectionId: eventIdField(t, "collectionId", "Id of the collection that it is on; null for one on a space."),
  collection: t.rowOrNull(collections, ({ event }) => textIn(event, "collectionId"), `The collection, ${now}.`),
  space: t.rowOrNull(spaces, ({ event }) => event.spaceId, `The space that it is on, ${now}.`),
});

extendSubscription("organizationEvents", [
  adminEvent("GrantSet", "A role on a collection or space was granted to a user or team.", grantEvents.set, (t) => ({
    ...grantOfEvent(t),
    roleBefore: eventField(t, Role, "roleBefore", "The role that was granted until then; null for none."),
    role: eventField(t, Role, "role", "The role that is granted from then on."),
  })),
  adminEvent(
    "GrantRemoved",
    "A role on a collection or space was taken back from a user or team.",
    grantEvents.removed,
    (t) => ({ ...grantOfEvent(t), role: eventField(t, Role, "role", "The role that was granted until then.") }),
  ),
]);
