// `inviteMember`, which once made anybody a member: it answers those who are in the organization, and makes nobody.
import { describe, expect, it } from "vitest";
import { newId } from "#src/base/ids.ts";
import { addPerson } from "#test/features/members/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { People } from "#test/support/world.ts";

const { app, world } = await useApp();

const invite = `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { member { userId role } } }`;

const membersOf = ({ id: organizationId }: { id: string }) =>
  app.database.prisma.organizationMember.count({ where: { organizationId } });

describe("inviteMember", () => {
  it("answers who is in the organization, disabled or not, with the role that they have", async () => {
    const { organization, admin, reader, disabled } = await world.organization();
    for (const [{ id, email }, role] of [
      [reader, "READ"],
      [disabled, "ADMIN"],
    ] as const) {
      const input = { organizationId: organization.id, email: email.toUpperCase(), role: "EDIT" };
      expect(await app.as(admin.token).query(invite, { input })).toEqual({
        inviteMember: { member: { userId: id, role } },
      });
    }
    expect(await app.eventsIn(organization.id)).toEqual([]);
  });

  it("is CONFLICT for who is not, in the same words whether they are known, and makes nobody a user or member", async () => {
    const { organization, admin } = await world.organization();
    const known = await world.insert((rows) => addPerson(rows));
    const before = await membersOf(organization);
    const answers = [known.email, "nobody@example.com"].map(async (email) => {
      const input = { organizationId: organization.id, email, role: "READ" };
      const { data, errors } = await app.as(admin.token).graphql(invite, { input });
      return JSON.stringify([data, errors]).replaceAll(email, "<address>");
    });
    const [one, other] = await Promise.all(answers);
    expect(one).toBe(other);
    expect(one).toContain("CONFLICT");
    expect(await membersOf(organization)).toBe(before);
    expect(await app.database.prisma.user.count({ where: { email: "nobody@example.com" } })).toBe(0);
  });

  it.each(
    Object.entries({
      admin: "answered",
      creator: "FORBIDDEN",
      reader: "FORBIDDEN",
      teamOwner: "FORBIDDEN",
      guest: "FORBIDDEN",
      disabled: "NOT_FOUND",
      outsider: "NOT_FOUND",
    }) as [keyof People, string][],
  )("answers the %s: %s", async (name, expected) => {
    const { organization, people } = await world.organization();
    const input = { organizationId: organization.id, email: people.reader.email };
    const { errors } = await app.as(people[name].token).graphql(invite, { input });
    expect(errors?.[0]?.extensions.code ?? "answered").toBe(expected);
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
