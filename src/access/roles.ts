// Roles and what each allows: pure rules over a viewer's role, no database.
import type { Role } from "#src/generated/prisma/enums.ts";

/** Content roles from low to high (spec 1, section 2.1). */
export const roles = ["read", "comment", "edit", "review", "create", "admin"] as const satisfies readonly Role[];

const rank = new Map<Role, number>(roles.map((role, index) => [role, index]));

/** Whether `role` is `needed` or above it. Null allows nothing. */
export const isAtLeast = (role: Role | null, needed: Role): boolean =>
  role !== null && (rank.get(role) ?? -1) >= (rank.get(needed) ?? Infinity);

/** The higher of two roles; null means without a role. */
export function higherRole(one: Role | null, other: Role | null): Role | null {
  if (one === null || other === null) return one ?? other;
  return isAtLeast(one, other) ? one : other;
}

/**
 * The role on a collection or space. Organization admins are admins. For other members it is the nearest default level,
 * else their own role unless the item is closed; guests (null) and outsiders (undefined) have neither. Grants only
 * raise it, for people in the organization.
 */
export function effectiveRole(of: {
  member: Role | null | undefined;
  level: Role | null;
  granted: Role | null;
  isClosed: boolean;
}): Role | null {
  if (of.member === undefined) return null;
  if (of.member === "admin") return "admin";
  const base = of.member === null ? null : (of.level ?? (of.isClosed ? null : of.member));
  return higherRole(base, of.granted);
}
