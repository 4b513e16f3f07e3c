// Creating organizations in GraphQL: the creator is its admin immediately, and host names are unique.
import { expect, test } from "vitest";
import { addPerson } from "#test/features/members/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const create = `mutation ($title: String!, $hostname: String) {
  createOrganization(input: { title: $title, hostname: $hostname }) { organization { id title hostname } } }`;
interface Created {
  createOrganization: { organization: { id: string; title: string; hostname: string } };
}

/** A user without an organization. */
const newcomer = () => world.insert((rows) => addPerson(rows));

async function hostnameFor(client: Client, title: string, hostname?: string): Promise<string> {
  return (await client.query<Created>(create, { title, hostname })).createOrganization.organization.hostname;
}

test("anyone can create an organization, and is its admin in the same response and from then on", async () => {
  const person = await newcomer();
  const client = app.as(person.token);
  const seen = `id permissions { view admin createContent } members { nodes { userId role } }`;
  const { createOrganization: made } = await client.query<{ createOrganization: { organization: { id: string } } }>(
    `mutation { createOrganization(input: { title: " Tide tables " }) { organization { title ${seen} } } }`,
  );
  const rights = {
    id: made.organization.id,
    permissions: { view: true, admin: true, createContent: true },
    members: { nodes: [{ userId: person.id, role: "ADMIN" }] },
  };
  expect(made.organization).toEqual({ title: "Tide tables", ...rights });
  expect(await client.query(`{ organizations { nodes { ${seen} } } }`)).toEqual({ organizations: { nodes: [rights] } });
});

test("creating an organization emits its event, with the creator", async () => {
  const person = await newcomer();
  const { createOrganization: made } = await app.as(person.token).query<Created>(create, { title: "Events" });
  const { id } = made.organization;
  expect(await app.eventsIn(id)).toMatchObject([{ type: "organization.created", subjectId: id, actorId: person.id }]);
});

test("the host name of a new organization is made from its title, with a number if it is taken", async () => {
  const client = app.as((await newcomer()).token);
  expect(await hostnameFor(client, "Café Größe & Söhne!")).toBe("cafe-gro-e-sohne");
  expect(await hostnameFor(client, "Harbour")).toBe("harbour");
  expect(await hostnameFor(client, "HARBOUR")).toBe("harbour-2");
  expect(await hostnameFor(client, "Other", "harbour-3")).toBe("harbour-3");
  expect(await hostnameFor(client, "harbour")).toBe("harbour-4");
  expect(await hostnameFor(client, "海")).toBe("organization");
  expect(await hostnameFor(client, "x".repeat(255))).toBe("x".repeat(48));
});

test("20 organizations with one title created concurrently get 20 host names", async () => {
  const client = app.as((await newcomer()).token);
  const names = await Promise.all(times(20, () => hostnameFor(client, "Rush")));
  expect(new Set(names)).toEqual(new Set(times(20, (index) => (index === 0 ? "rush" : `rush-${index + 1}`))));
});

test("the given host name of a new organization is lowercased, and unique", async () => {
  const client = app.as((await newcomer()).token);
  expect(await hostnameFor(client, "First", "Docs.Example.COM")).toBe("docs.example.com");
  expect(await client.refusal(create, { title: "Second", hostname: "docs.example.com" })).toBe("CONFLICT");
  expect(await client.query("{ organizations { totalCount } }")).toEqual({ organizations: { totalCount: 1 } });
});

test.each([
  [{ title: "  " }, "title"],
  [{ title: "x".repeat(256) }, "title"],
  [{ title: "a\u0000b" }, "title"],
  [{ title: "Host", hostname: "" }, "hostname"],
  [{ title: "Host", hostname: "-a.example.com" }, "hostname"],
  [{ title: "Host", hostname: "a..example.com" }, "hostname"],
  [{ title: "Host", hostname: "a_b" }, "hostname"],
  [{ title: "Host", hostname: "größe.example.com" }, "hostname"],
  [{ title: "Host", hostname: "x".repeat(64) }, "hostname"],
  [{ title: "Host", hostname: `${"x.".repeat(127)}x` }, "hostname"],
])("creating an organization with %j is refused and changes nothing", async (input, path) => {
  const client = app.as((await newcomer()).token);
  const { errors } = await client.graphql(create, input);
  expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path }] });
  expect(await client.query("{ organizations { totalCount } }")).toEqual({ organizations: { totalCount: 0 } });
});

const settings = "type useCase communityType emailDomains defaultRole";
const createWith = `mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { ${settings} } } }`;

test("creating an organization sets its kind, e-mail domains and the role of new members; the default is a business", async () => {
  const client = app.as((await newcomer()).token);
  const given = { type: "COMMUNITY", useCase: "OPEN_SOURCE_DOCS", communityType: "EDUCATION", defaultRole: "READ" };
  const input = { title: "Club", ...given, emailDomains: ["Club.example.com"] };
  expect(await client.query(createWith, { input })).toEqual({
    createOrganization: { organization: { ...given, emailDomains: ["club.example.com"] } },
  });
  const plain = { type: "BUSINESS", useCase: null, communityType: null, emailDomains: [], defaultRole: null };
  expect(await client.query(createWith, { input: { title: "Firm" } })).toEqual({
    createOrganization: { organization: plain },
  });
});

test.each([
  [{ communityType: "EDUCATION" }, "communityType"],
  [{ type: "BUSINESS", communityType: "EDUCATION" }, "communityType"],
  [{ emailDomains: ["example"] }, "emailDomains.0"],
])("creating an organization with the further input %j is refused and changes nothing", async (given, path) => {
  const client = app.as((await newcomer()).token);
  const { errors } = await client.graphql(createWith, { input: { title: "None", ...given } });
  expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path }] });
  expect(await client.query("{ organizations { totalCount } }")).toEqual({ organizations: { totalCount: 0 } });
});
