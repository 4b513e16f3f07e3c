// The viewer: the caller, the organizations that they are in, and what the scope of their token lets them change.
import { isAtLeast } from "#src/access/roles.ts";
import type { Instant } from "#src/base/time.ts";
import type { Role, TokenScope } from "#src/generated/prisma/enums.ts";
import { DomainError } from "#src/base/errors.ts";

/** The caller. Made from a valid token or session; every read and every command takes it. */
export interface Viewer {
  /** Set for {@link nobody}: messages for many are not made for each of them because it is asked. */
  readonly isNobody?: true;
  readonly userId: string;
  readonly tokenId: string;
  /** When the token or session ends; null for one that does not. */
  readonly expiresAt: Instant | null;
  /** The scope of the token; the roles below are limited to it. Sessions have the full scope. */
  readonly scope: TokenScope;
  /** The one organization that the token is limited to; null for all of its user's. */
  readonly onlyIn: string | null;
  /** Whether it is the token of an organization instead of a person. */
  readonly isService: boolean;
  /** Whether it came by a short-lived token of a session, which cannot create anything that lasts longer. */
  readonly isShort: boolean;
  /** Organizations in which the viewer is active, with the role there; null for a guest. */
  readonly memberships: ReadonlyMap<string, Role | null>;
  readonly organizations: readonly string[];
  /** Ids of the organizations in which the viewer is not a guest. */
  readonly memberOf: readonly string[];
  readonly adminOf: readonly string[];
  /** Ids of the collections and spaces granted to the viewer or a team of theirs, and the roles at the same indexes. */
  readonly grantedIds: readonly string[];
  readonly grantedRoles: readonly Role[];
  /** Secret of a share link that came with the request, if any. */
  readonly shareKey: string | null;
  /** False if the request leaves out deleted objects that the viewer may restore. */
  readonly findsDeleted?: boolean;
  /** Ids of the spaces that the visitor token of the request opens. */
  readonly openedIds: readonly string[];
  /** Set for the script of an installation of an integration. */
  readonly installation: ViewingInstallation | null;
}

/** An installation, which reads itself, its integration, and the sites that it is on if its scopes allow it. */
export interface ViewingInstallation {
  readonly id: string;
  readonly integrationId: string;
  readonly siteIds: readonly string[];
}

/** The highest role of a token with a scope, whatever the role of its user. */
const highestRole = { read: "read", write: "create", admin: "admin" } as const satisfies Record<TokenScope, Role>;

/** What a request adds to its viewer. */
const opening: Pick<Viewer, "isShort" | "shareKey" | "openedIds"> = { isShort: false, shareKey: null, openedIds: [] };

/** The viewer of a user. A scope lowers all roles, and so everything that depends on roles. */
export function makeViewer(of: {
  userId: string;
  tokenId: string;
  expiresAt?: Instant | null;
  scope?: TokenScope;
  onlyIn?: string | null;
  isService?: boolean;
  installation?: ViewingInstallation | null;
  memberships: readonly (readonly [organizationId: string, role: Role | null])[];
  grants: readonly (readonly [targetId: string, role: Role])[];
}): Viewer {
  const { userId, tokenId, expiresAt = null, scope = "admin", onlyIn = null, isService = false } = of;
  const highest = highestRole[scope];
  const lowered = <Given extends Role | null>(role: Given) =>
    isAtLeast(role, highest) ? (highest as Given & Role) : role; // both are roles of the same type
  const memberships = of.memberships.map(([id, role]) => [id, lowered(role)] as const);
  // Frozen, so that they are encoded once for all statements that they are parameters of.
  const ids = (wanted: (role: Role | null) => boolean) =>
    Object.freeze(memberships.filter(([, role]) => wanted(role)).map(([id]) => id));
  return {
    userId,
    tokenId,
    expiresAt,
    scope,
    onlyIn,
    isService,
    memberships: new Map(memberships),
    organizations: ids(() => true),
    memberOf: ids((role) => role !== null),
    adminOf: ids((role) => role === "admin"),
    grantedIds: Object.freeze(of.grants.map(([id]) => id)),
    grantedRoles: Object.freeze(of.grants.map(([, role]) => lowered(role))),
    installation: of.installation ?? null,
    ...opening,
  };
}

/** A caller without a token: sees what is open to anyone. Only pages for browsers accept it. */
export const nobody: Viewer = {
  ...makeViewer({ userId: "", tokenId: "", memberships: [], grants: [] }),
  isNobody: true,
};

export const isMember = (viewer: Viewer, organizationId: string): boolean =>
  (viewer.memberships.get(organizationId) ?? null) !== null;

/** The kind of object that a mutation changes. All but content and settings needs a session or the scope `admin`. */
export type Reach = "content" | "account" | "access";

/** Throws FORBIDDEN if the token's scope or organization excludes a mutation. Roles, lowered by scope, do the rest */
export function requireScope(viewer: Pick<Viewer, "scope" | "onlyIn" | "isShort">, reach: Reach): void {
  const { scope, onlyIn, isShort } = viewer;
  if (scope === "read")
    throw new DomainError(
      "FORBIDDEN",
      "This API token is read-only: its scope is `read`. Use a token with a wider scope.",
    );
  if (reach === "account" && onlyIn !== null)
    throw new DomainError(
      "FORBIDDEN",
      "This token or session is limited to one organization and cannot change the account. Use another one.",
    );
  if (reach === "account" && scope !== "admin")
    throw new DomainError("FORBIDDEN", "Only a session or a token with the scope `admin` may change the account.");
  if (reach === "access" && (scope !== "admin" || isShort))
    throw new DomainError(
      "FORBIDDEN",
      "Only a session or a token with the scope `admin` may change tokens and sessions.",
    );
}
