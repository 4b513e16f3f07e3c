// What everybody tries with grants on a collection and on a space in it, and the flags that stand for it.
import type { Deed } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, and where they are tested for everybody. */
export const nodes = { Grant: "graph.test.ts: only who administers the collection or space sees its grants" };

export const deeds: readonly Deed[] = (["collection", "space"] as const).flatMap((thing): Deed[] => [
  ...(["user", "team"] as const).map((holder): Deed => ({
    mutation: "setGrant",
    how: `to a ${holder} on a ${thing}`,
    input: (stage) => ({
      target: { [`${thing}Id`]: stage[thing].id },
      holder: { [`${holder}Id`]: holder === "user" ? stage.commenter.id : stage.team.id },
      role: "READ",
    }),
    allowedBy: [`${thing}.admin`],
    seen: [thing],
    ...(holder === "team" && { into: "team" }),
  })),
  {
    mutation: "removeGrant",
    how: `on a ${thing}`,
    input: (stage) => ({
      target: { [`${thing}Id`]: stage[thing].id },
      holder: thing === "space" ? { userId: stage.editor.id } : { teamId: stage.team.id },
    }),
    allowedBy: [`${thing}.admin`],
    seen: [thing],
  },
]);
