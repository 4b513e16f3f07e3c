// Lists of spaces and collections in GraphQL: filters, orders, and refused arguments.
import { beforeAll, describe, expect, test } from "vitest";
import { addCollection } from "#test/features/collections/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { readList } from "#test/support/list-reader.ts";

const { app, world } = await useApp();
let client: Client;
let organizationId: string;
let ids: { top: string; inner: string };

/** Two at the top and three in the inner collection; letter cases and times are in another order than the positions. */
const made = [
  {
    title: "beta",
    inside: false,
    visibility: "public",
    createdAt: "2026-03-02T00:00:00Z",
    updatedAt: "2026-05-01T00:00:00Z",
  },
  {
    title: "Alpha",
    inside: false,
    visibility: "private",
    createdAt: "2026-03-05T00:00:00Z",
    updatedAt: "2026-05-02T00:00:00Z",
  },
  {
    title: "delta",
    inside: true,
    visibility: "in_collection",
    createdAt: "2026-03-01T00:00:00Z",
    updatedAt: "2026-05-05T00:00:00Z",
  },
  {
    title: "Gamma 100%",
    inside: true,
    visibility: "unlisted",
    createdAt: "2026-03-04T00:00:00Z",
    updatedAt: "2026-05-03T00:00:00Z",
  },
  {
    title: "épsilon",
    inside: true,
    visibility: "in_collection",
    createdAt: "2026-03-03T00:00:00Z",
    updatedAt: "2026-05-04T00:00:00Z",
  },
] as const;

beforeAll(async () => {
  const { organization, admin } = await world.organization();
  organizationId = organization.id;
  client = app.as(admin.token);
  ids = await world.insert((rows) => {
    const top = addCollection(rows, { organizationId, title: "zeta" });
    const inner = addCollection(rows, { organizationId, parent: top, title: "Eta" });
    for (const { inside, ...given } of made) {
      addSpace(rows, { organizationId, ...given, ...(inside && { parent: inner }) });
      addCollection(rows, { organizationId, ...(inside && { parent: inner }), ...without(given, "visibility") });
    }
    return { top: top.id, inner: inner.id };
  });
});

function without<Of extends object, Name extends keyof Of>(of: Of, name: Name): Omit<Of, Name> {
  const { [name]: _left, ...others } = of;
  return others;
}

const inOrganization = (list: string) => readList(client, ["Organization", organizationId], list, "title");
const inCollection = (list: string) => readList(client, ["Collection", ids.inner], list, "title");
const titlesBy = (key: "createdAt" | "updatedAt", of: readonly (typeof made)[number][] = made) =>
  of.toSorted((one, other) => (one[key] < other[key] ? -1 : 1)).map(({ title }) => title);
const inside = made.filter((each) => each.inside);

describe("the list of an organization's spaces", () => {
  test("contains all, oldest first, without arguments", async () => {
    expect(await inOrganization("spaces")).toEqual(made.map(({ title }) => title));
  });

  test.each([
    ["nested: false", ["beta", "Alpha"]],
    ["nested: true", made.map(({ title }) => title)],
    ['title: "A 1"', ["Gamma 100%"]],
    ['title: "00%"', ["Gamma 100%"]],
    ['title: "É"', ["épsilon"]],
    ["visibilities: [PUBLIC, UNLISTED]", ["beta", "Gamma 100%"]],
    ["visibilities: PRIVATE", ["Alpha"]],
    ["visibilities: []", []],
    ['title: "a", nested: false, visibilities: [PUBLIC]', ["beta"]],
  ])("is filtered by %s", async (given, titles) => {
    expect(await inOrganization(`spaces(${given})`)).toEqual(titles);
  });

  test("is filtered by direct parent collection", async () => {
    expect(await inOrganization(`spaces(parentId: "${ids.inner}")`)).toEqual(inside.map(({ title }) => title));
    expect(await inOrganization(`spaces(parentId: "${ids.top}")`)).toEqual([]);
    expect(await inOrganization(`spaces(parentId: "${ids.inner}", nested: false)`)).toEqual([]);
  });

  test("is sorted by title case-insensitively, and by times, in both directions", async () => {
    const byTitle = ["Alpha", "beta", "delta", "Gamma 100%", "épsilon"];
    expect(await inOrganization("spaces(orderBy: { field: TITLE })")).toEqual(byTitle);
    expect(await inOrganization("spaces(orderBy: { field: TITLE, direction: DESC })")).toEqual(byTitle.toReversed());
    expect(await inOrganization("spaces(orderBy: { field: CREATED_AT })")).toEqual(titlesBy("createdAt"));
    expect(await inOrganization("spaces(orderBy: { field: UPDATED_AT, direction: DESC })")).toEqual(
      titlesBy("updatedAt").toReversed(),
    );
    expect(await inOrganization("spaces(nested: false, orderBy: { field: POSITION, direction: DESC })")).toEqual([
      "Alpha",
      "beta",
    ]);
  });
});

test("the list of a collection's spaces has the same filters and orders, and is in tree order without one", async () => {
  expect(await inCollection("spaces")).toEqual(inside.map(({ title }) => title));
  expect(await inCollection('spaces(title: "DEL", visibilities: IN_COLLECTION)')).toEqual(["delta"]);
  expect(await inCollection("spaces(orderBy: { field: TITLE })")).toEqual(["delta", "Gamma 100%", "épsilon"]);
  expect(await inCollection("spaces(orderBy: { field: CREATED_AT })")).toEqual(titlesBy("createdAt", inside));
  expect(await inCollection("spaces(orderBy: { field: UPDATED_AT })")).toEqual(titlesBy("updatedAt", inside));
});

test("lists of collections have the same filters and orders", async () => {
  expect(await inOrganization("collections(nested: false)")).toEqual(["zeta", "beta", "Alpha"]);
  expect(await inOrganization('collections(title: "ETA")')).toEqual(["zeta", "Eta", "beta"]);
  expect(await inOrganization(`collections(parentId: "${ids.top}")`)).toEqual(["Eta"]);
  expect(await inOrganization("collections(nested: false, orderBy: { field: TITLE })")).toEqual([
    "Alpha",
    "beta",
    "zeta",
  ]);
  expect(await inCollection("collections(orderBy: { field: UPDATED_AT, direction: DESC })")).toEqual(
    titlesBy("updatedAt", inside).toReversed(),
  );
  expect(await inCollection('collections(title: "delta")')).toEqual(["delta"]);
});

test("pages of an ordered list continue by cursor, and a cursor of another order is refused", async () => {
  const page = (given: string) =>
    `{ organization(id: "${organizationId}") { spaces(first: 2, ${given}) { nodes { title } pageInfo { endCursor } } } }`;
  interface Found {
    organization: { spaces: { nodes: { title: string }[]; pageInfo: { endCursor: string } } };
  }
  const first = (await client.query<Found>(page("orderBy: { field: TITLE }"))).organization.spaces;
  const after = `after: "${first.pageInfo.endCursor}"`;
  const second = (await client.query<Found>(page(`orderBy: { field: TITLE }, ${after}`))).organization.spaces;
  expect([first, second].flatMap(({ nodes }) => nodes.map(({ title }) => title))).toEqual([
    "Alpha",
    "beta",
    "delta",
    "Gamma 100%",
  ]);
  for (const other of [
    "orderBy: { field: CREATED_AT }",
    "orderBy: { field: TITLE, direction: DESC }",
    "nested: true",
  ]) {
    const { errors } = await client.graphql(page(`${other}, ${after}`));
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path: "after" }] });
    expect(errors?.[0]?.message).toContain("must be a cursor of this list in this order");
  }
});

test("guests find only visible spaces and collections with every filter and order", async () => {
  const { organization, invitedGuest, guest, collection } = await world.space();
  const hidden = await world.insert((rows) =>
    addSpace(rows, { organizationId: organization.id, title: "Space hidden" }),
  );
  const found = (token: string, list: string) => readList(app.as(token), ["Organization", organization.id], list);
  for (const list of [
    'spaces(title: "space")',
    "spaces(orderBy: { field: TITLE })",
    `spaces(parentId: "${collection.id}")`,
  ]) {
    expect(await found(invitedGuest.token, list)).toHaveLength(1);
    expect(await found(guest.token, list)).toEqual([]);
  }
  expect(await found(invitedGuest.token, "spaces(nested: false)")).not.toContain(hidden.id);
});
