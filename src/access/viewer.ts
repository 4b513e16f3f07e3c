// The viewer: who is asking, and the organizations that they are in.
import type { Instant } from "#src/base/time.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** Who is asking. Made from a valid token; every read and every command takes it. */
export interface Viewer {
  readonly userId: string;
  readonly tokenId: string;
  /** When the token ends; null for one that does not. */
  readonly expiresAt: Instant | null;
  /** Organizations in which the viewer is active, with the role there; null for a guest. */
  readonly memberships: ReadonlyMap<string, Role | null>;
  /** Ids of all of these organizations. */
  readonly organizations: readonly string[];
  /** Ids of those in which the viewer is not a guest. */
  readonly memberOf: readonly string[];
  /** Ids of those in which the viewer is admin. */
  readonly adminOf: readonly string[];
  /** Ids of the collections and spaces granted to the viewer or a team of theirs, and the roles at the same indexes. */
  readonly grantedIds: readonly string[];
  readonly grantedRoles: readonly Role[];
  /** Secret of a share link that came with the request, if any. */
  readonly shareKey: string | null;
}

/** The viewer of a user with these active memberships and grants. */
export function makeViewer(of: {
  userId: string;
  tokenId: string;
  expiresAt?: Instant | null;
  memberships: readonly (readonly [organizationId: string, role: Role | null])[];
  grants: readonly (readonly [targetId: string, role: Role])[];
}): Viewer {
  // Frozen, so that they are encoded once for all the statements that they go with.
  const ids = (wanted: (role: Role | null) => boolean) =>
    Object.freeze(of.memberships.filter(([, role]) => wanted(role)).map(([id]) => id));
  return {
    userId: of.userId,
    tokenId: of.tokenId,
    expiresAt: of.expiresAt ?? null,
    memberships: new Map(of.memberships),
    organizations: ids(() => true),
    memberOf: ids((role) => role !== null),
    adminOf: ids((role) => role === "admin"),
    grantedIds: Object.freeze(of.grants.map(([id]) => id)),
    grantedRoles: Object.freeze(of.grants.map(([, role]) => role)),
    shareKey: null,
  };
}

/** Somebody without a token: they see what is open to anyone. Only pages for browsers take them. */
export const nobody: Viewer = makeViewer({ userId: "", tokenId: "", memberships: [], grants: [] });

/** Whether the viewer is an active member of the organization, and not a guest. */
export function isMember(viewer: Viewer, organizationId: string): boolean {
  return (viewer.memberships.get(organizationId) ?? null) !== null;
}
