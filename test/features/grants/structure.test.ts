// Structural operations and all users' rights on all items: deleting a collection changes none, and a moved item
// has the rights of an equal item that was created in the new place.
import { beforeAll, expect, test } from "vitest";
import { giveContent } from "#test/features/content/factory.ts";
import {
  fill,
  nameOf,
  readRights,
  type Rights,
  settings,
  type Shelf,
  structureWorld,
} from "#test/features/grants/structure-world.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

type Made = Awaited<ReturnType<typeof make>>;

async function make() {
  const all = await world.insert(structureWorld);
  const { top, organizationId, elsewhere } = all;
  const first = top.spaces.values().next().value ?? "";
  const { revisionId } = await app.database.prisma.space.findUniqueOrThrow({ where: { id: first } });
  await giveContent(app.database, revisionId, ["Quokka"]);
  const { treeHash } = await app.database.prisma.revision.findUniqueOrThrow({ where: { id: revisionId } });
  await fill(app, [organizationId, elsewhere.id], treeHash ?? "");
  return all;
}

let made: Made;
beforeAll(async () => {
  made = await make();
});

const rightsOn = (ids: readonly string[], { people, organizationId } = made) =>
  readRights(app, people, organizationId, ids);

/** Ids of all spaces and collections of the first organization that are not deleted. */
async function everything({ organizationId } = made): Promise<string[]> {
  const { rows } = await app.database.pool.query<{ id: string }>(
    `select id from "Collection" where "organizationId" = $1
     union all select id from "Space" where "organizationId" = $1 and "deletedAt" is null`,
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

let last: Rights | undefined;

/** Reads all rights. */
const allRights = async () => (last = await rightsOn(await everything()));

/** All rights at the beginning of a test, which are those at the end of the one before it. */
const rightsBefore = async () => last ?? allRights();

/** Runs a mutation for each id, in one request of the organization's admin; returns the payloads. */
async function doAll<Answer>(field: string, inputs: readonly string[], selection: string): Promise<Answer[]> {
  const fields = inputs.map((input, index) => `a${index}: ${field}(input: { ${input} }) { ${selection} }`);
  const data = await app.as(made.people.admin.token).query<Record<string, Answer>>(`mutation { ${fields.join(" ")} }`);
  return Object.values(data);
}

const spaceInputs = (ids: readonly string[], rest = "") => ids.map((id) => `spaceId: "${id}" ${rest}`);

/** The rights, except those on some items. */
const without = (rights: Rights, ids: readonly string[]): Rights =>
  new Map([...rights].filter(([id]) => !ids.includes(id)));

/** Asserts for each setting that the rights on one space equal those on another, possibly at another time. */
function expectSame(pairs: Iterable<readonly [name: string, actual: unknown, expected: unknown]>): void {
  const all = [...pairs];
  const named = (index: 1 | 2) => Object.fromEntries(all.map((pair) => [pair[0], pair[index]]));
  expect(all.length).toBeGreaterThan(20);
  expect(named(1)).toEqual(named(2));
}

const idIn = ({ spaces }: Shelf, name: string): string => {
  const id = spaces.get(name);
  if (id === undefined) throw new Error(`No space "${name}" in this place`);
  return id;
};

const isAtTop = ({ parentId }: { parentId: string | null }) => parentId === null;

/** The settings of spaces that were visible with their collection and move to the top. */
const atTop = (name: string): string => name.replace(/^in_collection/, "private open");

test("rights differ between users, settings and places in the test world", async () => {
  const rights = await allRights();
  const different = (values: Iterable<unknown>) => new Set([...values].map((value) => JSON.stringify(value))).size;
  const byPerson = Object.keys(made.people).map((name) => [...rights.values()].map((ofAll) => ofAll[name]));
  expect(different(byPerson)).toBe(byPerson.length);
  expect(different(rights.values())).toBeGreaterThan(40);
  for (const way of ["listed", "searched"])
    expect([...rights.values()].some(({ reader }) => reader?.includes(way))).toBe(true);
});

test("a moved space has the rights of its new place, and no other rights change", async () => {
  const [from, to] = [made.outer[0], made.outer[2]] as [Shelf, Shelf]; // neither level nor grants; `edit` and grants
  const before = await rightsBefore();
  const moving = [...from.spaces.values()];
  await doAll("moveSpace", spaceInputs(moving, `parentId: "${to.id}"`), "space { id }");
  const inside = await allRights();
  expectSame(settings.map(nameOf).map((name) => [name, inside.get(idIn(from, name)), before.get(idIn(to, name))]));
  expect(without(inside, moving)).toEqual(without(before, moving));

  await doAll("moveSpace", spaceInputs(moving, "parentId: null"), "space { id }");
  const outside = await allRights();
  const names = settings.map(nameOf);
  expectSame(names.map((name) => [name, outside.get(idIn(from, name)), before.get(idIn(made.top, atTop(name)))]));
  expect(without(outside, moving)).toEqual(without(before, moving));
});

test("a moved collection takes its contents along, and no other rights change", async () => {
  const [, from, to] = made.outer; // from `read` and no grants to `edit` and grants
  const [moving, there] = [from?.inner[0], to?.inner[0]] as [Shelf, Shelf];
  const before = await rightsBefore();
  await doAll("moveCollection", [`collectionId: "${moving.id}" parentId: "${to?.id}"`], "collection { id }");
  const after = await allRights();
  const ids = [moving.id, ...moving.spaces.values()];
  expect(after.get(moving.id)).toEqual(before.get(there.id));
  expectSame(settings.map(nameOf).map((name) => [name, after.get(idIn(moving, name)), before.get(idIn(there, name))]));
  expect(without(after, ids)).toEqual(without(before, ids));
});

test("a copied space has the rights of a space with the same settings and no grants, and no other rights change", async () => {
  const shelf = made.outer[2] as Shelf; // `edit` and grants
  const before = await rightsBefore();
  const originals = [...shelf.spaces.values()];
  const copies = await doAll<{ space: { id: string } }>("duplicateSpace", spaceInputs(originals), "space { id }");
  const after = await allRights();
  const copied = copies.map(({ space }) => space.id);
  expectSame(
    [...shelf.spaces.keys()].map((name, index) => [
      name,
      after.get(copied[index] ?? ""),
      before.get(idIn(shelf, name.replace(/ granted$/, ""))),
    ]),
  );
  expect(without(after, copied)).toEqual(before);
});

test("deleting collections changes no rights, even two deep and on items that are restored later", async () => {
  const before = await rightsBefore();
  const inTrash = made.outer
    .slice(2)
    .flatMap(({ spaces, inner }) => [...spaces.values(), ...(inner[0]?.spaces.values() ?? [])]);
  await doAll("deleteSpace", spaceInputs(inTrash), "deletedId");
  expect(await allRights()).toEqual(without(before, inTrash));
  const deleteAll = async (shelves: readonly Shelf[]) => {
    const ids = shelves.map(({ id }) => id);
    await doAll(
      "deleteCollection",
      ids.map((id) => `collectionId: "${id}"`),
      "deletedId",
    );
    return ids;
  };
  const outer = await deleteAll(made.outer);
  expect(await allRights()).toEqual(without(before, [...inTrash, ...outer]));
  const inner = await deleteAll(made.outer.flatMap((one) => one.inner));
  await doAll("restoreSpace", spaceInputs(inTrash), "space { id }");
  expect(await allRights()).toEqual(without(before, [...outer, ...inner]));
  const left = await app.database.prisma.space.findMany({ where: { organizationId: made.organizationId } });
  expect(left.every(isAtTop)).toBe(true);
});

test("a transferred space has the rights of a space of the new organization, with the grants of its members", async () => {
  const { top, elsewhere, people } = made;
  const before = await rightsBefore();
  const there = await rightsOn([...elsewhere.spaces.values()], { ...made, organizationId: elsewhere.id });
  const moving = [...top.spaces.values()];
  await doAll("transferSpace", spaceInputs(moving, `organizationId: "${elsewhere.id}"`), "space { id }");
  const after = await rightsOn(moving, { ...made, organizationId: elsewhere.id });
  expectSame([...top.spaces].map(([name, id]) => [name, after.get(id), there.get(idIn(elsewhere, name))]));
  expect(await allRights()).toEqual(without(before, moving));
  expect(after.get(idIn(top, "private granted"))).toMatchObject({ guest: "", outsider: "", teamReader: "" });
  expect(Object.keys(people)).toContain("outsider");
});

test("removing a user from a team or organization leaves the rights of a user without it and changes no other rights", async () => {
  const { team, organizationId, people } = made;
  const before = await rightsBefore();
  const changed = (rights: Rights, as: Record<string, string>): Rights =>
    new Map(
      [...rights].map(([id, of]) => [
        id,
        Object.fromEntries(Object.keys(of).map((name) => [name, of[as[name] ?? name] ?? ""])),
      ]),
    );
  await doAll("deleteTeam", [`organizationId: "${organizationId}" teamId: "${team.id}"`], "deletedId");
  const asOthers: Record<string, string> = { teamReader: "reader", teamGuest: "guest" };
  expect(await allRights()).toEqual(changed(before, asOthers));

  const removed = (id: string) => `organizationId: "${organizationId}" userId: "${id}"`;
  await doAll("removeMember", [removed(people.grantedMember.id)], "deletedId");
  asOthers["grantedMember"] = "outsider";
  expect(await allRights()).toEqual(changed(before, asOthers));

  const leave = `mutation { removeMember(input: { ${removed(people.grantedGuest.id)} }) { deletedId } }`;
  await app.as(people.grantedGuest.token).query(leave);
  asOthers["grantedGuest"] = "outsider";
  expect(await allRights()).toEqual(changed(before, asOthers));
});
