// What everybody tries with users: their own profile.
import type { Deed } from "#test/support/access/fixture.ts";

export const deeds: readonly Deed[] = [
  { mutation: "updateViewer", input: () => ({ displayName: "Renamed" }), allowedBy: () => true, seen: [] },
];
