// The rights of a viewer on teams, which are the flags of `permissions`.
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { actionsOn } from "#src/domain/change.ts";
import { onlyAdmins, organizationGuard } from "#src/features/organizations/access.ts";

/** The flags of a team that was read: `view` is true, since only visible teams are ever read. */
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

const membersRefusal = "Only owners of the team and admins of the organization may change its members.";

export const mayUpdateTeamMembers = onTeam("admin", "teamMembers.update", membersRefusal);
export const maySetTeamMember = onTeam("admin", "teamMember.set", membersRefusal);
/** Members cannot leave it by themselves, either. */
export const mayRemoveTeamMember = onTeam("admin", "teamMember.remove", membersRefusal);
