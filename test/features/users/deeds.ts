// Permission cases of users: their own profile.
import type { Deed } from "#test/support/access/stage.ts";

export const deeds: readonly Deed[] = [
  { mutation: "updateViewer", input: () => ({ displayName: "Renamed" }), allowedBy: () => true, seen: [] },
];
