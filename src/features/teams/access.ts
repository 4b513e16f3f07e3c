// What a viewer may do with teams (the flags of `permissions`; design: who may do what).
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Guard } from "#src/db/page-list.ts";
import type { Action } from "#src/domain/change.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";

export interface TeamPermissions {
  admin: boolean;
  view: boolean;
}

/** The flags of a team in hand: `view` is true, since only what may be viewed is ever read. */
export function teamPermissions(
  viewer: Viewer,
  team: { organizationId: string; isOwnedByViewer: boolean },
): TeamPermissions {
  const role = viewer.memberships.get(team.organizationId) ?? null;
  return { admin: isAtLeast(role, "admin") || team.isOwnedByViewer, view: true };
}

/** The teams of an organization: FORBIDDEN exactly where its flag `listTeams` is false. */
export const mayListTeams: Guard<{ id: string }, Viewer> = {
  columns: ["id"],
  admits({ id }, viewer) {
    if (organizationPermissions(viewer, { id, ownsTeam: false }).listTeams) return true;
    throw new DomainError("FORBIDDEN", "Guests may not see the teams of an organization.");
  },
};

interface InOrganization {
  readonly organizationId: string;
}

interface Managed extends InOrganization {
  readonly isOwnedByViewer: boolean;
}

const isOrganizationAdmin: Action<InOrganization>["isAllowed"] = ({ viewer }, { organizationId: id }) =>
  organizationPermissions(viewer, { id, ownsTeam: false }).admin;

const isTeamAdmin: Action<Managed>["isAllowed"] = ({ viewer }, team) => teamPermissions(viewer, team).admin;

/** Stands on the flag `admin` of the organization. */
export const mayCreateTeam: Action<InOrganization> = {
  name: "team.create",
  isAllowed: isOrganizationAdmin,
  refusal: "Only admins of the organization may create teams.",
};

/** Stands on the flag `admin` of the organization: owning the team is not enough. */
export const mayDeleteTeam: Action<InOrganization> = {
  name: "team.delete",
  isAllowed: isOrganizationAdmin,
  refusal: "Only admins of the organization may delete teams.",
};

/** Stands on the flag `admin` of the team. */
export const mayUpdateTeam: Action<Managed> = {
  name: "team.update",
  isAllowed: isTeamAdmin,
  refusal: "Only owners of the team and admins of the organization may rename it.",
};

const membersRefusal = "Only owners of the team and admins of the organization may change who is in it.";

/** Stands on the flag `admin` of the team. */
export const mayUpdateTeamMembers: Action<Managed> = {
  name: "teamMembers.update",
  isAllowed: isTeamAdmin,
  refusal: membersRefusal,
};

/** Stands on the flag `admin` of the team. */
export const maySetTeamMember: Action<Managed> = {
  name: "teamMember.set",
  isAllowed: isTeamAdmin,
  refusal: membersRefusal,
};

/** Stands on the flag `admin` of the team: nobody else may leave it either. */
export const mayRemoveTeamMember: Action<Managed> = {
  name: "teamMember.remove",
  isAllowed: isTeamAdmin,
  refusal: membersRefusal,
};
