// What a viewer may do with a space (the flags of `permissions`; design: who may do what).
import { itemRole, type ItemRoleParts } from "#src/access/content.ts";
import { isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { ListPolicy } from "#src/db/reading/page-list.ts";
import { type Action, actionsOn } from "#src/domain/change.ts";
import { canCreateAt, type Destination, onMove, onTransfer, roleAt } from "#src/features/collections/access.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** The flags of a space that was read: `view` is true, since only what may be viewed is ever read. */
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

/** The flags of a deleted space: those who find it may restore it, and nothing else. */
export function deletedSpacePermissions(viewer: Viewer, space: ItemRoleParts): ReturnType<typeof spacePermissions> {
  const { view, admin, ...others } = spacePermissions(viewer, space);
  const none = Object.fromEntries(Object.keys(others).map((flag) => [flag, false])) as Record<
    keyof typeof others,
    false
  >;
  return { ...none, view, admin };
}

/** What only those with a role on the space see of it, such as its comments: for everybody else the list is empty. */
export const withRoleOnSpace: ListPolicy<{ isAccessible: boolean }, Viewer> = {
  columns: ["isAccessible"],
  admits: ({ isAccessible }) => isAccessible,
};

export const onSpace = actionsOn(spacePermissions);

/** A new space in a place. `level` is the default level that it is given: nobody gives a role above their own. */
export const mayCreateSpace: Action<{ to: Destination; level: Role | null }> = {
  name: "space.create",
  isAllowed: ({ viewer }, { to, level }) =>
    canCreateAt(viewer, to) && (level === null || isAtLeast(roleAt(viewer, to), level)),
  refusal:
    "You need the role create in a place to create a space there, and its default level is at most your own role.",
};

export const mayUpdateSpace = onSpace("admin", "space.update", "Only its admins may change a space.");
export const mayRotateShareKey = onSpace(
  "admin",
  "space.rotateShareKey",
  "Only its admins may change the secret key of the link of a space.",
);
export const mayDeleteSpace = onSpace("admin", "space.delete", "Only its admins may delete a space.");
export const mayRestoreSpace = onSpace("admin", "space.restore", "Only its admins may restore a space.");

/** The copy comes beside the space: those who may create there may copy what they have access to. */
export const mayDuplicateSpace: Action<{ space: ItemRoleParts; to: Destination }> = {
  name: "space.duplicate",
  isAllowed: ({ viewer }, { space, to }) => spacePermissions(viewer, space).access && canCreateAt(viewer, to),
  refusal: "You need the role create in the place of a space to duplicate it.",
};

export const mayMoveSpace = onMove(
  "space.move",
  "Only its admins may move a space, and only to where they have the role create.",
);

export const mayTransferSpace = onTransfer(
  "space.transfer",
  "Only its admins who have the role create in its organization may transfer a space, and only to organizations where they have that role.",
);
