// What a viewer may do with teams (the flags of `permissions`; design: who may do what).
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { actionsOn } from "#src/domain/change.ts";
import { onlyAdmins, organizationGuard } from "#src/features/organizations/access.ts";

/** The flags of a team that was read: `view` is true, since only what may be viewed is ever read. */
export function teamPermissions(viewer: Viewer, team: { organizationId: string; isOwnedByViewer: boolean }) {
  const role = viewer.memberships.get(team.organizationId) ?? null;
  return { admin: isAtLeast(role, "admin") || team.isOwnedByViewer, view: true };
}

export const mayListTeams = organizationGuard("listTeams", "Guests may not see the teams of an organization.");

export const mayCreateTeam = onlyAdmins("team.create", "create teams");

/** Owning the team is not enough. */
export const mayDeleteTeam = onlyAdmins("team.delete", "delete teams");

const onTeam = actionsOn(teamPermissions);

export const mayUpdateTeam = onTeam(
  "admin",
  "team.update",
  "Only owners of the team and admins of the organization may rename it.",
);

const membersRefusal = "Only owners of the team and admins of the organization may change who is in it.";

export const mayUpdateTeamMembers = onTeam("admin", "teamMembers.update", membersRefusal);
export const maySetTeamMember = onTeam("admin", "teamMember.set", membersRefusal);
/** Members cannot leave it by themselves either. */
export const mayRemoveTeamMember = onTeam("admin", "teamMember.remove", membersRefusal);
