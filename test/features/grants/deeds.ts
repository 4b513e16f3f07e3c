// Permission cases of grants on a collection and on a space in it, with their flags.
import type { Deed } from "#test/support/access/stage.ts";

/** Nodes that the access table leaves out, with the test that covers them for every role. */
export const nodes = { Grant: "graph.test.ts: visible to admins of the collection or space" };

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
