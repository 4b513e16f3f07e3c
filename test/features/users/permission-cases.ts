// Permission cases of users: their own profile.
import type { PermissionCase } from "#test/support/access/fixture.ts";

export const permissionCases: readonly PermissionCase[] = [
  { mutation: "updateViewer", input: () => ({ displayName: "Renamed" }), allowedBy: () => true, seen: [] },
];
