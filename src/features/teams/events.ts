// The events of teams.
import { defineEvents } from "#src/events/declared.ts";

export const teamEvents = defineEvents(
  {
    created: "team.created",
    updated: "team.updated",
    deleted: "team.deleted",
    membersUpdated: "teamMembers.updated",
    memberSet: "teamMember.set",
    memberRemoved: "teamMember.removed",
  },
  { audience: "members", isAudited: true },
);
