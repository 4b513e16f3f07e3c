// What a viewer may do with a space (the flags of `permissions`; design: who may do what).
import { effectiveRole, isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

export interface SpacePermissions {
  view: boolean;
  access: boolean;
  admin: boolean;
  viewInviteLinks: boolean;
  edit: boolean;
  triggerGitSync: boolean;
  comment: boolean;
  merge: boolean;
  review: boolean;
}

/** The parts of a row from which a role on it is made. */
export interface SpaceRoleParts {
  organizationId: string;
  /** The nearest default level: its own, else that of a collection around it. */
  inheritedLevel: Role | null;
  /** The highest role granted to the viewer on it or on a collection around it. */
  grantedRole: Role | null;
}

/** The columns of these parts. */
export const spaceRoleColumns = ["organizationId", "inheritedLevel", "grantedRole"] as const satisfies (keyof SpaceRoleParts)[];

export function spaceRole(viewer: Viewer, of: SpaceRoleParts): Role | null {
  return effectiveRole({
    member: viewer.memberships.get(of.organizationId),
    level: of.inheritedLevel,
    granted: of.grantedRole,
  });
}

/** The flags of a space in hand: `view` is true, since only what may be viewed is ever read. */
export function spacePermissions(viewer: Viewer, space: SpaceRoleParts): SpacePermissions {
  const role = spaceRole(viewer, space);
  const admin = isAtLeast(role, "admin");
  const review = isAtLeast(role, "review");
  return {
    view: true,
    access: isAtLeast(role, "read"),
    admin,
    viewInviteLinks: admin,
    edit: isAtLeast(role, "edit"),
    triggerGitSync: admin,
    comment: isAtLeast(role, "comment"),
    merge: review,
    review,
  };
}
