// Changing team members: many at once by the state table, or one; refusals and events.
import { describe, expect, it } from "vitest";
import { newId } from "#src/base/ids.ts";
import { addTeamMember } from "#test/features/teams/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const update = `mutation ($input: UpdateTeamMembersInput!) { updateTeamMembers(input: $input) { team { id memberCount } } }`;
const set = `mutation ($input: SetTeamMemberInput!) { setTeamMember(input: $input) {
  teamMember { role member { userId } team { memberCount } }
} }`;
const remove = `mutation ($input: RemoveTeamMemberInput!) { removeTeamMember(input: $input) { deletedId } }`;

async function rolesIn(team: { id: string }): Promise<Record<string, string>> {
  const rows = await app.database.prisma.teamMember.findMany({ where: { teamId: team.id } });
  return Object.fromEntries(rows.map(({ userId, role }) => [userId, role]));
}

async function eventsOf({ id: organizationId }: { id: string }) {
  const events = await app.eventsIn(organizationId);
  return events.map(({ type, subjectId, payload }) => ({ type, subjectId, payload }));
}

describe("updateTeamMembers", () => {
  it("adds, removes and sets roles at once, by id and by e-mail address case-insensitively", async () => {
    const { organization, team, teamOwner, teamGuest, reader, editor, guest } = await world.organization();
    const input = {
      organizationId: organization.id,
      teamId: team.id,
      add: [reader.id, ` ${guest.email.toUpperCase()} `, teamOwner.id],
      remove: [teamGuest.email],
      memberships: [
        { user: editor.email, role: "OWNER" },
        { user: reader.id, role: "OWNER" },
      ],
    };
    expect(await app.as(teamOwner.token).query(update, { input })).toEqual({
      updateTeamMembers: { team: { id: team.id, memberCount: 4 } },
    });
    const expected = { [teamOwner.id]: "owner", [reader.id]: "owner", [editor.id]: "owner", [guest.id]: "member" };
    expect(await rolesIn(team)).toEqual(expected);
    const [event] = await eventsOf(organization);
    expect(event).toMatchObject({ type: "teamMembers.updated", subjectId: team.id });
    const payload = event?.payload as { userIds?: string[]; removedUserIds?: string[] } | undefined;
    const { userIds = [], removedUserIds } = payload ?? {};
    expect(userIds.toSorted()).toEqual(Object.keys(expected).toSorted());
    expect(removedUserIds).toEqual([teamGuest.id]);
  });

  it("prefers removal, and removes disabled members too", async () => {
    const { organization, team, admin, teamOwner, reader, disabled } = await world.organization();
    await world.insert((rows) => addTeamMember(rows, team, disabled));
    const input = {
      organizationId: organization.id,
      teamId: team.id,
      add: [reader.id, teamOwner.id, disabled.id],
      remove: [reader.email, teamOwner.id, disabled.id],
      memberships: [{ user: teamOwner.email, role: "OWNER" }],
    };
    await app.as(admin.token).query(update, { input });
    expect(Object.keys(await rolesIn(team))).toHaveLength(1);
  });

  it("lists all invalid users with their paths, and changes nothing", async () => {
    const { organization, team, admin, reader, teamGuest, outsider, disabled } = await world.organization();
    const before = await rolesIn(team);
    const nobody = newId("User");
    const input = {
      organizationId: organization.id,
      teamId: team.id,
      add: [reader.id, outsider.id, disabled.email, "a\0b"],
      remove: [teamGuest.id, outsider.email],
      memberships: [
        { user: nobody, role: "MEMBER" },
        { user: "a/b~@example.com", role: "OWNER" },
        { user: reader.id, role: "OWNER" },
        { user: reader.email, role: "MEMBER" },
      ],
    };
    const { errors } = await app.as(admin.token).graphql(update, { input });
    expect(errors?.[0]?.extensions).toEqual({
      code: "INVALID_INPUT",
      details: [
        { path: "/remove/1", message: `${outsider.email} is not a member of the organization.` },
        { path: "/add/1", message: `${outsider.id} is not a member of the organization.` },
        { path: "/add/2", message: `${disabled.email} is disabled in the organization.` },
        { path: "/add/3", message: "a\0b is not a member of the organization." },
        { path: `/memberships/${nobody}`, message: `${nobody} is not a member of the organization.` },
        { path: "/memberships/a~1b~0@example.com", message: "a/b~@example.com is not a member of the organization." },
        { path: `/memberships/${reader.email}`, message: `${reader.email} has another role in another entry.` },
      ],
    });
    expect(await rolesIn(team)).toEqual(before);
    expect(await eventsOf(organization)).toEqual([]);
  });

  it("without users changes nothing and emits no event, and refuses null", async () => {
    const { organization, team, admin } = await world.organization();
    const place = { organizationId: organization.id, teamId: team.id };
    for (const nobody of [{}, { add: [], remove: [], memberships: [] }]) {
      const input = { ...place, ...nobody };
      expect(await app.as(admin.token).query(update, { input })).toMatchObject({
        updateTeamMembers: { team: { memberCount: 2 } },
      });
    }
    for (const name of ["add", "remove", "memberships"]) {
      const { errors } = await app.as(admin.token).graphql(update, { input: { ...place, [name]: null } });
      expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path: name }] });
    }
    expect(await eventsOf(organization)).toEqual([]);
  });

  it("keeps one row per user when adding and removing concurrently, and none of users who leave", async () => {
    const { organization, team, admin, reader, editor, guest } = await world.organization();
    const place = { organizationId: organization.id, teamId: team.id };
    const client = app.as(admin.token);
    const add = [reader.id, editor.id, guest.id];
    const changes = [1, 2, 3, 4].flatMap(() => [
      client.graphql(update, { input: { ...place, add } }),
      client.graphql(update, { input: { ...place, add: add.toReversed(), remove: [editor.id] } }),
      client.graphql(set, { input: { ...place, userId: reader.id, role: "OWNER" } }),
    ]);
    const leave = `mutation { removeMember(input: { organizationId: "${organization.id}", userId: "${guest.id}" }) { deletedId } }`;
    const answers = await Promise.all([...changes, client.graphql(leave)]);
    for (const { errors } of answers) {
      for (const { extensions } of errors ?? []) expect(extensions.code).toBe("INVALID_INPUT"); // the guest had left
    }
    expect(await rolesIn(team)).toMatchObject({ [reader.id]: "owner" });
    expect(await rolesIn(team)).not.toHaveProperty(guest.id);
  });
});

describe("setTeamMember", () => {
  it("adds a member, changes the role, and without a role keeps it", async () => {
    const { organization, team, admin, guest } = await world.organization();
    const input = { organizationId: organization.id, teamId: team.id, userId: guest.id };
    const client = app.as(admin.token);
    for (const [role, expected] of [
      [undefined, "MEMBER"],
      ["OWNER", "OWNER"],
      [undefined, "OWNER"],
      ["MEMBER", "MEMBER"],
    ] as const) {
      expect(await client.query(set, { input: role ? { ...input, role } : input })).toEqual({
        setTeamMember: {
          teamMember: {
            role: expected,
            member: { userId: guest.id },
            team: { memberCount: 3 },
          },
        },
      });
    }
    const row = await app.database.prisma.teamMember.findFirstOrThrow({ where: { userId: guest.id } });
    const ids = { teamId: team.id, userId: guest.id };
    expect(await eventsOf(organization)).toEqual(
      [
        { teamRoleBefore: null, teamRole: "member" },
        { teamRoleBefore: "member", teamRole: "owner" },
        { teamRoleBefore: "owner", teamRole: "owner" },
        { teamRoleBefore: "owner", teamRole: "member" },
      ].map((roles) => ({ type: "teamMember.set", subjectId: row.id, payload: { ...ids, ...roles } })),
    );
  });

  it("refuses outsiders, disabled members, e-mail addresses and null", async () => {
    const { organization, team, admin, outsider, disabled, reader } = await world.organization();
    const place = { organizationId: organization.id, teamId: team.id };
    const code = (given: object) => app.as(admin.token).refusal(set, { input: { ...place, ...given } });
    for (const userId of [outsider.id, newId("User"), reader.email, "\0"])
      expect(await code({ userId })).toBe("NOT_FOUND");
    expect(await code({ userId: disabled.id })).toBe("INVALID_INPUT");
    expect(await code({ userId: reader.id, role: null })).toBe("INVALID_INPUT");
    expect(Object.keys(await rolesIn(team))).toHaveLength(2);
  });
});

describe("removeTeamMember", () => {
  it("removes a member, and reports the second time that they were not in the team", async () => {
    const { organization, team, teamOwner, teamGuest } = await world.organization();
    const row = await app.database.prisma.teamMember.findFirstOrThrow({ where: { userId: teamGuest.id } });
    const input = { organizationId: organization.id, teamId: team.id, userId: teamGuest.id };
    const client = app.as(teamOwner.token);
    expect(await client.query(remove, { input })).toEqual({
      removeTeamMember: { deletedId: expect.any(String) as string },
    });
    expect(await client.query(remove, { input })).toEqual({ removeTeamMember: { deletedId: null } });
    expect(await rolesIn(team)).toEqual({ [teamOwner.id]: "owner" });
    const payload = { teamId: team.id, userId: teamGuest.id, teamRole: "member" };
    expect(await eventsOf(organization)).toEqual([{ type: "teamMember.removed", subjectId: row.id, payload }]);
  });
});
