// What is done alike to a collection in a collection, and to a space in it.
import type { Deed, Stage } from "#test/support/access/fixture.ts";

export function deedsInTree(Kind: "Collection" | "Space"): readonly Deed[] {
  const thing = Kind === "Collection" ? "inner" : "space";
  const subject = (stage: Stage) => ({ [`${Kind.toLowerCase()}Id`]: stage[thing].id });
  const move = (how: string, to: (stage: Stage) => object, allowedBy: Deed["allowedBy"], into?: string): Deed => ({
    mutation: `move${Kind}`,
    how,
    input: (stage) => ({ ...subject(stage), ...to(stage) }),
    allowedBy,
    seen: [thing],
    ...(into && { into }),
  });
  return [
    {
      mutation: `create${Kind}`,
      how: "at the top",
      input: ({ organization }) => ({ organizationId: organization.id }),
      allowedBy: ["organization.createContent"],
      seen: ["organization"],
    },
    ...(["collection", "shut"] as const).map((parent): Deed => ({
      mutation: `create${Kind}`,
      how: `in ${parent}`,
      input: (stage) => ({ organizationId: stage.organization.id, parentId: stage[parent].id }),
      allowedBy: [`${parent}.create`],
      seen: ["organization", parent],
    })),
    {
      mutation: `update${Kind}`,
      input: (stage) => ({ ...subject(stage), title: "Renamed" }),
      allowedBy: [`${thing}.admin`],
      seen: [thing],
    },
    { mutation: `update${Kind}`, how: "nothing of it", input: subject, allowedBy: [`${thing}.admin`], seen: [thing] },
    { mutation: `delete${Kind}`, input: subject, allowedBy: [`${thing}.admin`], seen: [thing], deletes: thing },
    move("in its place", () => ({}), [`${thing}.admin`]),
    move("to the top", () => ({ parentId: null }), [`${thing}.admin`, "organization.createContent"]),
    move("to other", ({ other }) => ({ parentId: other.id }), [`${thing}.admin`, "other.create"], "other"),
    move("to shut", ({ shut }) => ({ parentId: shut.id }), [`${thing}.admin`, "shut.create"], "shut"),
    {
      mutation: `transfer${Kind}`,
      how: "to where it is",
      input: (stage) => ({ ...subject(stage), organizationId: stage.organization.id }),
      allowedBy: [`${thing}.admin`, "organization.createContent"],
      seen: [thing],
    },
    ...(["open", "closed"] as const).map((target): Deed => ({
      mutation: `transfer${Kind}`,
      how: `to ${target}`,
      input: (stage) => ({ ...subject(stage), organizationId: stage[target].id }),
      allowedBy: [`${thing}.admin`, "organization.createContent", `${target}.createContent`],
      seen: [thing],
      into: target,
    })),
  ];
}
