// What everybody tries with grants on a collection and on a space in it, and the flags that stand for it.
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, and where they are tested for everybody. */
export const nodes = { Grant: "graph.test.ts: only who administers the collection or space sees its grants" };

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
