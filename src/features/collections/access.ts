// What a viewer may do with a collection (the flags of `permissions`; design: who may do what).
import { itemRole, type ItemRoleParts } from "#src/access/content.ts";
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { type Action, actionsOn } from "#src/domain/change.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

export function collectionPermissions(viewer: Viewer, collection: ItemRoleParts) {
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

/** The viewer's role at a place: on the collection, or in the organization. */
export function roleAt(viewer: Viewer, { organizationId, parent }: Destination): Role | null {
  return parent ? itemRole(viewer, parent) : (viewer.memberships.get(organizationId) ?? null);
}

/** Whether the viewer may create there: the flag `create` of the collection, or `createContent` of the organization. */
export function canCreateAt(viewer: Viewer, { organizationId, parent }: Destination): boolean {
  return parent
    ? collectionPermissions(viewer, parent).create
    : organizationPermissions(viewer, organizationId).createContent;
}

export const mayCreateCollection: Action<Destination> = {
  name: "collection.create",
  isAllowed: ({ viewer }, destination) => canCreateAt(viewer, destination),
  refusal: "You need the role create in a place to create a collection there.",
};

const onCollection = actionsOn(collectionPermissions);
const refusal = (what: string) => `Only its admins may ${what} a collection.`;

export const mayUpdateCollection = onCollection("admin", "collection.update", refusal("change"));
export const mayDeleteCollection = onCollection("admin", "collection.delete", refusal("delete"));

/** A collection or space that is to go elsewhere; `to` is null where it stays in its parent, or in its organization. */
type Moved = { readonly item: ItemRoleParts; readonly to: Destination | null };

export const onMove = (name: Action<Moved>["name"], refusal: string): Action<Moved> => ({
  name,
  isAllowed: ({ viewer }, { item, to }) =>
    isAtLeast(itemRole(viewer, item), "admin") && (to === null || canCreateAt(viewer, to)),
  refusal,
});

export const mayMoveCollection = onMove(
  "collection.move",
  "Only its admins may move a collection, and only to where they have the role create.",
);

/** Admins by a grant alone may not take something out of its organization: that needs `create` there as a member. */
export const onTransfer = (name: Action<Moved>["name"], refusal: string): Action<Moved> => {
  const move = onMove(name, refusal);
  return {
    ...move,
    isAllowed: (context, { item, to }) =>
      isAtLeast(context.viewer.memberships.get(item.organizationId) ?? null, "create") &&
      move.isAllowed(context, { item, to }),
  };
};

export const mayTransferCollection = onTransfer(
  "collection.transfer",
  "Only its admins who have the role create in its organization may transfer a collection, and only to organizations where they have that role.",
);
