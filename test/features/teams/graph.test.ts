// Teams in GraphQL: the list with its filters and pages, the single team, its counts and members.
import { describe, expect, it } from "vitest";
import { addCollection } from "#test/features/collections/factory.ts";
import { addGrant, addPersonIn, type Person } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

interface Teams {
  organization: {
    teams: {
      totalCount: number;
      nodes: { id: string; title: string }[];
      pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
    };
  };
}

const listDocument = `query ($id: ID!, $ownerId: ID, $title: String, $first: Int, $after: String, $last: Int, $before: String) {
  organization(id: $id) { teams(ownerId: $ownerId, title: $title, first: $first, after: $after, last: $last, before: $before) {
    totalCount nodes { id title } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  } }
}`;

async function list(viewer: Person, variables: object) {
  const { organization } = await app.as(viewer.token).query<Teams>(listDocument, { ...variables });
  return organization.teams;
}

const titles = ({ nodes }: Teams["organization"]["teams"]) => nodes.map(({ title }) => title);

describe("Organization.teams", () => {
  it("lists only the teams of the organization, by title, and is paginated in both directions", async () => {
    const { organization, elsewhere, team, reader } = await world.organization();
    const added = await world.insert((rows) => {
      addTeam(rows, { organizationId: elsewhere.id });
      return times(6, (index) => addTeam(rows, { organizationId: organization.id, title: `Z ${index}` }).title);
    });
    const whole = [team.title, ...added];
    const id = organization.id;
    const all = await list(reader, { id });
    expect([titles(all), all.totalCount]).toEqual([whole, 7]);
    const first = await list(reader, { id, first: 4 });
    const second = await list(reader, { id, first: 4, after: first.pageInfo.endCursor });
    expect([...titles(first), ...titles(second)]).toEqual(whole);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const last = await list(reader, { id, last: 4 });
    const before = await list(reader, { id, last: 4, before: last.pageInfo.startCursor });
    expect([...titles(before), ...titles(last)]).toEqual(whole);
    expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  });

  it("filters by literal text in the title, case-insensitively", async () => {
    const { organization, reader } = await world.organization();
    await world.insert((rows) =>
      ["Docs 100%", "Öl_Team", "docks"].map((title) => addTeam(rows, { organizationId: organization.id, title })),
    );
    const by = async (title: string) => titles(await list(reader, { id: organization.id, title }));
    expect(await by("DOC")).toEqual(["Docs 100%", "docks"]);
    expect(await by("öl_t")).toEqual(["Öl_Team"]);
    expect(await by("%")).toEqual(["Docs 100%"]);
    expect(await by("nothing")).toEqual([]);
    expect(await app.as(reader.token).refusal(listDocument, { id: organization.id, title: "\0" })).toBe(
      "INVALID_INPUT",
    );
  });

  it("filters by teams that a user can manage", async () => {
    const { organization, team, ...people } = await world.organization();
    const { admin, reader, teamOwner, teamGuest, guest, disabled, outsider } = people;
    const other = await world.insert((rows) => {
      const other = addTeam(rows, { organizationId: organization.id, title: "Zebras" });
      addTeamMember(rows, other, teamOwner);
      addTeamMember(rows, other, guest, "owner"); // a guest sees no team, and so manages none
      return other;
    });
    const managedBy = async (ownerId: string) => {
      const page = await list(reader, { id: organization.id, ownerId });
      expect(page.totalCount).toBe(page.nodes.length);
      return titles(page);
    };
    expect(await managedBy(admin.id)).toEqual([team.title, other.title]);
    expect(await managedBy(teamOwner.id)).toEqual([team.title]);
    for (const { id } of [reader, teamGuest, guest, disabled, outsider, { id: "nobody" }])
      expect(await managedBy(id)).toEqual([]);
  });
});

describe("Team", () => {
  it("has every field, by its organization and by node", async () => {
    const { organization, collection, space, team, admin, teamOwner, reader } = await world.space();
    await world.insert((rows) => {
      const organizationId = organization.id;
      const inner = addCollection(rows, { organizationId, parent: collection });
      addSpace(rows, { organizationId, parent: inner });
      addSpace(rows, { organizationId, parent: collection, deletedAt: new Date() });
      addSpace(rows, { organizationId }); // without a grant
      // A second grant on the same space.
      addGrant(rows, { organizationId, spaceId: space.id, teamId: team.id, role: "read" });
      addGrant(rows, { organizationId, collectionId: inner.id, teamId: team.id, role: "read" });
    });
    const fields = `object id title createdAt organizationId memberCount spaceCount permissions { admin view } organization { title }`;
    const expected = (canManage: boolean) => ({
      object: "team",
      id: team.id,
      title: team.title,
      createdAt: new Date(team.createdAt).toISOString(),
      organizationId: organization.id,
      memberCount: 2,
      spaceCount: 2,
      permissions: { admin: canManage, view: true },
      organization: { title: organization.title },
    });
    for (const [viewer, canManage] of [
      [admin, true],
      [teamOwner, true],
      [reader, false],
    ] as const) {
      const answer = await app.as(viewer.token).query(
        `query ($organization: ID!, $team: ID!) {
          organization(id: $organization) { team(id: $team) { ${fields} } }
          node(id: $team) { ... on Team { ${fields} } }
        }`,
        { organization: organization.id, team: team.id },
      );
      expect(answer).toEqual({ organization: { team: expected(canManage) }, node: expected(canManage) });
    }
  });

  it("is NOT_FOUND under another organization, and the rest of the response is returned", async () => {
    const { organization, elsewhere, reader } = await world.organization();
    const foreign = await world.insert((rows) => addTeam(rows, { organizationId: elsewhere.id }));
    const { data, errors } = await app
      .as(reader.token)
      .graphql(`{ organization(id: "${organization.id}") { id team(id: "${foreign.id}") { id } } }`);
    expect(data).toEqual({ organization: { id: organization.id, team: null } });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(["NOT_FOUND"]);
  });

  it("lists its members with their roles in order of joining, and is paginated in both directions", async () => {
    const { organization, reader } = await world.organization();
    const { team, people } = await world.insert((rows) => {
      const team = addTeam(rows, { organizationId: organization.id });
      const people = times(5, (index) =>
        addPersonIn(rows, { organizationId: organization.id, role: index === 4 ? null : "edit" }),
      );
      people.forEach((person, index) => addTeamMember(rows, team, person, index === 0 ? "owner" : "member"));
      return { team, people };
    });
    interface Members {
      node: {
        members: {
          totalCount: number;
          nodes: { role: string; member: { userId: string } }[];
          pageInfo: { startCursor: string; endCursor: string };
        };
      };
    }
    const read = async (page: object) => {
      const { node } = await app.as(reader.token).query<Members>(
        `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { node(id: $id) { ... on Team {
          members(first: $first, after: $after, last: $last, before: $before) {
            totalCount nodes { role permissions { view } member { userId } team { id } } pageInfo { startCursor endCursor }
        } } } }`,
        { id: team.id, ...page },
      );
      return node.members;
    };
    const whole = people.map(({ id: userId }, index) => ({
      role: index === 0 ? "OWNER" : "MEMBER",
      permissions: { view: true },
      member: { userId },
      team: { id: team.id },
    }));
    expect(await read({})).toMatchObject({ totalCount: 5, nodes: whole });
    const first = await read({ first: 3 });
    const rest = await read({ first: 3, after: first.pageInfo.endCursor });
    expect([...first.nodes, ...rest.nodes]).toEqual(whole);
    const last = await read({ last: 3 });
    const before = await read({ last: 3, before: last.pageInfo.startCursor });
    expect([...before.nodes, ...last.nodes]).toEqual(whole);
  });
});
