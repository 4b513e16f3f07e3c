// Visibility of integrations in every list and lookup, and the filters of lists.
import { describe, expect, test } from "vitest";
import { addIntegration } from "#test/features/integrations/factory.ts";
import { useApp } from "#test/support/app.ts";

// Has its own database: lists begin with the integrations of all organizations.
const { app, world } = await useApp({ own: true });

const made = await world.organization();
const organizationId = made.organization.id;
const found = await world.insert((rows) => {
  const add = (visibility: "public" | "private" | "unlisted") =>
    addIntegration(rows, { organizationId, visibility, name: `tides-${visibility}`, createdById: made.admin.id });
  return { public: add("public"), private: add("private"), unlisted: add("unlisted") };
});
type Visibility = keyof typeof found;

const members = ["admin", "creator", "reviewer", "editor", "commenter", "reader", "teamOwner"] as const;
const others = ["guest", "invitedGuest", "teamGuest", "disabled", "outsider"] as const;
type Name = (typeof members)[number] | (typeof others)[number];

/** Ways to all three integrations, which return their ids. */
const ways = {
  node: Object.entries(found)
    .map(([name, { id }]) => `${name}: node(id: "${id}") { id }`)
    .join(" "),
  name: Object.values(found)
    .map(({ name }, index) => `_${index}: integration(name: "${name}") { id }`)
    .join(" "),
  list: "integrations { nodes { id } }",
  owner: `integrations(organizationId: "${organizationId}") { nodes { id } }`,
  organization: `organization(id: "${organizationId}") { integrations { nodes { id } } }`,
};

async function findVisibilities(name: Name, way: keyof typeof ways): Promise<Visibility[]> {
  const { data } = await app.as(made.people[name].token).graphql(`{ ${ways[way]} }`);
  const text = JSON.stringify(data ?? null);
  return (["public", "private", "unlisted"] as const).filter((visibility) => text.includes(found[visibility].id));
}

const all: Visibility[] = ["public", "private", "unlisted"];
const rules: Readonly<Record<keyof typeof ways, Visibility[]>> = {
  node: ["public", "unlisted"],
  name: ["public", "unlisted"],
  list: ["public"],
  owner: ["public"],
  organization: [],
};

describe.each(Object.keys(ways) as (keyof typeof ways)[])("integrations read by %s", (way) => {
  test("are all visible to members of their organization", async () => {
    for (const name of members) expect([name, await findVisibilities(name, way)]).toEqual([name, all]);
  });
  test("are visible to others unless private, and lists contain only public ones", async () => {
    for (const name of others) expect([name, await findVisibilities(name, way)]).toEqual([name, rules[way]]);
  });
});

test("cannot be listed by guests of the organization", async () => {
  const document = `{ organization(id: "${organizationId}") { integrations { totalCount } } }`;
  const { errors } = await app.as(made.guest.token).graphql(document);
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(["FORBIDDEN"]);
});

describe("flags and links of integrations", async () => {
  const document = (name: string) =>
    `{ integration(name: "${name}") { permissions { admin install } organization { id } publisher { id } urls { location icon } } }`;
  const of = async (name: Name | "elsewhere", visibility: Visibility) => {
    const token = name === "elsewhere" ? elsewhere.admin.token : made.people[name].token;
    return (await app.as(token).query<{ integration: object }>(document(`tides-${visibility}`))).integration;
  };
  const elsewhere = await world.organization();
  const urls = { location: `${app.url}/v1/integrations/tides-public`, icon: null };
  const publisher = { id: organizationId };

  test("let only admins publish and install", async () => {
    const organization = { id: organizationId };
    const permissions = (admin: boolean) => ({ admin, install: admin });
    const shown = { organization, publisher, urls };
    expect(await of("admin", "public")).toEqual({ permissions: permissions(true), ...shown });
    expect(await of("creator", "public")).toEqual({ permissions: permissions(false), ...shown });
  });

  test("let admins of other organizations install integrations that are not private", async () => {
    const permissions = { admin: false, install: true };
    expect(await of("elsewhere", "public")).toEqual({ permissions, organization: null, publisher, urls });
  });
});

describe("lists of integrations in /v1", async () => {
  const { admin, organization } = await world.organization();
  await world.insert((rows) => {
    const given = { organizationId: organization.id, visibility: "public" as const };
    addIntegration(rows, { ...given, name: "Alpha", categories: ["visitor_auth"], scopes: ["site:visitor:auth"] });
    addIntegration(rows, {
      ...given,
      name: "beta",
      hasBlocks: true,
      blockDomains: ["maps.example.com", "b.example.com"],
    });
    addIntegration(rows, { ...given, name: "gamma", hasContentSources: true, target: "site" });
  });
  const client = app.as(admin.token);
  const listed = async (query: string) => {
    const path = `/v1/integrations?owner=${organization.id}&${query}`;
    const { status, body } = await client.rest<{ items: { name: string }[]; count: number }>("GET", path);
    expect([query, status, body.count]).toEqual([query, 200, body.items.length]);
    return body.items.map(({ name }) => name);
  };

  test.each([
    ["", ["Alpha", "beta", "gamma"]],
    ["search=ALPH", ["Alpha"]],
    ["search=%25", []],
    ["category=visitor-auth", ["Alpha"]],
    ["scope=site:visitor:auth", ["Alpha"]],
    ["blocks=true", ["beta"]],
    ["blocks=false", ["Alpha", "gamma"]],
    ["contentSources=true", ["gamma"]],
    ["contentSources=false", ["Alpha", "beta"]],
    ["blockDomain=maps.example.com", ["beta"]],
    ["blockDomain=Maps.Example.com&blockDomain=other.example.com", ["beta"]],
    ["blockDomain=example.com", []],
    ["target=site", ["gamma"]],
    ["target=all&blocks=false", ["Alpha"]],
  ])("return matching integrations for the filter %s", async (query, names) => {
    expect(await listed(query)).toEqual(names);
  });

  test.each([
    ["blockDomain=https%3A%2F%2Fexample.com", "blockDomain"],
    ["blockDomain=", "blockDomain"],
    ["category=visitor_auth", "category"],
    ["scope=everything", "scope"],
    ["target=somewhere", "target"],
    ["blocks=maybe", "blocks"],
  ])("return 400 for the filter %s", async (query, path) => {
    const { status, body } = await client.rest<{ error: { details: { path: string }[] } }>(
      "GET",
      `/v1/integrations?${query}`,
    );
    expect([status, body.error.details.map((detail) => detail.path)]).toEqual([400, [path]]);
  });

  test("find those of another organization by its id, and none by an unknown id", async () => {
    const document = `query ($id: ID!) { integrations(organizationId: $id) { totalCount } }`;
    const count = async (id: string) => (await client.query(document, { id }))["integrations"];
    expect([await count(organizationId), await count("nobody")]).toEqual([{ totalCount: 1 }, { totalCount: 0 }]);
  });
});

test("return 404 for an unknown or private name, 400 for an invalid one", async () => {
  const status = async (name: string) =>
    (await app.as(made.outsider.token).rest("GET", `/v1/integrations/${name}`)).status;
  expect([await status("nobody"), await status("tides-private"), await status("a%20b")]).toEqual([404, 404, 400]);
  expect(await status("x".repeat(101))).toBe(400);
});
