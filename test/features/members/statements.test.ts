// SQL statements of member lists: a fixed number for any page size and number of parents.
import { beforeAll, describe, expect, it } from "vitest";
import { addMember, addPersonIn } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();
let client: Client;
let id: string;

/** 22 organizations of the same admin, each with 22 members in 22 teams, and 22 spaces in the first. */
beforeAll(async () => {
  await world.insert((rows) => {
    const first = addOrganization(rows, { title: "0" });
    const admin = addPersonIn(rows, { organizationId: first.id, role: "admin" });
    const others = times(21, () => {
      const organization = addOrganization(rows);
      addMember(rows, { organizationId: organization.id, userId: admin.id, role: "admin" });
      return organization;
    });
    for (const { id: organizationId } of [first, ...others]) {
      const people = times(22, () => addPersonIn(rows, { organizationId, role: "edit" }));
      for (const team of times(22, () => addTeam(rows, { organizationId })))
        for (const person of people) addTeamMember(rows, team, person);
    }
    times(22, () => addSpace(rows, { organizationId: first.id }));
    client = app.as(admin.token);
    id = first.id;
  });
});

const member = `userId role spaceCount teamCount user { displayName }`;
const page = `pageInfo { hasNextPage endCursor } totalCount`;

describe("the number of SQL statements", () => {
  it.each([
    // organization, members, user, spaceCount of the organization, total
    ["members", 5, `members(first: $n) { nodes { ${member} } ${page} }`],
    // organization, members; spaces, total, the space
    [
      "spaces of members",
      5,
      `members(first: $n) { nodes { spaces(first: $n) { nodes { permission space { title } } ${page} } } }`,
    ],
    // organization, members; teams, total, the team; the membership in the organization has been read
    [
      "teams of members",
      5,
      `members(first: $n) { nodes { teams(first: $n) { nodes { team { title } member { role } } ${page} } } }`,
    ],
    // organization, teams, total; members, total; the membership, user, spaceCount
    [
      "members of teams",
      8,
      `teams(first: $n) { nodes { title memberCount spaceCount permissions { admin }
        members(first: $n) { nodes { role member { ${member} } } ${page} } } ${page} }`,
    ],
  ])("for %s is %i for 2 and 20 rows, below 2 and 20 parents", async (_what, expected, selection) => {
    const document = `query ($id: ID!, $n: Int!) { organization(id: $id) { ${selection} } }`;
    const counts = [
      await client.statements(document, { id, n: 1 }),
      await client.statements(document, { id, n: 2 }),
      await client.statements(document, { id, n: 20 }),
    ];
    expect(counts).toEqual([expected, expected, expected]);
  });

  it.each([
    ["members", 5, `members(first: 5) { nodes { ${member} } ${page} }`],
    ["teams", 3, `teams(first: 5, ownerId: "usr_nobody", title: "team") { nodes { title memberCount } ${page} }`],
  ])("for the %s of organizations is %i for 1 and 20 parents", async (_what, expected, selection) => {
    const document = `query ($n: Int!) { organizations(first: $n) { nodes { ${selection} } } }`;
    const counts = [await client.statements(document, { n: 1 }), await client.statements(document, { n: 20 })];
    expect(counts).toEqual([expected, expected]);
  });
});
