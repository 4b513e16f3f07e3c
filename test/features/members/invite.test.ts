// Inviting by e-mail address: known and unknown people, every form of address, and several invitations at the same
// moment.
import { describe, expect, it } from "vitest";
import { newId } from "#src/base/ids.ts";
import { addPerson } from "#test/features/members/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { People } from "#test/support/world.ts";

const { app, world } = await useApp();

const invite = `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { member {
  id userId role disabled sso lastSeenAt user { email displayName }
} } }`;

interface Invited {
  inviteMember: { member: { id: string; userId: string; role: string | null } };
}

const membersOf = ({ id: organizationId }: { id: string }) =>
  app.database.prisma.organizationMember.count({ where: { organizationId } });

describe("inviteMember", () => {
  it("makes a user of an unknown address, in lower case and named by its local part, and leaves its event", async () => {
    const { organization, admin } = await world.organization();
    const input = { organizationId: organization.id, email: "  Ann.Smith+docs@Example.COM ", role: "EDIT" };
    const { inviteMember } = await app.as(admin.token).query<Invited>(invite, { input });
    const { id, userId } = inviteMember.member;
    expect(inviteMember.member).toEqual({
      id,
      userId,
      role: "EDIT",
      disabled: false,
      sso: false,
      lastSeenAt: null,
      user: { email: "ann.smith+docs@example.com", displayName: "ann.smith+docs" },
    });
    const events = await app.eventsOf(id);
    expect(events).toMatchObject([
      { type: "member.invited", organizationId: organization.id, actorId: admin.id, payload: { userId } },
    ]);
  });

  it("makes an existing user join, who sees the organization at once", async () => {
    const { organization, admin } = await world.organization();
    const person = await world.insert((rows) => addPerson(rows));
    const input = { organizationId: organization.id, email: person.email.toUpperCase(), role: null };
    const { inviteMember } = await app.as(admin.token).query<Invited>(invite, { input });
    expect(inviteMember.member).toMatchObject({
      userId: person.id,
      role: null,
      user: { displayName: person.displayName },
    });
    expect(await app.as(person.token).query(`{ organization(id: "${organization.id}") { id } }`)).toBeDefined();
  });

  it("gives the default role of the organization when none is said", async () => {
    const { organization, admin } = await world.organization({ organization: { defaultRole: "comment" } });
    const input = { organizationId: organization.id, email: "default@example.com" };
    const { inviteMember } = await app.as(admin.token).query<Invited>(invite, { input });
    expect(inviteMember.member.role).toBe("COMMENT");
  });

  it("is CONFLICT for those who are in it, also when disabled, and makes one member of many invitations at once", async () => {
    const { organization, admin, reader, disabled } = await world.organization();
    const client = app.as(admin.token);
    for (const { email } of [reader, disabled, admin])
      expect(await client.refusal(invite, { input: { organizationId: organization.id, email } })).toBe("CONFLICT");
    const before = await membersOf(organization);
    const input = { organizationId: organization.id, email: "at-once@example.com", role: "READ" };
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.graphql(invite, { input })));
    const codes = answers.map(({ errors }) => errors?.[0]?.extensions.code ?? "made");
    expect(codes.toSorted()).toEqual(["CONFLICT", "CONFLICT", "CONFLICT", "made"]);
    expect(await membersOf(organization)).toBe(before + 1);
  });

  it("makes one user of one address that several organizations invite at once", async () => {
    const worlds = await Promise.all([world.organization(), world.organization(), world.organization()]);
    const answers = await Promise.all(
      worlds.map(({ organization, admin }) => {
        const input = { organizationId: organization.id, email: "wanted@example.com", role: "READ" };
        return app.as(admin.token).query<Invited>(invite, { input });
      }),
    );
    expect(new Set(answers.map(({ inviteMember }) => inviteMember.member.userId)).size).toBe(1);
  });

  it.each([
    "",
    "ann",
    "ann@",
    "@example.com",
    "ann@example",
    "ann@@example.com",
    "ann@ex ample.com",
    "an n@example.com",
    "Ann <ann@example.com>",
    "ann@example..com",
    "ann@-example.com",
    "ann@example.com.",
    "a\0@example.com",
    "a\ud800@example.com",
    "a\u0007@example.com",
    `${"a".repeat(65)}@example.com`,
    `a@${"b".repeat(250)}.com`,
  ])("refuses %j and makes nothing", async (email) => {
    const { organization, admin } = await world.organization();
    const before = await membersOf(organization);
    const { errors } = await app.as(admin.token).graphql(invite, { input: { organizationId: organization.id, email } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path: "email" }] });
    expect(await membersOf(organization)).toBe(before);
  });

  it.each(["o'hara@mail.example.co.uk", "用户@例子.公司", "a@b.c", `${"a".repeat(64)}@example.com`])(
    "takes %s",
    async (email) => {
      const { organization, admin } = await world.organization();
      await app.as(admin.token).query(invite, { input: { organizationId: organization.id, email } });
    },
  );

  it.each(
    Object.entries({
      admin: "made",
      creator: "FORBIDDEN",
      reader: "FORBIDDEN",
      teamOwner: "FORBIDDEN",
      guest: "FORBIDDEN",
      disabled: "NOT_FOUND",
      outsider: "NOT_FOUND",
    }) as [keyof People, string][],
  )("answers the %s: %s", async (name, expected) => {
    const { organization, people } = await world.organization();
    const input = { organizationId: organization.id, email: `by-${name}@example.com`, role: "READ" };
    const { errors } = await app.as(people[name].token).graphql(invite, { input });
    expect(errors?.[0]?.extensions.code ?? "made").toBe(expected);
    const user = await app.database.prisma.user.findUnique({ where: { email: input.email } });
    expect(user !== null).toBe(expected === "made");
  });

  it("answers for another organization as for one that does not exist", async () => {
    const { admin, elsewhere } = await world.organization();
    const answers = [elsewhere.id, newId("Organization")].map(async (organizationId) => {
      const input = { organizationId, email: "nobody@example.com" };
      const { errors } = await app.as(admin.token).graphql(invite, { input });
      return errors?.map(({ message, extensions }) => ({ message, extensions }));
    });
    const [theirs, missing] = await Promise.all(answers);
    expect(theirs).toEqual(missing);
    expect(missing?.[0]?.extensions.code).toBe("NOT_FOUND");
  });
});
