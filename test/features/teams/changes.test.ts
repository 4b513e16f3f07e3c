// Creating, renaming and deleting teams: results, refusals, and events.
import { describe, expect, it } from "vitest";
import { newId } from "#src/base/ids.ts";
import { addGrant } from "#test/features/members/factory.ts";
import { addTeam } from "#test/features/teams/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const create = `mutation ($input: CreateTeamInput!) { createTeam(input: $input) { team {
  id title memberCount createdAt organizationId members { nodes { role member { userId } } }
} } }`;
const update = `mutation ($input: UpdateTeamInput!) { updateTeam(input: $input) { team { id title } } }`;
const remove = `mutation ($input: DeleteTeamInput!) { deleteTeam(input: $input) { deletedId } }`;

interface Created {
  createTeam: {
    team: {
      id: string;
      title: string;
      memberCount: number;
      createdAt: string;
      members: { nodes: { member: { userId: string } }[] };
    };
  };
}

async function eventsOf(subjectId: string) {
  const events = await app.eventsOf(subjectId);
  return events.map(({ type, organizationId, actorId }) => ({ type, organizationId, actorId }));
}

function teamsOf({ id: organizationId }: { id: string }) {
  return app.database.prisma.team.count({ where: { organizationId } });
}

describe("createTeam", () => {
  it("creates a team with the named users, each once, and no one else", async () => {
    const { organization, admin, reader, guest } = await world.organization();
    const input = {
      organizationId: organization.id,
      title: "  Écrivains 📘 ",
      userIds: [reader.id, guest.id, reader.id],
    };
    const { createTeam } = await app.as(admin.token).query<Created>(create, { input });
    expect(createTeam.team).toMatchObject({ title: "Écrivains 📘", memberCount: 2, organizationId: organization.id });
    const rows = await app.database.prisma.teamMember.findMany({ where: { teamId: createTeam.team.id } });
    expect(rows.map(({ createdAt }) => createdAt.toISOString())).toEqual([1, 2].map(() => createTeam.team.createdAt));
    const { nodes } = createTeam.team.members;
    expect(nodes.map(({ member }) => member.userId)).toEqual([reader.id, guest.id]);
    expect(nodes).toMatchObject([{ role: "MEMBER" }, { role: "MEMBER" }]);
    expect(await eventsOf(createTeam.team.id)).toEqual([
      { type: "team.created", organizationId: organization.id, actorId: admin.id },
    ]);
  });

  it("requires no members, and counts 64 characters beyond the Basic Multilingual Plane as 64", async () => {
    const { organization, admin } = await world.organization();
    const input = { organizationId: organization.id, title: "📘".repeat(64) };
    const { createTeam } = await app.as(admin.token).query<Created>(create, { input });
    expect(createTeam.team.memberCount).toBe(0);
  });

  it.each(["", "   ", "x".repeat(65), "a\0b", "a\ud800b"])("refuses the title %j", async (title) => {
    const { organization, admin } = await world.organization();
    const { errors } = await app.as(admin.token).graphql(create, { input: { organizationId: organization.id, title } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path: "title" }] });
    expect(await teamsOf(organization)).toBe(1);
  });

  it("lists all users who are not active members of the organization, and creates nothing", async () => {
    const { organization, admin, reader, outsider, disabled } = await world.organization();
    const userIds = [reader.id, outsider.id, newId("User"), disabled.id, reader.email, "\0"];
    const input = { organizationId: organization.id, title: "Nobody", userIds };
    const { errors } = await app.as(admin.token).graphql(create, { input });
    const details = errors?.[0]?.extensions.details;
    expect(details?.map(({ path }) => path)).toEqual([1, 2, 3, 4, 5].map((index) => `userIds/${index}`));
    expect(details?.[0]?.message).toBe(`${outsider.id} is not a member of the organization.`);
    expect(details?.[2]?.message).toBe(`${disabled.id} is disabled in the organization.`);
    expect(await teamsOf(organization)).toBe(1);
    const none = { organizationId: organization.id, title: "Nobody", userIds: null };
    expect(await app.as(admin.token).refusal(create, { input: none })).toBe("INVALID_INPUT");
  });

  it("is CONFLICT for a taken title, also concurrently, and not for one of another organization", async () => {
    const { organization, elsewhere, admin, team } = await world.organization();
    await world.insert((rows) => addTeam(rows, { organizationId: elsewhere.id, title: "Twice" }));
    const client = app.as(admin.token);
    const again = { organizationId: organization.id, title: team.title };
    expect(await client.refusal(create, { input: again })).toBe("CONFLICT");
    const input = { organizationId: organization.id, title: "Twice" };
    const answers = await Promise.all([1, 2, 3].map(() => client.graphql(create, { input })));
    const codes = answers.map(({ errors }) => errors?.[0]?.extensions.code ?? "made");
    expect(codes.toSorted()).toEqual(["CONFLICT", "CONFLICT", "made"]);
  });
});

describe("updateTeam", () => {
  it("is NOT_FOUND for the organization or else the team that is missing", async () => {
    const { organization, admin, team } = await world.organization();
    const messageOf = async (place: object) => {
      const { errors } = await app.as(admin.token).graphql(update, { input: { title: "Renamed", ...place } });
      return errors?.[0]?.message;
    };
    const organizationId = organization.id;
    expect(await messageOf({ organizationId, teamId: newId("Team") })).toContain("The team does not exist");
    const nowhere = { organizationId: newId("Organization"), teamId: team.id };
    expect(await messageOf(nowhere)).toContain("The organization does not exist");
  });

  it("renames, emits its event, and is CONFLICT for the title of another team", async () => {
    const { organization, admin, team } = await world.organization();
    const other = await world.insert((rows) => addTeam(rows, { organizationId: organization.id }));
    const place = { organizationId: organization.id, teamId: team.id };
    const client = app.as(admin.token);
    expect(await client.query(update, { input: { ...place, title: "Renamed" } })).toEqual({
      updateTeam: { team: { id: team.id, title: "Renamed" } },
    });
    expect(await eventsOf(team.id)).toEqual([
      { type: "team.updated", organizationId: organization.id, actorId: admin.id },
    ]);
    expect(await client.refusal(update, { input: { ...place, title: other.title } })).toBe("CONFLICT");
    const { errors } = await client.graphql(update, { input: { ...place, title: "x".repeat(65) } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path: "title" }] });
  });
});

describe("deleteTeam", () => {
  it("removes members and grants, and reports the second time that it did not exist", async () => {
    const { organization, admin, team, space, teamGuest } = await world.space();
    await world.insert((rows) =>
      addGrant(rows, { organizationId: organization.id, spaceId: space.id, teamId: team.id, role: "read" }),
    );
    const input = { organizationId: organization.id, teamId: team.id };
    const client = app.as(admin.token);
    expect(await app.as(teamGuest.token).query(`{ space(id: "${space.id}") { id } }`)).toBeDefined();
    expect(await client.query(remove, { input })).toEqual({ deleteTeam: { deletedId: input.teamId } });
    expect(await client.query(remove, { input })).toEqual({ deleteTeam: { deletedId: null } });
    expect(await app.as(teamGuest.token).refusal(`{ space(id: "${space.id}") { id } }`)).toBe("NOT_FOUND");
    expect(await eventsOf(team.id)).toEqual([
      { type: "team.deleted", organizationId: organization.id, actorId: admin.id },
    ]);
  });
});
