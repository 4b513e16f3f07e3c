// The subscription events of teams, for members of the organization except guests.
import { teamEvents } from "#src/features/teams/events.ts";
import { teams } from "#src/features/teams/reads.ts";
import { TeamRole } from "#src/features/teams/type.ts";
import { userOfEvent } from "#src/features/users/subscriptions.ts";
import { defineEvent, type EventFields, textIn } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField, rowNow } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";
import type { StoredEvent } from "#src/events/event.ts";

/** The id of the team of an event: events of memberships name their team. */
const teamIdOf = (event: StoredEvent): string => textIn(event, "teamId") ?? event.subjectId;

const teamIdOfEvent = (t: EventFields) => ({
  teamId: t.value("ID", "Id of the team.", ({ event }) => teamIdOf(event)),
});

const teamOfEvent = (t: EventFields) => ({
  ...teamIdOfEvent(t),
  team: rowNow(t, teams, ({ event }) => teamIdOf(event)),
});

const title = (t: EventFields) => ({
  title: eventField(t, "String", "title", "Title of the team at the time of the event."),
});

const userIds = (t: EventFields, description: string) => ({ userIds: eventField(t, ["ID"], "userIds", description) });

extendSubscription("organizationEvents", [
  defineEvent("TeamCreated", "A team was created.", [teamEvents.created], (t) => ({
    ...teamOfEvent(t),
    ...title(t),
    ...userIds(t, "Ids of the initial members."),
  })),
  defineEvent("TeamRenamed", "A team was renamed.", [teamEvents.updated], (t) => ({
    ...teamOfEvent(t),
    ...changesOfEvent(t),
  })),
  defineEvent("TeamDeleted", "A team was deleted.", [teamEvents.deleted], (t) => ({
    ...teamIdOfEvent(t),
    ...title(t),
  })),
  defineEvent(
    "TeamMembersChanged",
    "Members of a team were added, changed or removed.",
    [teamEvents.membersUpdated],
    (t) => ({
      ...teamOfEvent(t),
      ...userIds(t, "Ids of the users who were added or whose role was set."),
      removedUserIds: eventField(t, ["ID"], "removedUserIds", "Ids of the removed users."),
    }),
  ),
  defineEvent("TeamMemberSet", "A user was added to a team, or their role was set.", [teamEvents.memberSet], (t) => ({
    ...teamOfEvent(t),
    ...userOfEvent(t, "the member of the team"),
    teamRoleBefore: eventField(t, TeamRole, "teamRoleBefore", "The former role; null for a new member."),
    teamRole: eventField(t, TeamRole, "teamRole", "The new role."),
  })),
  defineEvent("TeamMemberRemoved", "A user was removed from a team.", [teamEvents.memberRemoved], (t) => ({
    ...teamOfEvent(t),
    ...userOfEvent(t, "the former member"),
    teamRole: eventField(t, TeamRole, "teamRole", "The former role."),
  })),
]);
