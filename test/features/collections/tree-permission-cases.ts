// Permission cases that are the same for a collection and a space in a collection.
import type { PermissionCase, Fixture } from "#test/support/access/fixture.ts";

export function permissionCasesInTree(Kind: "Collection" | "Space"): readonly PermissionCase[] {
  const thing = Kind === "Collection" ? "inner" : "space";
  const subject = (fixture: Fixture) => ({ [`${Kind.toLowerCase()}Id`]: fixture[thing].id });
  const move = (
    how: string,
    to: (fixture: Fixture) => object,
    allowedBy: PermissionCase["allowedBy"],
    into?: string,
  ): PermissionCase => ({
    mutation: `move${Kind}`,
    how,
    input: (fixture) => ({ ...subject(fixture), ...to(fixture) }),
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
    ...(["collection", "shut"] as const).map((parent): PermissionCase => ({
      mutation: `create${Kind}`,
      how: `in ${parent}`,
      input: (fixture) => ({ organizationId: fixture.organization.id, parentId: fixture[parent].id }),
      allowedBy: [`${parent}.create`],
      seen: ["organization", parent],
    })),
    {
      mutation: `update${Kind}`,
      input: (fixture) => ({ ...subject(fixture), title: "Renamed" }),
      allowedBy: [`${thing}.admin`],
      seen: [thing],
    },
    { mutation: `update${Kind}`, how: "without changes", input: subject, allowedBy: [`${thing}.admin`], seen: [thing] },
    { mutation: `delete${Kind}`, input: subject, allowedBy: [`${thing}.admin`], seen: [thing], deletes: thing },
    move("in its place", () => ({}), [`${thing}.admin`]),
    move("to the top", () => ({ parentId: null }), [`${thing}.admin`, "organization.createContent"]),
    move("to other", ({ other }) => ({ parentId: other.id }), [`${thing}.admin`, "other.create"], "other"),
    move("to shut", ({ shut }) => ({ parentId: shut.id }), [`${thing}.admin`, "shut.create"], "shut"),
    {
      mutation: `transfer${Kind}`,
      how: "to its present position",
      input: (fixture) => ({ ...subject(fixture), organizationId: fixture.organization.id }),
      allowedBy: [`${thing}.admin`, "organization.createContent"],
      seen: [thing],
    },
    ...(["open", "closed"] as const).map((target): PermissionCase => ({
      mutation: `transfer${Kind}`,
      how: `to ${target}`,
      input: (fixture) => ({ ...subject(fixture), organizationId: fixture[target].id }),
      allowedBy: [`${thing}.admin`, "organization.createContent", `${target}.createContent`],
      seen: [thing],
      into: target,
    })),
  ];
}
