// What a viewer may do with a space (the flags of `permissions`; design: who may do what).
import { effectiveRole, isAtLeast } from "#src/access/roles.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Action } from "#src/domain/change.ts";
import { canCreateAt, type Destination, roleAt } from "#src/features/collections/access.ts";
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
export const spaceRoleColumns = [
  "organizationId",
  "inheritedLevel",
  "grantedRole",
] as const satisfies (keyof SpaceRoleParts)[];

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

/** A new space in a place. `level` is the default level that it is given: nobody gives a role above their own. */
export const createSpace: Action<{ to: Destination; level: Role | null }> = {
  name: "space.create",
  isAllowed: ({ viewer }, { to, level }) =>
    canCreateAt(viewer, to) && (level === null || isAtLeast(roleAt(viewer, to), level)),
  refusal:
    "You need the role create in a place to create a space there, and its default level is at most your own role.",
};

export const updateSpace: Action<SpaceRoleParts> = {
  name: "space.update",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).admin,
  refusal: "Only its admins may change a space.",
};

export const deleteSpace: Action<SpaceRoleParts> = {
  name: "space.delete",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).admin,
  refusal: "Only its admins may delete a space.",
};

export const restoreSpace: Action<SpaceRoleParts> = {
  name: "space.restore",
  isAllowed: ({ viewer }, space) => spacePermissions(viewer, space).admin,
  refusal: "Only its admins may restore a space.",
};

/** The copy stands beside the space: whoever may create there may copy what they have access to. */
export const duplicateSpace: Action<{ space: SpaceRoleParts; to: Destination }> = {
  name: "space.duplicate",
  isAllowed: ({ viewer }, { space, to }) => spacePermissions(viewer, space).access && canCreateAt(viewer, to),
  refusal: "You need the role create in the place of a space to duplicate it.",
};

/** `to` is null where the space stays with its parent and only changes its place there. */
export const moveSpace: Action<{ space: SpaceRoleParts; to: Destination | null }> = {
  name: "space.move",
  isAllowed: ({ viewer }, { space, to }) =>
    spacePermissions(viewer, space).admin && (to === null || canCreateAt(viewer, to)),
  refusal: "Only its admins may move a space, and only to where they have the role create.",
};

/** `to` is null where the space is in the target already. */
export const transferSpace: Action<{ space: SpaceRoleParts; to: Destination | null }> = {
  name: "space.transfer",
  isAllowed: ({ viewer }, { space, to }) =>
    spacePermissions(viewer, space).admin && (to === null || canCreateAt(viewer, to)),
  refusal: "Only its admins may transfer a space, and only to organizations where they have the role create.",
};
