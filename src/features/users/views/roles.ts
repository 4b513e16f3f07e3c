// Roles in an organization as people read and choose them.
import { optionsOf } from "#src/features/users/views/app-lists.ts";
import type { Html } from "#src/http/html.ts";

/** A role as the schema names it; null for guests. */
export type RoleName = "ADMIN" | "CREATE" | "REVIEW" | "EDIT" | "COMMENT" | "READ" | null;

const names: Readonly<Record<string, string>> = {
  ADMIN: "Admin",
  CREATE: "Create",
  REVIEW: "Review",
  EDIT: "Edit",
  COMMENT: "Comment",
  READ: "Read",
};

const guest = "GUEST";
const rolesAndGuest = [...Object.entries(names), [guest, "Guest"] as const];

/** The roles on content, which guests have, too: values and names. */
export const contentRoles: readonly (readonly [role: string, name: string])[] = Object.entries(names);

/** The name of a role for people. */
export const nameOfRole = (role: RoleName): string => (role === null ? "Guest" : (names[role] ?? role));

/** The options of a field that chooses a role in an organization; null and `GUEST` choose the guest. */
export const roleOptions = (chosen: string | null): Html => optionsOf(rolesAndGuest, chosen ?? guest);

/** The options of a field that chooses a role on content. */
export const contentRoleOptions = (chosen: string): Html => optionsOf(contentRoles, chosen);

/** The options of a filter by role. */
export const roleFilterOptions = (chosen: string | null): Html =>
  optionsOf([["", "All"], ...rolesAndGuest], chosen ?? "");

/** The role that such a field contains, null for guests. The schema refuses an unknown one. */
export const roleIn = (fields: URLSearchParams): string | null => {
  const role = fields.get("role");
  return role === guest ? null : role;
};

/** The role of a filter; null for all, and for values that are not roles. */
export const roleFilterIn = (search: URLSearchParams): string | null => {
  const role = search.get("role") ?? "";
  return role === guest || Object.hasOwn(names, role) ? role : null;
};
