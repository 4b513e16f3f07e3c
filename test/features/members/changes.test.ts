// Changing and removing members: roles, single sign-on, leaving, and the last admin, also concurrently.
import { describe, expect, it } from "vitest";
import { addPersonIn } from "#test/features/members/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

const update = `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) {
  member { userId role organization { permissions { admin listMembers } } }
} }`;
const setSso = `mutation ($input: SetMemberSsoInput!) { setMemberSso(input: $input) { member { userId sso } } }`;
const remove = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { deletedId } }`;

const at = (organization: { id: string }, user: { id: string }) => ({
  organizationId: organization.id,
  userId: user.id,
});

function rowOf({ memberId }: Person) {
  return app.database.prisma.organizationMember.findUnique({ where: { id: memberId } });
}

async function eventsOf({ memberId }: Person) {
  const events = await app.eventsOf(memberId);
  return events.map(({ type, organizationId, actorId, payload }) => ({ type, organizationId, actorId, payload }));
}

async function outcome(person: Person, document: string, input: object): Promise<string> {
  const { data, errors } = await app
    .as(person.token)
    .graphql<{ removeMember?: { deletedId: string | null } }>(document, { input });
  return errors?.[0]?.extensions.code ?? (data?.removeMember?.deletedId === null ? "nothing" : "made");
}

describe("updateMember", () => {
  it("changes the role, null makes a guest, and the same value or no value changes nothing", async () => {
    const { organization, admin, editor } = await world.organization();
    const client = app.as(admin.token);
    for (const [given, role] of [
      [{ role: "ADMIN" }, "ADMIN"],
      [{ role: null }, null],
      [{ role: null }, null],
      [{}, null],
    ] as const) {
      const input = { ...at(organization, editor), ...given };
      expect(await client.query(update, { input })).toMatchObject({
        updateMember: { member: { userId: editor.id, role } },
      });
    }
    const event = { type: "member.updated", organizationId: organization.id, actorId: admin.id };
    const userId = editor.id;
    const change = (before: string, after: string | null) => [{ field: "role", before, after }];
    expect(await eventsOf(editor)).toEqual([
      { ...event, payload: { userId, roleBefore: "edit", role: "admin", changes: change("EDIT", "ADMIN") } },
      { ...event, payload: { userId, roleBefore: "admin", role: null, changes: change("ADMIN", null) } },
    ]);
  });

  it("returns the member with the viewer's new rights when they lower their own role", async () => {
    const { organization, admin } = await world.organization();
    const second = await world.insert((rows) => addPersonIn(rows, { organizationId: organization.id, role: "admin" }));
    const answer = (role: string | null, admin: boolean, listMembers: boolean) => ({
      updateMember: { member: { role, organization: { permissions: { admin, listMembers } } } },
    });
    const input = { ...at(organization, second), role: "EDIT" };
    expect(await app.as(second.token).query(update, { input })).toMatchObject(answer("EDIT", false, true));
    await app.as(admin.token).query(update, { input: { ...input, role: "ADMIN" } });
    expect(await app.as(second.token).query(update, { input: { ...input, role: null } })).toMatchObject(
      answer(null, false, false),
    );
  });
});

describe("the last admin of an organization", () => {
  it("can be neither lowered nor removed, however many disabled ones there are", async () => {
    const { organization, admin, disabled } = await world.organization();
    const input = at(organization, admin);
    for (const role of ["CREATE", null]) expect(await outcome(admin, update, { ...input, role })).toBe("CONFLICT");
    expect(await outcome(admin, remove, input)).toBe("CONFLICT");
    expect(await outcome(admin, update, { ...input, role: "ADMIN" })).toBe("made");
    expect(await rowOf(admin)).toMatchObject({ role: "admin" });
    expect(await outcome(admin, remove, at(organization, disabled))).toBe("made");
  });

  it.each([
    ["lowered", update, { role: "READ" }],
    ["removed", remove, {}],
  ] as const)("stays when all admins are %s concurrently", async (_done, document, given) => {
    for (const count of [2, 5]) {
      const { organization, admin } = await world.organization();
      const organizationId = organization.id;
      const others = await world.insert((rows) =>
        Array.from({ length: count - 1 }, () => addPersonIn(rows, { organizationId, role: "admin" })),
      );
      const admins = [admin, ...others];
      // Every admin lowers (or removes) the next one, the last one the first.
      const outcomes = await Promise.all(
        admins.map((person, index) => {
          const next = admins[(index + 1) % count] ?? admin;
          return outcome(person, document, { ...at(organization, next), ...given });
        }),
      );
      const left = await app.database.prisma.organizationMember.count({
        where: { organizationId, role: "admin", disabled: false },
      });
      expect(left).toBeGreaterThanOrEqual(1);
      expect(outcomes.filter((code) => code === "made")).toHaveLength(count - left);
    }
  });
});

describe("setMemberSso", () => {
  it("makes the user an SSO member permanently", async () => {
    const { organization, admin, guest } = await world.organization();
    const input = at(organization, guest);
    for (const time of [1, 2])
      expect(await app.as(admin.token).query(setSso, { input }), `${time}`).toEqual({
        setMemberSso: { member: { userId: guest.id, sso: true } },
      });
    const event = { type: "memberSso.set", organizationId: organization.id, actorId: admin.id };
    expect((await eventsOf(guest))[0]).toEqual({ ...event, payload: { userId: guest.id } });
  });
});

describe("removeMember", () => {
  it("removes teams and grants of the member, keeps the user, and reports the second time that none existed", async () => {
    const { organization, admin, invitedGuest, teamOwner, space } = await world.space();
    const see = `{ space(id: "${space.id}") { id } }`;
    expect(await app.as(invitedGuest.token).query(see)).toEqual({ space: { id: space.id } });
    for (const [person, role] of [
      [invitedGuest, null],
      [teamOwner, "read"],
    ] as const) {
      const input = at(organization, person);
      expect(await outcome(admin, remove, input)).toBe("made");
      expect(await outcome(admin, remove, input)).toBe("nothing");
      expect(await app.as(person.token).refusal(see)).toBe("NOT_FOUND");
      const event = { type: "member.removed", organizationId: organization.id, actorId: admin.id };
      expect(await eventsOf(person)).toEqual([{ ...event, payload: { userId: person.id, role } }]);
      const where = { userId: person.id };
      expect(await app.database.prisma.teamMember.count({ where })).toBe(0);
      expect(await app.database.prisma.grant.count({ where })).toBe(0);
      expect(await app.database.prisma.user.count({ where: { id: person.id } })).toBe(1);
    }
  });

  it("lets every member leave, including guests, and ends their access within the same operation", async () => {
    const { organization, reader, guest } = await world.organization();
    for (const person of [reader, guest]) {
      const twice = `mutation ($input: RemoveMemberInput!) { first: removeMember(input: $input) { deletedId } second: removeMember(input: $input) { deletedId } }`;
      const { data, errors } = await app.as(person.token).graphql(twice, { input: at(organization, person) });
      expect(data ?? null).toBeNull();
      expect(errors).toMatchObject([{ path: ["second"], extensions: { code: "NOT_FOUND" } }]);
      expect(await rowOf(person)).toBeNull();
    }
  });
});
