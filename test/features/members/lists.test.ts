// Filters and orders of lists of members, teams, sites and organizations in GraphQL.
import { beforeAll, expect, test } from "vitest";
import { addMember, addPersonIn } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addSite } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { readList } from "#test/support/list-reader.ts";

const { app, world } = await useApp();
let client: Client;
let ids: Readonly<Record<"organization" | "team" | "zoe" | "anna" | "zoeMember", string>>;

beforeAll(async () => {
  ids = await world.insert((rows) => {
    const { id: organizationId } = addOrganization(rows, { title: "beta" });
    const person = (displayName: string, role: "admin" | "read" | null, disabled = false) =>
      addPersonIn(
        rows,
        { organizationId, role, disabled },
        { displayName, email: `${displayName.toLowerCase()}@people.example.com` },
      );
    const [zoe, anna, ben] = [person("Zoe", "admin"), person("anna", "read"), person("Ben", null, true)];
    client = app.as(zoe.token);
    for (const title of ["Alpha", "gamma"])
      addMember(rows, {
        organizationId: addOrganization(rows, { title, createdAt: `202${title.length}-01-01T00:00:00Z` }).id,
        userId: zoe.id,
        role: "read",
      });
    const team = addTeam(rows, { organizationId, title: "writers", createdAt: "2026-02-02T00:00:00Z" });
    const other = addTeam(rows, { organizationId, title: "Editors", createdAt: "2026-02-03T00:00:00Z" });
    for (const each of [zoe, ben, anna]) addTeamMember(rows, team, each, each === anna ? "owner" : "member");
    addTeamMember(rows, other, zoe);
    for (const [title, visibility] of [
      ["docs", "public"],
      ["Blog", "unlisted"],
      ["api", "share_link"],
    ] as const)
      addSite(rows, { organizationId, title, visibility, ...(visibility === "share_link" && { shareKey: "k" }) });
    for (const title of ["notes", "Ideas"]) addSpace(rows, { organizationId, title });
    return { organization: organizationId, team: team.id, zoe: zoe.id, anna: anna.id, zoeMember: zoe.memberId };
  });
});

const inOrganization = (list: string, field: string) =>
  readList(client, ["Organization", ids.organization], list, field);

async function memberNames(type: "Organization" | "Team", id: string, given: string, by = client): Promise<string[]> {
  const { node } = await by.query<{ node: { members: { nodes: { user: { displayName: string } }[] } } }>(
    `{ node(id: "${id}") { ... on ${type} { members${given} { nodes { user { displayName } } } } } }`,
  );
  return node.members.nodes.map(({ user }) => user.displayName);
}

test("members can be filtered by role, name and disabled, and sorted by name case-insensitively", async () => {
  const names = (given: string) => memberNames("Organization", ids.organization, given);
  expect(await names("")).toEqual(["Ben", "anna", "Zoe"]);
  expect(await names("(orderBy: { field: JOINED_AT })")).toEqual(["Zoe", "anna", "Ben"]);
  expect(await names("(orderBy: { field: DISPLAY_NAME })")).toEqual(["anna", "Ben", "Zoe"]);
  expect(await names("(orderBy: { field: DISPLAY_NAME, direction: DESC })")).toEqual(["Zoe", "Ben", "anna"]);
  expect(await names("(orderBy: { field: LAST_SEEN_AT })")).toEqual([]);
  expect(await names("(disabled: true)")).toEqual(["Ben"]);
  expect(await names('(disabled: false, search: "PEOPLE", role: READ)')).toEqual(["anna"]);
});

test("members of a team can be filtered by role and name, and sorted by name", async () => {
  const names = (given: string) => memberNames("Team", ids.team, given);
  expect(await names("")).toEqual(["Zoe", "Ben", "anna"]);
  expect(await names("(orderBy: { field: DISPLAY_NAME, direction: DESC })")).toEqual(["Zoe", "Ben", "anna"]);
  expect(await names("(orderBy: { field: DISPLAY_NAME })")).toEqual(["anna", "Ben", "Zoe"]);
  expect(await names("(orderBy: { field: CREATED_AT, direction: DESC })")).toEqual(["anna", "Ben", "Zoe"]);
  expect(await names("(role: OWNER)")).toEqual(["anna"]);
  expect(await names('(role: MEMBER, search: "b")')).toEqual(["Ben"]);
});

test("a new name of a user changes the order of their memberships, and new members are sorted by name", async () => {
  const { organization, admin, reader, team, teamOwner } = await world.organization();
  for (const [{ id }, displayName] of [
    [admin, "zz"],
    [teamOwner, "Zy"],
  ] as const)
    await app.database.prisma.user.update({ where: { id }, data: { displayName } });
  await world.insert((rows) =>
    addPersonIn(rows, { organizationId: organization.id, role: "read" }, { displayName: "Áa" }),
  );
  const asReader = app.as(reader.token);
  const names = await memberNames("Organization", organization.id, "(orderBy: { field: DISPLAY_NAME })", asReader);
  expect(names.slice(-3)).toEqual(["Zy", "zz", "Áa"]); // by code points: letters with accents come after z
  expect(await memberNames("Team", team.id, "(orderBy: { field: DISPLAY_NAME })", asReader)).toEqual([
    "Team guest",
    "Zy",
  ]);
});

test("teams can be filtered by title and member", async () => {
  expect(await inOrganization("teams", "title")).toEqual(["Editors", "writers"]);
  expect(await inOrganization(`teams(userId: "${ids.anna}")`, "title")).toEqual(["writers"]);
  expect(
    await inOrganization(`teams(userId: "${ids.zoe}", title: "E", orderBy: { field: CREATED_AT })`, "title"),
  ).toEqual(["writers", "Editors"]);
  expect(await inOrganization("teams(orderBy: { field: TITLE, direction: DESC })", "title")).toEqual([
    "writers",
    "Editors",
  ]);
});

test("sites can be filtered by visibility, and sorted by title case-insensitively", async () => {
  expect(await inOrganization("sites", "title")).toEqual(["docs", "Blog", "api"]);
  expect(await inOrganization("sites(visibilities: [UNLISTED, SHARE_LINK])", "title")).toEqual(["Blog", "api"]);
  expect(await inOrganization("sites(orderBy: { field: TITLE })", "title")).toEqual(["api", "Blog", "docs"]);
  expect(await inOrganization('sites(orderBy: { field: CREATED_AT, direction: DESC }, title: "O")', "title")).toEqual([
    "Blog",
    "docs",
  ]);
});

test("the viewer's organizations can be filtered by title, and sorted by title or age", async () => {
  const titles = async (given: string) => {
    const { organizations } = await client.query<{ organizations: { nodes: { title: string }[] } }>(
      `{ organizations${given} { nodes { title } } }`,
    );
    return organizations.nodes.map(({ title }) => title);
  };
  expect(await titles("")).toEqual(["Alpha", "beta", "gamma"]);
  expect(await titles('(title: "A", orderBy: { field: TITLE, direction: DESC })')).toEqual(["gamma", "beta", "Alpha"]);
  expect(await titles('(title: "alp")')).toEqual(["Alpha"]);
  expect((await titles("(orderBy: { field: CREATED_AT })")).at(-1)).toBe("beta");
});

test("the spaces of a member can be filtered by title and sorted in every order", async () => {
  const titles = async (given: string) => {
    const { node } = await client.query<{ node: { spaces: { nodes: { space: { title: string } }[] } } }>(
      `{ node(id: "${ids.zoeMember}") { ... on OrganizationMember { spaces${given} { nodes { space { title } } } } } }`,
    );
    return node.spaces.nodes.map(({ space }) => space.title);
  };
  expect(await titles("")).toEqual(["Ideas", "notes"]);
  expect(await titles("(orderBy: { field: CREATED_AT })")).toEqual(["notes", "Ideas"]);
  expect(await titles("(orderBy: { field: TITLE, direction: DESC })")).toEqual(["notes", "Ideas"]);
  expect(await titles('(title: "NOTE")')).toEqual(["notes"]);
});
