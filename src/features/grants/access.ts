// Permissions on grants: only admins of a collection or space may see and change its grants.
import { itemRole, itemRoleColumns, type ItemRoleParts } from "#src/access/content.ts";
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { ListPolicy } from "#src/db/reading/page-list.ts";
import type { Action } from "#src/domain/change.ts";
import { organizationGuard } from "#src/features/organizations/access.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

export const mayListGrants: ListPolicy<ItemRoleParts, Viewer> = {
  columns: itemRoleColumns,
  admits: (item, viewer) => isAtLeast(itemRole(viewer, item), "admin"),
  refusal: "Only admins of a collection or space may see its grants.",
};

export const mayListAllGrants = organizationGuard("admin", "Only admins of an organization may see all grants in it.");

/** The flags of a grant; `own` is the viewer's role on the collection or space, `role` the granted one. */
export function grantPermissions({ own, role }: { own: Role | null; role: Role }) {
  const admin = isAtLeast(own, "admin");
  return { view: admin, update: admin && isAtLeast(own, role), remove: admin };
}

/** `item` is the collection or space. A granted role may not exceed the viewer's own. */
export const maySetGrant: Action<{ item: ItemRoleParts; role: Role }> = {
  name: "grant.set",
  isAllowed: ({ viewer }, { item, role }) => grantPermissions({ own: itemRole(viewer, item), role }).update,
  refusal: "Only admins of a collection or space may grant roles on it.",
};

export const mayRemoveGrant: Action<ItemRoleParts> = {
  name: "grant.remove",
  isAllowed: ({ viewer }, item) => isAtLeast(itemRole(viewer, item), "admin"),
  refusal: "Only admins of a collection or space may revoke roles on it.",
};
