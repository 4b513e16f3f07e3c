// What a viewer may do with a collection (the flags of `permissions`; design: who may do what).
import { effectiveRole, isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Action } from "#src/domain/change.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";
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
export const collectionRoleColumns = [
  "organizationId",
  "inheritedLevel",
  "grantedRole",
] as const satisfies (keyof CollectionRoleParts)[];

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

/** Where something is created or moved to: a collection, or the top of an organization (`parent` null). */
export interface Destination {
  readonly organizationId: string;
  readonly parent: CollectionRoleParts | null;
}

/** The viewer's role in a place: on the collection, or in the organization. */
export function roleAt(viewer: Viewer, { organizationId, parent }: Destination): Role | null {
  return parent ? collectionRole(viewer, parent) : (viewer.memberships.get(organizationId) ?? null);
}

/** Whether the viewer may create there: the flag `create` of the collection, or `createContent` of the organization. */
export function canCreateAt(viewer: Viewer, { organizationId, parent }: Destination): boolean {
  return parent
    ? collectionPermissions(viewer, parent).create
    : organizationPermissions(viewer, { id: organizationId, ownsTeam: false }).createContent;
}

export const createCollection: Action<Destination> = {
  name: "collection.create",
  isAllowed: ({ viewer }, destination) => canCreateAt(viewer, destination),
  refusal: "You need the role create in a place to create a collection there.",
};

export const updateCollection: Action<CollectionRoleParts> = {
  name: "collection.update",
  isAllowed: ({ viewer }, collection) => collectionPermissions(viewer, collection).admin,
  refusal: "Only its admins may change a collection.",
};

export const deleteCollection: Action<CollectionRoleParts> = {
  name: "collection.delete",
  isAllowed: ({ viewer }, collection) => collectionPermissions(viewer, collection).admin,
  refusal: "Only its admins may delete a collection.",
};

/** `to` is null where the collection stays with its parent and only changes its place there. */
export const moveCollection: Action<{ collection: CollectionRoleParts; to: Destination | null }> = {
  name: "collection.move",
  isAllowed: ({ viewer }, { collection, to }) =>
    collectionPermissions(viewer, collection).admin && (to === null || canCreateAt(viewer, to)),
  refusal: "Only its admins may move a collection, and only to where they have the role create.",
};

/** `to` is null where the collection is in the target already. */
export const transferCollection: Action<{ collection: CollectionRoleParts; to: Destination | null }> = {
  name: "collection.transfer",
  isAllowed: ({ viewer }, { collection, to }) =>
    collectionPermissions(viewer, collection).admin && (to === null || canCreateAt(viewer, to)),
  refusal: "Only its admins may transfer a collection, and only to organizations where they have the role create.",
};
