// What a viewer may do with a collection (the flags of `permissions`; design: who may do what).
import { effectiveRole, isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { CollectionRow } from "#src/features/collections/reads.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

export interface CollectionPermissions {
  view: boolean;
  admin: boolean;
  viewInviteLinks: boolean;
  create: boolean;
}

/** The columns from which a role on a collection is made. */
export const collectionRoleColumns = [
  "organizationId",
  "inheritedLevel",
  "grantedRole",
] as const satisfies (keyof CollectionRow)[];

type RoleParts = Pick<CollectionRow, (typeof collectionRoleColumns)[number]>;

export function collectionRole(viewer: Viewer, of: RoleParts): Role | null {
  return effectiveRole({
    member: viewer.memberships.get(of.organizationId),
    level: of.inheritedLevel,
    granted: of.grantedRole,
  });
}

export function collectionPermissions(viewer: Viewer, collection: RoleParts): CollectionPermissions {
  const role = collectionRole(viewer, collection);
  return {
    view: isAtLeast(role, "read"),
    admin: isAtLeast(role, "admin"),
    viewInviteLinks: isAtLeast(role, "admin"),
    create: isAtLeast(role, "create"),
  };
}
