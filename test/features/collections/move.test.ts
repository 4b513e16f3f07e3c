// Moving collections and spaces: positions beside either kind, refused parents, and descendants that move along.
import { describe, expect, test } from "vitest";
import { addCollection } from "#test/features/collections/factory.ts";
import { childrenOf, faultsOf, readTree } from "#test/features/collections/tree.ts";
import { addGrant, addMember } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { type Person, times } from "#test/support/world.ts";

const { app, world } = await useApp();

const moves = {
  collection: `mutation ($input: MoveCollectionInput!) { moveCollection(input: $input) { collection { id parentId } } }`,
  space: `mutation ($input: MoveSpaceInput!) { moveSpace(input: $input) { space { id parentId visibility } } }`,
};
const none = "col_00000000000000000000000000";

const beside = (side: "before" | "after", item: { id: string }) => ({
  [`${side}${item.id.startsWith("spc") ? "Space" : "Collection"}Id`]: item.id,
});

/** Moves an item, and returns `ok`, or the error code with the path of its detail. */
async function move({ token }: Person, item: { id: string }, where: object): Promise<string> {
  const kind = item.id.startsWith("spc") ? "space" : "collection";
  const { errors } = await app.as(token).graphql(moves[kind], { input: { [`${kind}Id`]: item.id, ...where } });
  const { code, details } = errors?.[0]?.extensions ?? { code: "ok" };
  return details ? `${code} ${details.map(({ path }) => path).join()}` : code;
}

async function eventsOf(subjectId: string) {
  const events = await app.eventsOf(subjectId);
  return events.map(({ type, organizationId, spaceId, actorId }) => [type, organizationId, spaceId, actorId]);
}

/**
 * An organization with the collections `one` and `other`; `one` contains a space, a collection and another space, in
 * this order.
 */
async function makeTree() {
  const people = await world.organization();
  const organizationId = people.organization.id;
  const items = await world.insert((rows) => {
    const one = addCollection(rows, { organizationId });
    const first = addSpace(rows, { organizationId, parent: one });
    const second = addCollection(rows, { organizationId, parent: one });
    const third = addSpace(rows, { organizationId, parent: one });
    return { one, first, second, third, other: addCollection(rows, { organizationId }) };
  });
  const orderIn = async (parent: { id: string } | null) =>
    childrenOf(await readTree(app, organizationId), parent?.id ?? null);
  return { ...people, ...items, orderIn };
}

describe("move positions", () => {
  test("accept anchors of either kind, before and after, at the ends and in between", async () => {
    const { admin, organization, one, first, second, third, orderIn } = await makeTree();
    expect(await orderIn(one)).toEqual([first.id, second.id, third.id]);
    expect(await move(admin, third, { place: beside("before", second) })).toBe("ok");
    expect(await orderIn(one)).toEqual([first.id, third.id, second.id]);
    expect(await move(admin, second, { place: beside("before", first) })).toBe("ok");
    expect(await orderIn(one)).toEqual([second.id, first.id, third.id]);
    expect(await move(admin, second, { place: beside("after", third) })).toBe("ok");
    expect(await move(admin, first, { parentId: one.id, place: beside("after", second) })).toBe("ok");
    expect(await orderIn(one)).toEqual([third.id, second.id, first.id]);
    expect(await eventsOf(second.id)).toEqual(times(2, () => ["collection.moved", organization.id, null, admin.id]));
    expect(await eventsOf(first.id)).toEqual([["space.moved", organization.id, first.id, admin.id]]);
  });

  test("default to the end of the parent, and an item that is last already stays unchanged", async () => {
    const { admin, one, other, first, second, third, orderIn } = await makeTree();
    for (const item of [second, first]) expect(await move(admin, item, { parentId: other.id })).toBe("ok");
    expect(await orderIn(other)).toEqual([second.id, first.id]);
    expect(await move(admin, first, {})).toBe("ok");
    expect(await orderIn(other)).toEqual([second.id, first.id]);
    for (let times = 0; times < 2; times++) {
      expect(await move(admin, second, { parentId: other.id })).toBe("ok");
      expect(await orderIn(other)).toEqual([first.id, second.id]);
    }
    expect(await move(admin, first, {})).toBe("ok");
    expect(await orderIn(other)).toEqual([second.id, first.id]);
    expect(await orderIn(one)).toEqual([third.id]);
    expect([await eventsOf(first.id), await eventsOf(second.id)]).toMatchObject([
      [{}, {}],
      [{}, {}],
    ]);
  });

  test("of deleted spaces are kept, and deleted spaces are refused as anchors", async () => {
    const { admin, one, first, second, third, orderIn } = await makeTree();
    await app.database.prisma.space.update({ where: { id: first.id }, data: { deletedAt: new Date() } });
    expect(await move(admin, third, { place: beside("before", second) })).toBe("ok");
    expect(await orderIn(one)).toEqual([first.id, third.id, second.id]);
    expect(await move(admin, third, { place: beside("before", first) })).toBe("INVALID_INPUT place");
  });

  test("are found also among siblings with equal, missing or very long indexes", async () => {
    const { admin, organization, one, first, second, third, orderIn } = await makeTree();
    for (const positions of [
      ["a0", "a0", "a0"],
      ["1", "2", "!"],
      ["a0", `a0${"0".repeat(70)}1`, `a0${"0".repeat(70)}2`],
    ]) {
      for (const [index, item] of [first, second, third].entries()) {
        const table = item.id.startsWith("spc") ? "Space" : "Collection";
        await app.database.pool.query(`update "${table}" set position = $2 where id = $1`, [item.id, positions[index]]);
      }
      const before = await orderIn(one);
      const [head = "", middle = "", tail = ""] = before;
      expect(await move(admin, { id: tail }, { place: beside("after", { id: head }) })).toBe("ok");
      expect(await orderIn(one)).toEqual([head, tail, middle]);
      expect(faultsOf(await readTree(app, organization.id))).toEqual([]);
    }
  });

  test("beside an invalid anchor are INVALID_INPUT at place", async () => {
    const { admin, one, other, first, second } = await makeTree();
    for (const place of [
      { beforeCollectionId: first.id },
      { beforeSpaceId: second.id },
      beside("after", second),
      beside("after", other),
      beside("after", { id: none }),
    ]) {
      expect([place, await move(admin, second, { place })]).toEqual([place, "INVALID_INPUT place"]);
    }
    expect(await move(admin, first, { parentId: other.id, place: beside("after", second) })).toBe(
      "INVALID_INPUT place",
    );
    expect(await move(admin, first, { parentId: one.id, place: beside("after", second) })).toBe("ok");
  });
});

describe("move parents", () => {
  test("descendants move along, 50 levels deep", async () => {
    const { admin, organization, other, second } = await makeTree();
    const organizationId = organization.id;
    const last = await world.insert((rows) => {
      let parent = second;
      for (let level = 0; level < 50; level++) parent = addCollection(rows, { organizationId, parent });
      return addSpace(rows, { organizationId, parent });
    });
    expect(await move(admin, second, { parentId: other.id })).toBe("ok");
    const tree = await readTree(app, organizationId);
    expect(faultsOf(tree)).toEqual([]);
    expect(tree.find(({ id }) => id === last.id)?.ancestors.slice(0, 2)).toEqual([other.id, second.id]);
    expect(await move(admin, second, { parentId: null })).toBe("ok");
    const after = await readTree(app, organizationId);
    expect(faultsOf(after)).toEqual([]);
    expect(after.find(({ id }) => id === last.id)?.ancestors).toHaveLength(51);
  });

  test("a collection cannot be moved into itself or its descendants", async () => {
    const { admin, one, second } = await makeTree();
    expect(await move(admin, one, { parentId: one.id })).toBe("INVALID_INPUT parentId");
    expect(await move(admin, one, { parentId: second.id })).toBe("INVALID_INPUT parentId");
    expect(await eventsOf(one.id)).toEqual([]);
  });

  test("of two collections moved into each other concurrently one moves and the other stays", async () => {
    const { admin, organization, one, other } = await makeTree();
    const done = await Promise.all([
      move(admin, one, { parentId: other.id }),
      move(admin, other, { parentId: one.id }),
    ]);
    expect(done.filter((answer) => answer === "ok")).toHaveLength(1);
    expect(done.filter((answer) => answer === "INVALID_INPUT parentId")).toHaveLength(1);
    expect(faultsOf(await readTree(app, organization.id))).toEqual([]);
  });

  test("a space with visibility IN_COLLECTION becomes private at the top; other visibilities stay", async () => {
    const { admin, first, third } = await makeTree();
    await app.database.prisma.space.update({ where: { id: third.id }, data: { visibility: "unlisted" } });
    const top = async (id: string) => {
      const answer = await app
        .as(admin.token)
        .query<{ moveSpace: { space: object } }>(moves.space, { input: { spaceId: id, parentId: null } });
      return answer.moveSpace.space;
    };
    expect(await top(first.id)).toEqual({ id: first.id, parentId: null, visibility: "PRIVATE" });
    expect(await top(third.id)).toEqual({ id: third.id, parentId: null, visibility: "UNLISTED" });
  });

  test("parents and anchors of another organization are NOT_FOUND like missing ones", async () => {
    const { admin, organization, one, first } = await makeTree();
    const elsewhere = await makeTree();
    await world.insert((rows) =>
      addMember(rows, { organizationId: elsewhere.organization.id, userId: admin.id, role: "admin" }),
    );
    for (const item of [one, first]) {
      for (const parentId of [none, elsewhere.one.id]) expect(await move(admin, item, { parentId })).toBe("NOT_FOUND");
      const place = beside("after", elsewhere.other);
      expect(await move(admin, item, { parentId: null, place })).toBe("INVALID_INPUT place");
    }
    expect(faultsOf(await readTree(app, organization.id))).toEqual([]);
  });
});

describe("move rights", () => {
  test("a move by grants needs admin on the item and create on the new parent", async () => {
    const { organization, people, one, other, first, second, third } = await makeTree();
    const organizationId = organization.id;
    await world.insert((rows) => {
      for (const userId of [people.reader.id, people.guest.id]) {
        addGrant(rows, { organizationId, userId, collectionId: one.id, role: "admin" });
      }
      addGrant(rows, { organizationId, userId: people.guest.id, collectionId: other.id, role: "review" });
    });
    expect(await move(people.reader, second, { place: beside("after", third) })).toBe("ok");
    for (const name of ["reader", "guest"] as const) {
      expect(await move(people[name], second, { parentId: other.id })).toBe("FORBIDDEN");
      expect(await move(people[name], third, { parentId: null })).toBe("FORBIDDEN");
      expect(await move(people[name], first, { parentId: second.id })).toBe("ok");
      expect(await move(people[name], first, { parentId: one.id })).toBe("ok");
    }
    await app.database.prisma.grant.updateMany({ where: { collectionId: other.id }, data: { role: "create" } });
    expect(await move(people.guest, second, { parentId: other.id })).toBe("ok");
  });

  test("an admin of the item alone may move it only among siblings that they see", async () => {
    const { organization, guest, first, second, third } = await makeTree();
    await world.insert((rows) => {
      for (const spaceId of [first.id, third.id]) {
        addGrant(rows, { organizationId: organization.id, userId: guest.id, spaceId, role: "admin" });
      }
    });
    expect(await move(guest, first, { place: beside("after", third) })).toBe("ok");
    expect(await move(guest, first, { place: beside("after", second) })).toBe("INVALID_INPUT place");
  });
});

test("columns that a move changes in all descendants are in no index and have a free fill factor", async () => {
  const { rows } = await app.database.pool.query<{ indexed: string[]; options: string[] }>(
    `select array(select distinct a.attname::text from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = c.oid) as indexed, reloptions as options from pg_class c where c.oid = '"Collection"'::regclass`,
  );
  expect(rows[0]?.indexed).toContain("parentId");
  expect(rows[0]?.indexed).not.toContain("ancestors");
  expect(rows[0]?.options).toEqual(["fillfactor=50"]);
});

test("a move takes a thousand descendant collections along and no siblings", async () => {
  const { admin, organization, one, other } = await makeTree();
  const inside = await world.insert((rows) => {
    const row = (parent: { id: string; ancestors: string[] }) =>
      addCollection(rows, { organizationId: organization.id, parent });
    const level = times(1_000, () => row(one));
    return { deep: row(level.at(-1) ?? one), beside: row(other) };
  });
  expect(await move(admin, one, { parentId: other.id })).toBe("ok");
  const tree = await readTree(app, organization.id);
  expect(faultsOf(tree)).toEqual([]);
  expect(tree.find(({ id }) => id === inside.deep.id)?.ancestors.slice(0, 2)).toEqual([other.id, one.id]);
  expect(tree.find(({ id }) => id === inside.beside.id)?.ancestors).toEqual([other.id]);
});
