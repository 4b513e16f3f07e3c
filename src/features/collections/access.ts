// What a viewer may do with a collection (the flags of `permissions`; design: who may do what).
import { effectiveRole, isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

export interface CollectionPermissions {
  view: boolean;
  admin: boolean;
  viewInviteLinks: boolean;
  create: boolean;
}

/** The parts of a row from which a role on it is made. */
export interface CollectionRoleParts {
  organizationId: string;
  /** The nearest default level: its own, else that of a collection around it. */
  inheritedLevel: Role | null;
  /** The highest role granted to the viewer on it or on a collection around it. */
  grantedRole: Role | null;
}

/** The columns of these parts. */
export const collectionRoleColumns = ["organizationId", "inheritedLevel", "grantedRole"] as const satisfies (keyof CollectionRoleParts)[];

export function collectionRole(viewer: Viewer, of: CollectionRoleParts): Role | null {
  return effectiveRole({
    member: viewer.memberships.get(of.organizationId),
    level: of.inheritedLevel,
    granted: of.grantedRole,
  });
}

export function collectionPermissions(viewer: Viewer, collection: CollectionRoleParts): CollectionPermissions {
  const role = collectionRole(viewer, collection);
  return {
    view: isAtLeast(role, "read"),
    admin: isAtLeast(role, "admin"),
    viewInviteLinks: isAtLeast(role, "admin"),
    create: isAtLeast(role, "create"),
  };
}
