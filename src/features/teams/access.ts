// What a viewer may do with teams (the flags of `permissions`; design: who may do what).
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
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

/** Throws FORBIDDEN for those who may not list the teams of the organization: just when its flag `listTeams` is false. */
export function requireListTeams(viewer: Viewer, { id }: { id: string }): void {
  if (organizationPermissions(viewer, { id, ownsTeam: false }).listTeams) return;
  throw new DomainError("FORBIDDEN", "Guests may not see the teams of an organization.");
}
