// Who may list the members of an organization (design: who may do what).
import type { Viewer } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";

/** Throws FORBIDDEN for those who may not list the members of the organization: just when its flag `listMembers` is false. */
export function requireListMembers(viewer: Viewer, { id }: { id: string }): void {
  if (organizationPermissions(viewer, { id, ownsTeam: false }).listMembers) return;
  throw new DomainError("FORBIDDEN", "Guests may not see the members of an organization.");
}
