// Transferring spaces and collections to another organization: what is kept, what is dropped, and permissions.
import { describe, expect, test } from "vitest";
import { addCollection } from "#test/features/collections/factory.ts";
import { childrenOf, faultsOf, readTree } from "#test/features/collections/tree.ts";
import { addGrant, addMember } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

const transfers = {
  collection: `mutation ($id: ID!, $to: ID!) { transferCollection(input: { collectionId: $id, organizationId: $to }) { collection { id organizationId parentId } } }`,
  space: `mutation ($id: ID!, $to: ID!) { transferSpace(input: { spaceId: $id, organizationId: $to }) { space { id organizationId parentId visibility } } }`,
};

async function transfer({ token }: Person, id: string, to: string): Promise<string> {
  const { errors } = await app.as(token).graphql(transfers[id.startsWith("spc") ? "space" : "collection"], { id, to });
  return errors?.[0]?.extensions.code ?? "ok";
}

async function eventsOf(subjectId: string) {
  const events = await app.eventsOf(subjectId);
  return events.map(({ type, organizationId, payload }) => [type, organizationId, payload]);
}

/** A world with a site, whose admin is also admin of the target, and whose reader is a guest there. */
async function journey() {
  const from = await world.site();
  const target = from.elsewhere.id;
  const organizationId = from.organization.id;
  const made = await world.insert((rows) => {
    addMember(rows, { organizationId: target, userId: from.admin.id, role: "create" });
    addMember(rows, { organizationId: target, userId: from.reader.id, role: null });
    const settled = addSpace(rows, { organizationId: target });
    const inner = addCollection(rows, { organizationId, parent: from.collection });
    const deleted = addSpace(rows, { organizationId, parent: inner, deletedAt: new Date() });
    for (const userId of [from.reader.id, from.editor.id]) {
      addGrant(rows, { organizationId, spaceId: from.space.id, userId, role: "review" });
      addGrant(rows, { organizationId, collectionId: inner.id, userId, role: "review" });
    }
    return { settled, inner, deleted };
  });
  await app.database.prisma.organization.update({
    where: { id: organizationId },
    data: { defaultSpaceId: from.space.id },
  });
  return { ...from, ...made, target };
}

/** The remaining references of the space: site spaces, and default content. */
async function leftBehind(spaceId: string, organizationId: string) {
  const { prisma } = app.database;
  const organization = await prisma.organization.findUnique({ where: { id: organizationId } });
  return { sites: await prisma.siteSpace.count({ where: { spaceId } }), content: organization?.defaultSpaceId };
}

const holdersOn = async (where: object) =>
  (await app.database.prisma.grant.findMany({ where })).map(({ organizationId, userId, teamId }) => [
    organizationId,
    userId ?? teamId,
  ]);

test("a transferred space is last at the top, private, keeps grants of common members, and leaves sites and default content", async () => {
  const { admin, reader, organization, space, settled, target, invitedGuest, teamGuest } = await journey();
  const guestIds = [invitedGuest.id, teamGuest.id].toSorted();
  expect(await app.as(admin.token).query(transfers.space, { id: space.id, to: target })).toEqual({
    transferSpace: { space: { id: space.id, organizationId: target, parentId: null, visibility: "PRIVATE" } },
  });
  const tree = await readTree(app, target);
  expect(faultsOf(tree)).toEqual([]);
  expect(childrenOf(tree, null)).toEqual([settled.id, space.id]);
  expect(await holdersOn({ spaceId: space.id })).toEqual([[target, reader.id]]);
  expect(await leftBehind(space.id, organization.id)).toEqual({ sites: 0, content: null });
  expect(await eventsOf(space.id)).toEqual([
    [
      "space.transferred",
      target,
      { fromOrganizationId: organization.id, fromParentId: space.parentId, toParentId: null },
    ],
    ["space.left", organization.id, { title: space.title, wasForMembers: true, guestIds }],
  ]);
});

test("a transferred collection includes its contents, also deleted spaces", async () => {
  const made = await journey();
  const { admin, reader, organization, collection, inner, space, deleted, settled, target } = made;
  const guestIds = [made.invitedGuest.id, made.teamGuest.id].toSorted();
  expect(await app.as(admin.token).query(transfers.collection, { id: collection.id, to: target })).toEqual({
    transferCollection: { collection: { id: collection.id, organizationId: target, parentId: null } },
  });
  const tree = await readTree(app, target);
  expect(faultsOf(tree)).toEqual([]);
  expect(childrenOf(tree, null)).toEqual([settled.id, collection.id]);
  expect(childrenOf(tree, collection.id)).toEqual([space.id, inner.id]);
  expect(childrenOf(tree, inner.id)).toEqual([deleted.id]);
  expect(await readTree(app, organization.id)).toEqual([]);
  expect(await holdersOn({ collectionId: collection.id })).toEqual([]);
  expect(await holdersOn({ collectionId: inner.id })).toEqual([[target, reader.id]]);
  expect(await leftBehind(space.id, organization.id)).toEqual({ sites: 0, content: null });
  expect(await eventsOf(collection.id)).toEqual([
    ["collection.transferred", target, { fromOrganizationId: organization.id, fromParentId: null, toParentId: null }],
    ["collection.left", organization.id, { title: collection.title, wasForMembers: true, guestIds }],
  ]);
});

test("transferring to the same organization changes nothing", async () => {
  const { admin, organization, collection, space } = await journey();
  for (const { id } of [collection, space]) {
    expect(await transfer(admin, id, organization.id)).toBe("ok");
    expect(await eventsOf(id)).toEqual([]);
  }
});

describe("transfer rights", () => {
  test("an admin of the source needs create in the target", async () => {
    const { admin, organization, collection, space, target } = await journey();
    await app.database.prisma.organizationMember.updateMany({
      where: { organizationId: target, userId: admin.id },
      data: { role: "review" },
    });
    for (const { id } of [collection, space]) expect(await transfer(admin, id, target)).toBe("FORBIDDEN");
    expect(await leftBehind(space.id, organization.id)).toEqual({ sites: 1, content: space.id });
  });

  test("a target organization of which the viewer is not a member is NOT_FOUND", async () => {
    const { admin, collection, space } = await journey();
    const other = await world.organization();
    for (const { id } of [collection, space])
      expect(await transfer(admin, id, other.organization.id)).toBe("NOT_FOUND");
  });
});

test("two transfers in opposite directions do not deadlock", async () => {
  const { admin, collection, settled, target, organization } = await journey();
  await app.database.prisma.organizationMember.updateMany({ where: { userId: admin.id }, data: { role: "admin" } });
  expect(
    await Promise.all([transfer(admin, collection.id, target), transfer(admin, settled.id, organization.id)]),
  ).toEqual(["ok", "ok"]);
  expect(childrenOf(await readTree(app, target), null)).toEqual([collection.id]);
  expect(childrenOf(await readTree(app, organization.id), null)).toEqual([settled.id]);
});

test("an admin of an item by a grant alone cannot transfer it out of its organization", async () => {
  const { from, made } = await grantedAdmin();
  for (const id of [made.space.id, made.collection.id]) {
    for (const person of [from.guest, from.reader]) expect(await transfer(person, id, made.theirs)).toBe("FORBIDDEN");
    expect(await transfer(from.creator, id, made.theirs)).toBe("ok"); // may create in both
  }
});

/**
 * A guest, a reader and a creator of an organization, each admin of a space and a collection by a grant and creator
 * in the other organization.
 */
async function grantedAdmin() {
  const from = await world.space();
  const theirs = from.elsewhere.id;
  const organizationId = from.organization.id;
  const made = await world.insert((rows) => {
    const collection = addCollection(rows, { organizationId });
    const space = addSpace(rows, { organizationId });
    for (const { id: userId } of [from.guest, from.reader, from.creator]) {
      addMember(rows, { organizationId: theirs, userId, role: "create" });
      addGrant(rows, { organizationId, spaceId: space.id, userId, role: "admin" });
      addGrant(rows, { organizationId, collectionId: collection.id, userId, role: "admin" });
    }
    return { collection, space, theirs };
  });
  return { from, made };
}
