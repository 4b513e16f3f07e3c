// Permission cases of a space in a collection and of a public one, with their flags.
import { permissionCasesInTree } from "#test/features/collections/tree-permission-cases.ts";
import type { PermissionCase } from "#test/support/access/fixture.ts";

export const permissionCases: readonly PermissionCase[] = [
  ...permissionCasesInTree("Space"),
  {
    mutation: "updateSpace",
    how: "that is public",
    input: ({ topSpace }) => ({ spaceId: topSpace.id, emoji: "🌍" }),
    allowedBy: ["topSpace.admin"],
    seen: ["topSpace"],
  },
  {
    mutation: "rotateShareKey",
    input: ({ space }) => ({ spaceId: space.id }),
    allowedBy: ["space.admin"],
    seen: ["space"],
    prepare: ({ space }, { prisma }) =>
      prisma.space.update({ where: { id: space.id }, data: { visibility: "share_link", shareKey: space.id } }),
  },
  {
    mutation: "duplicateSpace",
    input: ({ space }) => ({ spaceId: space.id }),
    allowedBy: ["space.access", "collection.create"],
    seen: ["space"],
  },
  {
    mutation: "duplicateSpace",
    how: "that is public, at the top",
    input: ({ topSpace }) => ({ spaceId: topSpace.id }),
    allowedBy: ["topSpace.access", "organization.createContent"],
    seen: ["topSpace"],
  },
  {
    mutation: "restoreSpace",
    input: ({ space }) => ({ spaceId: space.id }),
    allowedBy: ["space.admin"],
    seen: ["space"],
    prepare: ({ space }, { prisma }) =>
      prisma.space.update({ where: { id: space.id }, data: { deletedAt: new Date() } }),
    isHidden: true,
  },
];
