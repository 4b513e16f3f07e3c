// Who may see and change the grants on a collection or space: its admins.
import { isAtLeast } from "#src/access/roles.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Action } from "#src/domain/change.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** Throws FORBIDDEN for a role that may not see who has been granted what: for all but admins of the collection or space. */
export function requireListGrants(role: Role | null): void {
  if (isAtLeast(role, "admin")) return;
  throw new DomainError("FORBIDDEN", "Only admins of a collection or space may see its grants.");
}

/** `own` is the viewer's role on the collection or space. Nobody gives a role above it. */
export const setGrant: Action<{ own: Role | null; role: Role }> = {
  name: "grant.set",
  isAllowed: (_context, { own, role }) => isAtLeast(own, "admin") && isAtLeast(own, role),
  refusal: "Only admins of a collection or space may grant roles on it.",
};

export const removeGrant: Action<{ own: Role | null }> = {
  name: "grant.remove",
  isAllowed: (_context, { own }) => isAtLeast(own, "admin"),
  refusal: "Only admins of a collection or space may take back roles on it.",
};
