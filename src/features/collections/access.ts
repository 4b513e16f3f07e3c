// Permissions of a viewer on a collection: the flags of `permissions`.
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

/** The target of a creation or move: a collection, or the top level of an organization (`parent` null). */
export interface Destination {
  readonly organizationId: string;
  readonly parent: ItemRoleParts | null;
}

/** The viewer's role at a destination: on the collection, or in the organization. */
export function roleAt(viewer: Viewer, { organizationId, parent }: Destination): Role | null {
  return parent ? itemRole(viewer, parent) : (viewer.memberships.get(organizationId) ?? null);
}

/** Whether the viewer may create content: flag `create` of the collection or `createContent` of the organization. */
export function canCreateAt(viewer: Viewer, { organizationId, parent }: Destination): boolean {
  return parent
    ? collectionPermissions(viewer, parent).create
    : organizationPermissions(viewer, organizationId).createContent;
}

export const mayCreateCollection: Action<Destination> = {
  name: "collection.create",
  isAllowed: ({ viewer }, destination) => canCreateAt(viewer, destination),
  refusal: "You need the role create on the parent collection or in the organization to create a collection there.",
};

const onCollection = actionsOn(collectionPermissions);
const refusal = (what: string) => `Only admins of a collection may ${what} it.`;

export const mayUpdateCollection = onCollection("admin", "collection.update", refusal("change"));
export const mayDeleteCollection = onCollection("admin", "collection.delete", refusal("delete"));

/** A collection or space to be moved; `to` is null if it stays in its parent or organization. */
type Moved = { readonly item: ItemRoleParts; readonly to: Destination | null };

export const onMove = (name: Action<Moved>["name"], refusal: string): Action<Moved> => ({
  name,
  isAllowed: ({ viewer }, { item, to }) =>
    isAtLeast(itemRole(viewer, item), "admin") && (to === null || canCreateAt(viewer, to)),
  refusal,
});

export const mayMoveCollection = onMove(
  "collection.move",
  "Only admins of a collection may move it, and only to a parent on which they have the role create.",
);

/** A grant of admin is not enough to take content out of its organization: that requires `create` there as a member. */
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
  "Only admins of a collection with the role create in its organization may transfer it, and only to organizations in which they have the role create.",
);
