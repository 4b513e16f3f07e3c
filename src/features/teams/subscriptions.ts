// What subscriptions deliver of teams, to members of the organization who are not guests.
import { teamEvents } from "#src/features/teams/events.ts";
import { teams } from "#src/features/teams/reads.ts";
import { TeamRole } from "#src/features/teams/type.ts";
import { userOfEvent } from "#src/features/users/subscriptions.ts";
import { defineEvent, type EventFields, textIn } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField, rowNow } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";
import type { StoredEvent } from "#src/events/event.ts";

/** The id of the team that an event is about: what happens to a membership names its team. */
const teamIdOf = (event: StoredEvent): string => textIn(event, "teamId") ?? event.subjectId;

const teamIdOfEvent = (t: EventFields) => ({
  teamId: t.value("ID", "Id of the team.", ({ event }) => teamIdOf(event)),
});

const teamOfEvent = (t: EventFields) => ({
  ...teamIdOfEvent(t),
  team: rowNow(t, teams, ({ event }) => teamIdOf(event)),
});

const title = (t: EventFields) => ({ title: eventField(t, "String", "title", "Title of the team then.") });

const userIds = (t: EventFields, description: string) => ({ userIds: eventField(t, ["ID"], "userIds", description) });

extendSubscription("organizationEvents", [
  defineEvent("TeamCreated", "A team was created.", [teamEvents.created], (t) => ({
    ...teamOfEvent(t),
    ...title(t),
    ...userIds(t, "Ids of the users who were put into it."),
  })),
  defineEvent("TeamRenamed", "A team got another title.", [teamEvents.updated], (t) => ({
    ...teamOfEvent(t),
    ...changesOfEvent(t),
  })),
  defineEvent("TeamDeleted", "A team was deleted.", [teamEvents.deleted], (t) => ({
    ...teamIdOfEvent(t),
    ...title(t),
  })),
  defineEvent(
    "TeamMembersChanged",
    "Users were put into a team, given roles there, and taken out of it.",
    [teamEvents.membersUpdated],
    (t) => ({
      ...teamOfEvent(t),
      ...userIds(t, "Ids of the users who were put into it or given a role there."),
      removedUserIds: eventField(t, ["ID"], "removedUserIds", "Ids of the users who were taken out of it."),
    }),
  ),
  defineEvent("TeamMemberSet", "A user was put into a team, or given a role there.", [teamEvents.memberSet], (t) => ({
    ...teamOfEvent(t),
    ...userOfEvent(t, "the member of the team"),
    teamRoleBefore: eventField(t, TeamRole, "teamRoleBefore", "The role until then; null for who was not in it."),
    teamRole: eventField(t, TeamRole, "teamRole", "The role from then on."),
  })),
  defineEvent("TeamMemberRemoved", "A user was taken out of a team.", [teamEvents.memberRemoved], (t) => ({
    ...teamOfEvent(t),
    ...userOfEvent(t, "who was in the team"),
    teamRole: eventField(t, TeamRole, "teamRole", "The role until then."),
  })),
]);
