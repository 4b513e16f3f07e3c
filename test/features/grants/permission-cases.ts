// Permission cases of grants on a collection and on a space in it, with their flags.
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, with the test that covers them for every role. */
export const nodes = { Grant: "graph.test.ts: visible to admins of the collection or space" };

export const permissionCases: readonly PermissionCase[] = (["collection", "space"] as const).flatMap(
  (thing): PermissionCase[] => [
    ...(["user", "team"] as const).map((holder): PermissionCase => ({
      mutation: "setGrant",
      how: `to a ${holder} on a ${thing}`,
      input: (fixture) => ({
        target: { [`${thing}Id`]: fixture[thing].id },
        holder: { [`${holder}Id`]: holder === "user" ? fixture.commenter.id : fixture.team.id },
        role: "READ",
      }),
      allowedBy: [`${thing}.admin`],
      seen: [thing],
      ...(holder === "team" && { into: "team" }),
    })),
    {
      mutation: "setGrants",
      how: `on a ${thing}`,
      input: (fixture) => ({
        target: { [`${thing}Id`]: fixture[thing].id },
        userIds: [fixture.commenter.id],
        role: "READ",
      }),
      allowedBy: [`${thing}.admin`],
      seen: [thing],
    },
    {
      mutation: "removeGrant",
      how: `on a ${thing}`,
      input: (fixture) => ({
        target: { [`${thing}Id`]: fixture[thing].id },
        holder: thing === "space" ? { userId: fixture.editor.id } : { teamId: fixture.team.id },
      }),
      allowedBy: [`${thing}.admin`],
      seen: [thing],
    },
  ],
);
