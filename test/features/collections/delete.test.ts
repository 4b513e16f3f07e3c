// Deleting a collection moves its contents up to its position and changes no one's access.
import { describe, expect, test } from "vitest";
import { addCollection } from "#test/features/collections/factory.ts";
import { childrenOf, faultsOf, readTree } from "#test/features/collections/tree.ts";
import { addGrant } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { type People, type Person, times } from "#test/support/world.ts";

const { app, world } = await useApp();

const remove = `mutation ($id: ID!) { deleteCollection(input: { collectionId: $id }) { deletedId } }`;

/** The result of a deletion: whether the collection existed, or the error code. */
async function deletion({ token }: Person, id: string): Promise<boolean | string | undefined> {
  const { data, errors } = await app
    .as(token)
    .graphql<{ deleteCollection: { deletedId: string | null } }>(remove, { id });
  return errors?.[0]?.extensions.code ?? data?.deleteCollection.deletedId !== null;
}

async function eventsOf(subjectId: string) {
  const events = await app.eventsOf(subjectId);
  return events.map(({ type, organizationId, actorId }) => [type, organizationId, actorId]);
}

/** A collection between two siblings at the top, with a space, a deleted space and a collection with a space in it. */
async function makeTree() {
  const made = await world.organization();
  const organizationId = made.organization.id;
  const items = await world.insert((rows) => {
    const before = addSpace(rows, { organizationId });
    const doomed = addCollection(rows, { organizationId, defaultLevel: "edit" });
    const after = addSpace(rows, { organizationId });
    const first = addSpace(rows, { organizationId, parent: doomed });
    const deleted = addSpace(rows, { organizationId, parent: doomed, deletedAt: new Date() });
    const inner = addCollection(rows, { organizationId, parent: doomed, defaultLevel: "read" });
    const deep = addSpace(rows, { organizationId, parent: inner });
    addGrant(rows, { organizationId, collectionId: doomed.id, userId: made.guest.id, role: "review" });
    addGrant(rows, { organizationId, collectionId: doomed.id, teamId: made.team.id, role: "create" });
    addGrant(rows, { organizationId, spaceId: first.id, userId: made.guest.id, role: "comment" });
    addGrant(rows, { organizationId, collectionId: inner.id, userId: made.guest.id, role: "admin" });
    return { before, doomed, after, first, deleted, inner, deep };
  });
  return { ...made, ...items, organizationId };
}

/** Every user's permission flags on these spaces. */
async function accessOf(people: People, spaces: readonly { id: string }[]) {
  const flags = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Space { id permissions { access comment edit review admin } } } }`;
  const ids = spaces.map(({ id }) => id);
  return Promise.all(
    Object.entries(people).map(async ([name, { token }]) => [name, await app.as(token).query(flags, { ids })]),
  );
}

describe("the contents of a deleted collection", () => {
  test("move up to its position in order, with deleted spaces, and keep everyone's access", async () => {
    const { people, admin, before, doomed, after, first, deleted, inner, deep, organizationId } = await makeTree();
    const spaces = [first, deep];
    const had = await accessOf(people, spaces);
    expect(await deletion(admin, doomed.id)).toBe(true);
    const tree = await readTree(app, organizationId);
    expect(faultsOf(tree)).toEqual([]);
    expect(childrenOf(tree, null)).toEqual([before.id, first.id, deleted.id, inner.id, after.id]);
    expect(childrenOf(tree, inner.id)).toEqual([deep.id]);
    expect(await accessOf(people, spaces)).toEqual(had);
    expect(await eventsOf(doomed.id)).toEqual([["collection.deleted", organizationId, admin.id]]);
  });

  test("take its default level and grants, the higher of two, and become private at the top", async () => {
    const { admin, guest, team, doomed, first, deleted, inner, deep } = await makeTree();
    await deletion(admin, doomed.id);
    const stored = await app.database.prisma.space.findMany({
      where: { id: { in: [first.id, deleted.id, deep.id] } },
      select: { id: true, visibility: true, defaultLevel: true },
      orderBy: { id: "asc" },
    });
    expect(stored).toEqual([
      { id: first.id, visibility: "private", defaultLevel: "edit" },
      { id: deleted.id, visibility: "private", defaultLevel: "edit" },
      { id: deep.id, visibility: "in_collection", defaultLevel: null },
    ]);
    const grants = async (where: object) =>
      new Map(
        (await app.database.prisma.grant.findMany({ where })).map((grant) => [
          grant.userId ?? grant.teamId,
          grant.role,
        ]),
      );
    const copied = new Map([
      [guest.id, "review"],
      [team.id, "create"],
    ]);
    expect(await grants({ spaceId: first.id })).toEqual(copied);
    expect(await grants({ spaceId: deleted.id })).toEqual(copied);
    expect(await grants({ collectionId: inner.id })).toEqual(new Map([...copied, [guest.id, "admin"]]));
    expect(await grants({ spaceId: deep.id })).toEqual(new Map());
  });

  test("are positioned even if the neighbours leave no room", async () => {
    const { admin, before, doomed, after, first, deleted, inner, organizationId } = await makeTree();
    await app.database.pool.query(`update "Space" set position = 'a0' where id = any($1)`, [[before.id, after.id]]);
    await app.database.pool.query(`update "Collection" set position = 'a0' where id = $1`, [doomed.id]);
    const ids = childrenOf(await readTree(app, organizationId), null);
    await deletion(admin, doomed.id);
    const expected = ids.flatMap((id) => (id === doomed.id ? [first.id, deleted.id, inner.id] : [id]));
    const tree = await readTree(app, organizationId);
    expect(childrenOf(tree, null)).toEqual(expected);
    expect(faultsOf(tree)).toEqual([]);
  });

  test("are empty for an empty collection", async () => {
    const { admin, inner, deep } = await makeTree();
    await app.database.prisma.space.update({
      where: { id: deep.id },
      data: { parentId: null, ancestors: [], visibility: "private" },
    });
    expect(await deletion(admin, inner.id)).toBe(true);
  });
});

test("deleting a collection twice reports the second time that it did not exist", async () => {
  const { admin, doomed } = await makeTree();
  expect(await deletion(admin, doomed.id)).toBe(true);
  expect(await deletion(admin, doomed.id)).toBe(false);
});

test("of concurrent deletions one reports success", async () => {
  const { admin, doomed, organizationId } = await makeTree();
  const answers = await Promise.all(times(6, () => deletion(admin, doomed.id)));
  expect(answers.filter((answer) => answer === true)).toHaveLength(1);
  expect(answers.filter((answer) => answer === false)).toHaveLength(5);
  expect(faultsOf(await readTree(app, organizationId))).toEqual([]);
  expect(await eventsOf(doomed.id)).toHaveLength(1);
});

test("deleting a collection with a thousand collections inside moves all of them up", async () => {
  const { admin, doomed, organizationId } = await makeTree();
  await world.insert((rows) => {
    const level = times(1_000, () => addCollection(rows, { organizationId, parent: doomed }));
    addCollection(rows, { organizationId, parent: level[0] ?? doomed });
  });
  expect(await deletion(admin, doomed.id)).toBe(true);
  const tree = await readTree(app, organizationId);
  expect(faultsOf(tree)).toEqual([]);
  expect(tree.filter(({ ancestors }) => ancestors.includes(doomed.id))).toEqual([]);
});
