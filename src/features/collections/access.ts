// What a viewer may do with a collection (the flags of `permissions`; design: who may do what).
import { itemRole, type ItemRoleParts } from "#src/access/content.ts";
import { isAtLeast } from "#src/access/roles.ts";
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

export function collectionPermissions(viewer: Viewer, collection: ItemRoleParts): CollectionPermissions {
  const role = itemRole(viewer, collection);
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
  readonly parent: ItemRoleParts | null;
}

/** The viewer's role in a place: on the collection, or in the organization. */
export function roleAt(viewer: Viewer, { organizationId, parent }: Destination): Role | null {
  return parent ? itemRole(viewer, parent) : (viewer.memberships.get(organizationId) ?? null);
}

/** Whether the viewer may create there: the flag `create` of the collection, or `createContent` of the organization. */
export function canCreateAt(viewer: Viewer, { organizationId, parent }: Destination): boolean {
  return parent
    ? collectionPermissions(viewer, parent).create
    : organizationPermissions(viewer, { id: organizationId, ownsTeam: false }).createContent;
}

export const mayCreateCollection: Action<Destination> = {
  name: "collection.create",
  isAllowed: ({ viewer }, destination) => canCreateAt(viewer, destination),
  refusal: "You need the role create in a place to create a collection there.",
};

export const mayUpdateCollection: Action<ItemRoleParts> = {
  name: "collection.update",
  isAllowed: ({ viewer }, collection) => collectionPermissions(viewer, collection).admin,
  refusal: "Only its admins may change a collection.",
};

export const mayDeleteCollection: Action<ItemRoleParts> = {
  name: "collection.delete",
  isAllowed: ({ viewer }, collection) => collectionPermissions(viewer, collection).admin,
  refusal: "Only its admins may delete a collection.",
};

/** `to` is null where the collection stays with its parent and only changes its place there. */
export const mayMoveCollection: Action<{ collection: ItemRoleParts; to: Destination | null }> = {
  name: "collection.move",
  isAllowed: ({ viewer }, { collection, to }) =>
    collectionPermissions(viewer, collection).admin && (to === null || canCreateAt(viewer, to)),
  refusal: "Only its admins may move a collection, and only to where they have the role create.",
};

/** `to` is null where the collection is in the target already. */
export const mayTransferCollection: Action<{ collection: ItemRoleParts; to: Destination | null }> = {
  name: "collection.transfer",
  isAllowed: ({ viewer }, { collection, to }) =>
    collectionPermissions(viewer, collection).admin && (to === null || canCreateAt(viewer, to)),
  refusal: "Only its admins may transfer a collection, and only to organizations where they have the role create.",
};
