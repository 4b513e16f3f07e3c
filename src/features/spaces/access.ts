// The rights of a viewer on a space, which are the flags of `permissions`.
import { itemRole, type ItemRoleParts } from "#src/access/content.ts";
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { ListPolicy } from "#src/db/reading/page-list.ts";
import { type Action, actionsOn } from "#src/domain/change.ts";
import { canCreateAt, type Destination, onMove, onTransfer, roleAt } from "#src/features/collections/access.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** The flags of a space that was read: `view` is true, since only visible spaces are ever read. */
export function spacePermissions(viewer: Viewer, space: ItemRoleParts) {
  const role = itemRole(viewer, space);
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

/** The flags of a deleted space: users who see it may restore it, and nothing else. */
export function deletedSpacePermissions(viewer: Viewer, space: ItemRoleParts): ReturnType<typeof spacePermissions> {
  const { view, admin, ...others } = spacePermissions(viewer, space);
  const none = Object.fromEntries(Object.keys(others).map((flag) => [flag, false])) as Record<
    keyof typeof others,
    false
  >;
  return { ...none, view, admin };
}

/** The guard of lists that need a role on the space, such as comments: empty for everybody else. */
export const withRoleOnSpace: ListPolicy<{ isAccessible: boolean }, Viewer> = {
  columns: ["isAccessible"],
  admits: ({ isAccessible }) => isAccessible,
};

export const onSpace = actionsOn(spacePermissions);

/** A new space at a parent. `level` is its given default level, which must not exceed the creator's role. */
export const mayCreateSpace: Action<{ to: Destination; level: Role | null }> = {
  name: "space.create",
  isAllowed: ({ viewer }, { to, level }) =>
    canCreateAt(viewer, to) && (level === null || isAtLeast(roleAt(viewer, to), level)),
  refusal:
    "You need the role create on the organization or collection to create a space there, and its default level must not exceed your own role.",
};

export const mayUpdateSpace = onSpace("admin", "space.update", "Only admins of the space may change it.");
export const mayRotateShareKey = onSpace(
  "admin",
  "space.rotateShareKey",
  "Only admins of the space may change the secret key of its link.",
);
export const mayDeleteSpace = onSpace("admin", "space.delete", "Only admins of the space may delete it.");
export const mayRestoreSpace = onSpace("admin", "space.restore", "Only admins of the space may restore it.");

/** The copy has the same parent as the space: users with `create` there may copy spaces they can access. */
export const mayDuplicateSpace: Action<{ space: ItemRoleParts; to: Destination }> = {
  name: "space.duplicate",
  isAllowed: ({ viewer }, { space, to }) => spacePermissions(viewer, space).access && canCreateAt(viewer, to),
  refusal: "You need the role create on the organization or collection of the space to duplicate it.",
};

export const mayMoveSpace = onMove(
  "space.move",
  "Only admins of the space may move it, and only to an organization or collection on which they have the role create.",
);

export const mayTransferSpace = onTransfer(
  "space.transfer",
  "Only admins of the space with the role create in its organization may transfer it, and only to organizations where they have that role.",
);
