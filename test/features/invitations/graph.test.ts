// Invitations in GraphQL: created by admins, the same for known and unknown addresses, and accepted or declined by the
// owner of the address; until then they are not a member.
import { describe, expect, it, test } from "vitest";
import { removeOverInvitations } from "#src/features/invitations/commands.ts";
import { addInvitation } from "#test/features/invitations/factory.ts";
import { addPerson } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const start = new Date("2090-06-01T12:00:00Z"); // lists use the clock of the database, which is behind this one
const day = 24 * 3_600_000;
let now = start;
// Has its own database: sets the clock.
const { app, world } = await useApp({ own: true, clock: { now: () => now } });
const { prisma } = app.database;

const create = `mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { invitation {
  id email role createdAt expiresAt createdBy { id } organization { __typename id title } } } }`;
const accept = `mutation ($id: ID!) { acceptInvitation(input: { invitationId: $id }) { organization { id permissions { view listMembers } } } }`;
const decline = `mutation ($id: ID!) { declineInvitation(input: { invitationId: $id }) { deletedId } }`;
const withdraw = `mutation ($input: WithdrawInvitationInput!) { withdrawInvitation(input: $input) { deletedId organization { id } } }`;
const own = `{ invitations { totalCount nodes { id role createdBy { id } organization { __typename id title } } } organizations { nodes { id } } }`;

interface Created {
  createInvitation: { invitation: { id: string; email: string; role: string | null } };
}

const person = (given: object = {}) => world.insert((rows) => addPerson(rows, given));
/** An invitation that is created directly in the database. */
const invited = (organizationId: string, given: object = {}) =>
  world.insert((rows) => addInvitation(rows, { organizationId, ...given }));
const eventsOf = async (organizationId: string) =>
  (await app.eventsIn(organizationId)).map(({ type, subjectId, actorId }) => [type, subjectId, actorId]);
const memberOf = (organizationId: string, userId: string) =>
  prisma.organizationMember.findUnique({ where: { organizationId_userId: { organizationId, userId } } });

describe("an invited user", () => {
  it("is not in the organization before accepting, sees only its name, and is a member immediately after", async () => {
    now = start;
    const { organization, admin } = await world.organization();
    const victim = await person();
    const input = { organizationId: organization.id, email: `  ${victim.email.toUpperCase()} `, role: "EDIT" };
    const { createInvitation } = await app.as(admin.token).query<Created>(create, { input });
    const { id } = createInvitation.invitation;
    const { title } = organization;
    expect(createInvitation.invitation).toEqual({
      id: expect.stringMatching(/^ivt_/),
      email: victim.email,
      role: "EDIT",
      createdAt: start.toISOString(),
      expiresAt: new Date(start.getTime() + 14 * day).toISOString(),
      createdBy: { id: admin.id },
      organization: { __typename: "Organization", id: organization.id, title },
    });
    const client = app.as(victim.token);
    const shown = { __typename: "OrganizationPreview", id: organization.id, title };
    const invitation = { id, role: "EDIT", createdBy: { id: admin.id }, organization: shown };
    const open = { invitations: { totalCount: 1, nodes: [invitation] }, organizations: { nodes: [] } };
    expect(await client.query(own)).toEqual(open);
    expect(await memberOf(organization.id, victim.id)).toBeNull();
    const inside = { organization: { id: organization.id, permissions: { view: true, listMembers: true } } };
    for (let again = 0; again < 2; again += 1)
      expect(await client.query(accept, { id })).toEqual({ acceptInvitation: inside });
    expect(await client.query(own)).toEqual({
      invitations: { totalCount: 0, nodes: [] },
      organizations: { nodes: [{ id: organization.id }] },
    });
    const member = await memberOf(organization.id, victim.id);
    expect(member).toMatchObject({ role: "edit", disabled: false, joinedAt: now });
    expect(await eventsOf(organization.id)).toEqual([
      ["invitation.created", id, admin.id],
      ["invitation.accepted", id, victim.id],
      ["member.joined", member?.id, victim.id],
    ]);
  });

  it("gets the default role if none is given, and is a guest by null", async () => {
    const { organization, admin } = await world.organization({ organization: { defaultRole: "comment" } });
    const roleOf = async (email: string, given: object) => {
      const input = { organizationId: organization.id, email, ...given };
      return (await app.as(admin.token).query<Created>(create, { input })).createInvitation.invitation.role;
    };
    expect(await roleOf("default@example.com", {})).toBe("COMMENT");
    expect(await roleOf("guest@example.com", { role: null })).toBeNull();
  });

  it("can decline: the invitation is deleted, and the organization receives an event without the user", async () => {
    const { organization, admin } = await world.organization();
    const victim = await person();
    const { id } = await invited(organization.id, { email: victim.email, role: "read" });
    const client = app.as(victim.token);
    expect(await client.query(decline, { id })).toEqual({ declineInvitation: { deletedId: id } });
    expect(await client.query(decline, { id })).toEqual({ declineInvitation: { deletedId: null } });
    expect(await client.refusal(accept, { id })).toBe("NOT_FOUND");
    expect(await eventsOf(organization.id)).toEqual([["invitation.declined", id, null]]);
    const audited = await prisma.auditEntry.findMany({ where: { organizationId: organization.id } });
    expect(audited.map(({ type, actorId }) => [type, actorId])).toEqual([]);
    const list = `{ organization(id: "${organization.id}") { activity { nodes { __typename actor { id } } } invitations { totalCount } } }`;
    const listed = JSON.stringify(await app.as(admin.token).query(list));
    expect(listed).toContain('"totalCount":0');
    expect(listed).not.toContain(victim.id);
  });

  it("keeps the role of an existing membership, and cannot accept while it is disabled", async () => {
    const { organization, reader, disabled } = await world.organization();
    const mine = await invited(organization.id, { email: reader.email, role: "admin" });
    await app.as(reader.token).query(accept, { id: mine.id });
    expect(await memberOf(organization.id, reader.id)).toMatchObject({ role: "read" });
    const off = await invited(organization.id, { email: disabled.email, role: "admin" });
    expect(await app.as(disabled.token).refusal(accept, { id: off.id })).toBe("FORBIDDEN");
    expect(await memberOf(organization.id, disabled.id)).toMatchObject({ disabled: true });
  });

  it("joins once when accepting ten times concurrently, and cannot accept again after being removed", async () => {
    const { organization, admin } = await world.organization();
    const newcomer = await person();
    const { id } = await invited(organization.id, { email: newcomer.email, role: "read" });
    await Promise.all(times(10, () => app.as(newcomer.token).query(accept, { id })));
    const events = await eventsOf(organization.id);
    expect(events.map(([type]) => type)).toEqual(["invitation.accepted", "member.joined"]);
    const input = { organizationId: organization.id, userId: newcomer.id };
    await app
      .as(admin.token)
      .query(`mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { deletedId } }`, { input });
    expect(await app.as(newcomer.token).refusal(accept, { id })).toBe("NOT_FOUND");
  });
});

test("invitations to known and unknown addresses return the same, create no user, and reveal nothing about a person", async () => {
  const { organization, admin } = await world.organization();
  const known = await person({ photoURL: "https://example.com/me.png" });
  const before = await prisma.user.count();
  const fields = `{ createInvitation(input: $input) { invitation { email role expiresAt createdBy { id } organization { id } } } }`;
  const [one, other] = await Promise.all(
    [known.email, "stranger@example.com"].map(async (email) => {
      const input = { organizationId: organization.id, email, role: "READ" };
      const answer = await app
        .as(admin.token)
        .graphql(`mutation ($input: CreateInvitationInput!) ${fields}`, { input });
      return JSON.stringify(answer).replaceAll(email, "<address>");
    }),
  );
  expect(one).toBe(other);
  expect(one).toContain("<address>");
  expect(await prisma.user.count()).toBe(before);
  expect(await app.as(admin.token).query(`{ node(id: "${known.id}") { id } }`)).toEqual({ node: null });
});

describe("inviting the same address again", () => {
  it("returns the open invitation, even concurrently; another role is CONFLICT", async () => {
    const { organization, admin } = await world.organization();
    const client = app.as(admin.token);
    const input = { organizationId: organization.id, email: "again@example.com", role: "READ" };
    const answers = await Promise.all(times(4, () => client.query<Created>(create, { input })));
    expect(new Set(answers.map(({ createInvitation }) => createInvitation.invitation.id)).size).toBe(1);
    expect((await eventsOf(organization.id)).map(([type]) => type)).toEqual(["invitation.created"]);
    expect(await client.refusal(create, { input: { ...input, role: "EDIT" } })).toBe("CONFLICT");
  });

  it("creates a new invitation if the other has expired, which cannot be accepted or seen by the invited user", async () => {
    const { organization, admin } = await world.organization();
    const newcomer = await person();
    const old = await invited(organization.id, { email: newcomer.email, expiresAt: new Date("2020-01-01") });
    expect(await app.as(newcomer.token).query(own)).toMatchObject({ invitations: { nodes: [] } });
    expect(await app.as(newcomer.token).refusal(accept, { id: old.id })).toBe("NOT_FOUND");
    const input = { organizationId: organization.id, email: newcomer.email, expiresAt: "2100-01-01T00:00:00Z" };
    const { createInvitation } = await app.as(admin.token).query<Created>(create, { input });
    expect(createInvitation.invitation.id).not.toBe(old.id);
    await app.as(newcomer.token).query(accept, { id: createInvitation.invitation.id });
  });

  it("is CONFLICT for a member, disabled or not", async () => {
    const { organization, admin, reader, disabled } = await world.organization();
    for (const { email } of [reader, disabled, admin]) {
      const input = { organizationId: organization.id, email };
      expect(await app.as(admin.token).refusal(create, { input })).toBe("CONFLICT");
    }
  });
});

test("a withdrawn invitation cannot be accepted, and withdrawing it again reports that it did not exist", async () => {
  const { organization, admin } = await world.organization();
  const newcomer = await person();
  const mine = await invited(organization.id, { email: newcomer.email, role: "read" });
  const client = app.as(admin.token);
  const deletedId = async (invitationId: string) => {
    const input = { organizationId: organization.id, invitationId };
    const { withdrawInvitation } = await client.query<{ withdrawInvitation: { deletedId: string | null } }>(withdraw, {
      input,
    });
    return withdrawInvitation.deletedId;
  };
  expect(await deletedId(mine.id)).toBe(mine.id);
  expect(await deletedId(mine.id)).toBeNull();
  expect(await app.as(newcomer.token).refusal(accept, { id: mine.id })).toBe("NOT_FOUND");
  expect(await eventsOf(organization.id)).toEqual([["invitation.withdrawn", mine.id, admin.id]]);
});

test("the job removes invitations that expired a month ago and no others", async () => {
  const { organization } = await world.organization();
  const at = (days: number) => new Date(now.getTime() + days * day);
  const [old, recent, open] = await Promise.all(
    [-31, -29, 1].map((days) => invited(organization.id, { expiresAt: at(days) })),
  );
  await removeOverInvitations(app.database, now);
  const left = await prisma.invitation.findMany({ where: { organizationId: organization.id }, select: { id: true } });
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([recent?.id, open?.id]));
  expect(left).not.toContainEqual({ id: old?.id });
});

test("a page of invitations takes as many statements for 2 as for 20, of the organization and of the viewer", async () => {
  const { organization, admin } = await world.organization();
  const newcomer = await world.insert((rows) => {
    const { email, token } = addPerson(rows);
    times(20, () => {
      const { id: organizationId } = addOrganization(rows);
      return addInvitation(rows, { organizationId, email });
    });
    times(20, () => addInvitation(rows, { organizationId: organization.id }));
    return { token };
  });
  const fields = "totalCount nodes { id createdBy { id } organization { id title } }";
  const cost = (first: number) =>
    Promise.all([
      app
        .as(admin.token)
        .statements(`{ organization(id: "${organization.id}") { invitations(first: ${first}) { ${fields} } } }`),
      app.as(newcomer.token).statements(`{ invitations(first: ${first}) { ${fields} } }`),
    ]);
  expect(await cost(20)).toEqual(await cost(2));
});

describe("the address of an invitation", () => {
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
  ])("is refused as %j, and nothing is written", async (email) => {
    const { organization, admin } = await world.organization();
    const { errors } = await app.as(admin.token).graphql(create, { input: { organizationId: organization.id, email } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path: "email" }] });
    expect(await prisma.invitation.count({ where: { organizationId: organization.id } })).toBe(0);
  });

  it.each(["o'hara@mail.example.co.uk", "用户@例子.公司", "a@b.c", `${"a".repeat(64)}@example.com`])(
    "is accepted as %s",
    async (email) => {
      const { organization, admin } = await world.organization();
      await app.as(admin.token).query(create, { input: { organizationId: organization.id, email } });
    },
  );
});

test("an invitation with a past expiry is refused", async () => {
  const { organization, admin } = await world.organization();
  const input = { organizationId: organization.id, email: "late@example.com", expiresAt: now.toISOString() };
  const { errors } = await app.as(admin.token).graphql(create, { input });
  expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path: "expiresAt" }] });
});
