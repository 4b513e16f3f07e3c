// Invite links in GraphQL: created, listed and deleted by admins, and used by anyone who has one.
import { expect, test } from "vitest";
import { addInviteLink } from "#test/features/invite-links/factory.ts";
import { addPerson } from "#test/features/members/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const start = new Date("2026-06-01T12:00:00Z");
let now = start;
const { app, world } = await useApp({ clock: { now: () => now } });

const create = `mutation ($input: CreateInviteLinkInput!) { createInviteLink(input: $input) {
  inviteLink { id role key url createdAt expiresAt createdBy { id } organization { id } } } }`;
const use = `mutation ($key: String!) { useInviteLink(input: { key: $key }) { organization { id permissions { view listMembers } } } }`;
const remove = `mutation ($organizationId: ID!, $inviteLinkId: ID!) {
  deleteInviteLink(input: { organizationId: $organizationId, inviteLinkId: $inviteLinkId }) { deletedId } }`;
const list = `query ($id: ID!) { organization(id: $id) { inviteLinks { totalCount nodes { id } } } }`;
interface Created {
  createInviteLink: { inviteLink: { id: string; key: string; url: string } };
}

/** A link of the organization that is created directly in the database. */
const linkOf = (organizationId: string, given: { role?: "edit" | "admin"; expiresAt?: Date } = {}) =>
  world.insert((rows) => addInviteLink(rows, { organizationId, ...given }));
const newcomer = () => world.insert((rows) => addPerson(rows));
const eventsOf = async (organizationId: string) =>
  (await app.eventsIn(organizationId)).map(({ type, subjectId, actorId }) => [type, subjectId, actorId]);
const memberOf = (organizationId: string, userId: string) =>
  app.database.prisma.organizationMember.findUnique({ where: { organizationId_userId: { organizationId, userId } } });
const turnOff = (admin: Client, organizationId: string) =>
  admin.query(
    `mutation ($id: ID!) { updateOrganization(input: { organizationId: $id, inviteLinksEnabled: false }) { organization { id } } }`,
    { id: organizationId },
  );

test("an admin creates invite links, lists them newest first, and each emits its event", async () => {
  now = start;
  const { organization, admin } = await world.organization();
  const client = app.as(admin.token);
  const organizationId = organization.id;
  const expiresAt = "2026-06-02T12:00:00.000Z";
  const { createInviteLink: first } = await client.query<Created>(create, { input: { organizationId } });
  expect(first.inviteLink).toEqual({
    id: expect.stringMatching(/^inv_/),
    role: null,
    key: expect.stringMatching(/^[\w-]{32}$/),
    url: `${app.url}/app/invites/${first.inviteLink.key}`,
    createdAt: start.toISOString(),
    expiresAt: null,
    createdBy: { id: admin.id },
    organization: { id: organizationId },
  });
  now = new Date(start.getTime() + 1000);
  const input = { organizationId, role: "REVIEW", expiresAt };
  const { createInviteLink: second } = await client.query<Created>(create, { input });
  expect(second.inviteLink).toMatchObject({ role: "REVIEW", expiresAt });
  const [a, b] = [first.inviteLink.id, second.inviteLink.id];
  expect(await client.query(list, { id: organizationId })).toEqual({
    organization: { inviteLinks: { totalCount: 2, nodes: [{ id: b }, { id: a }] } },
  });
  expect(await client.query(`{ node(id: "${a}") { id } }`)).toEqual({ node: { id: a } });
  expect(await eventsOf(organizationId)).toEqual([a, b].map((id) => ["inviteLink.created", id, admin.id]));
});

test("a user with the key joins with the role of the invite link; joining again changes nothing", async () => {
  const { organization } = await world.organization();
  const link = await linkOf(organization.id, { role: "edit" });
  const person = await newcomer();
  const client = app.as(person.token);
  const inside = {
    useInviteLink: { organization: { id: organization.id, permissions: { view: true, listMembers: true } } },
  };
  expect(await client.query(use, { key: link.key })).toEqual(inside);
  const member = await memberOf(organization.id, person.id);
  expect(member).toMatchObject({ role: "edit", disabled: false, joinedAt: now });
  const events = [
    ["inviteLink.used", link.id, person.id],
    ["member.joined", member?.id, person.id],
  ];
  expect(await eventsOf(organization.id)).toEqual(events);
  expect(await client.query(use, { key: link.key })).toEqual(inside);
  expect(await eventsOf(organization.id)).toEqual(events);
});

test("an invite link without a role adds guests", async () => {
  const { organization } = await world.organization();
  const { key } = await linkOf(organization.id);
  const person = await newcomer();
  expect(await app.as(person.token).query(use, { key })).toMatchObject({
    useInviteLink: { organization: { permissions: { view: true, listMembers: false } } },
  });
  expect(await memberOf(organization.id, person.id)).toMatchObject({ role: null });
});

test("an invite link does not change the role of a member, and does not admit disabled members", async () => {
  const { organization, admin, reader, disabled } = await world.organization();
  const { key } = await linkOf(organization.id, { role: "edit" });
  for (const { token } of [admin, reader]) await app.as(token).query(use, { key });
  expect(await memberOf(organization.id, admin.id)).toMatchObject({ role: "admin" });
  expect(await memberOf(organization.id, reader.id)).toMatchObject({ role: "read" });
  expect(await app.as(disabled.token).refusal(use, { key })).toBe("FORBIDDEN");
  expect(await memberOf(organization.id, disabled.id)).toMatchObject({ disabled: true });
  expect(await eventsOf(organization.id)).toEqual([]);
});

test("one person using one link ten times at once joins once", async () => {
  const { organization } = await world.organization();
  const { key } = await linkOf(organization.id, { role: "edit" });
  const person = await newcomer();
  await Promise.all(times(10, () => app.as(person.token).query(use, { key })));
  const joined = (await eventsOf(organization.id)).filter(([type]) => type === "member.joined");
  expect(joined).toEqual([["member.joined", (await memberOf(organization.id, person.id))?.id, person.id]]);
});

test("unknown, expired, deleted and turned off links get the same answer", async () => {
  now = start;
  const { organization, admin } = await world.organization();
  const client = app.as((await newcomer()).token);
  const refusalOf = async (key: string) => (await client.graphql(use, { key })).errors;
  const unknown = await refusalOf("none");
  expect(unknown?.[0]?.extensions.code).toBe("NOT_FOUND");
  const { key } = await linkOf(organization.id, { expiresAt: new Date(start.getTime() + 1) });
  const { key: lasting, id } = await linkOf(organization.id);
  now = new Date(start.getTime() + 1);
  expect(await refusalOf(key)).toEqual(unknown);
  await turnOff(app.as(admin.token), organization.id);
  expect(await refusalOf(lasting)).toEqual(unknown);
  await app.as(admin.token).query(remove, { organizationId: organization.id, inviteLinkId: id });
  expect(await refusalOf(lasting)).toEqual(unknown);
});

test("while invite links are turned off none can be created, and existing ones can be deleted", async () => {
  const { organization, admin } = await world.organization();
  const link = await linkOf(organization.id);
  const client = app.as(admin.token);
  await turnOff(client, organization.id);
  expect(await client.refusal(create, { input: { organizationId: organization.id } })).toBe("CONFLICT");
  const variables = { organizationId: organization.id, inviteLinkId: link.id };
  expect(await client.query(remove, variables)).toEqual({ deleteInviteLink: { deletedId: link.id } });
  expect(await eventsOf(organization.id)).toEqual([
    ["organization.updated", organization.id, admin.id],
    ["inviteLink.deleted", link.id, admin.id],
  ]);
});

test("an invite link with a past expiry is refused", async () => {
  const { organization, admin } = await world.organization();
  const input = { organizationId: organization.id, expiresAt: now.toISOString() };
  const { errors } = await app.as(admin.token).graphql(create, { input });
  expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path: "expiresAt" }] });
});

test("deleting an invite link reports whether it existed", async () => {
  const { organization, admin } = await world.organization();
  const own = await linkOf(organization.id);
  const deleted = async (inviteLinkId: string) =>
    await app.as(admin.token).query(remove, { organizationId: organization.id, inviteLinkId });
  expect(await deleted(own.id)).toEqual({ deleteInviteLink: { deletedId: own.id } });
  expect(await deleted(own.id)).toEqual({ deleteInviteLink: { deletedId: null } });
  expect(await eventsOf(organization.id)).toEqual([["inviteLink.deleted", own.id, admin.id]]);
});

test("only admins list and delete invite links, whatever the id; outsiders get NOT_FOUND for the organization", async () => {
  const { organization, people } = await world.organization();
  const link = await linkOf(organization.id, { role: "admin" });
  for (const [name, { token }] of Object.entries(people)) {
    const client = app.as(token);
    const refusal = name === "disabled" || name === "outsider" ? "NOT_FOUND" : "FORBIDDEN";
    const codeOf = async (document: string, variables: object) =>
      (await client.graphql(document, { ...variables })).errors?.[0]?.extensions.code;
    const expected = name === "admin" ? undefined : refusal;
    expect(await codeOf(list, { id: organization.id }), name).toBe(expected);
    for (const inviteLinkId of ["inv_none", name === "admin" ? "inv_none" : link.id])
      expect(await codeOf(remove, { organizationId: organization.id, inviteLinkId }), name).toBe(expected);
    expect(await client.query(`{ node(id: "${link.id}") { id } }`), name).toEqual({
      node: name === "admin" ? { id: link.id } : null,
    });
  }
});

test("DELETE of an invite link in /v1 returns 204, whether it exists or not", async () => {
  const { organization, admin } = await world.organization();
  const link = await linkOf(organization.id);
  const path = `/v1/orgs/${organization.id}/link-invites/${link.id}`;
  const status = async (token: string | null) => (await app.as(token).rest("DELETE", path)).status;
  expect(await status(null)).toBe(401);
  expect(await status(admin.token)).toBe(204);
  expect(await status(admin.token)).toBe(204);
});

test("a page takes as many statements for 2 invite links as for 20", async () => {
  const { organization, admin } = await world.organization();
  await world.insert((rows) => times(20, () => addInviteLink(rows, { organizationId: organization.id })));
  const cost = (first: number) =>
    app
      .as(admin.token)
      .statements(
        `{ organization(id: "${organization.id}") { inviteLinks(first: ${first}) { totalCount nodes { id url createdBy { id } } } } }`,
      );
  expect(await cost(20)).toBe(await cost(2));
});

test("an admin changes role and expiry of an invite link, and each change emits its event", async () => {
  now = start;
  const { organization, admin } = await world.organization();
  const { id, key } = await linkOf(organization.id, { role: "admin" });
  const update = `mutation ($input: UpdateInviteLinkInput!) { updateInviteLink(input: $input) { inviteLink { id key role expiresAt } } }`;
  const change = (given: object) => app.as(admin.token).query(update, { input: { inviteLinkId: id, ...given } });
  const expiresAt = "2026-06-02T12:00:00.000Z";
  expect(await change({ role: "READ", expiresAt })).toEqual({
    updateInviteLink: { inviteLink: { id, key, role: "READ", expiresAt } },
  });
  expect(await change({})).toEqual({ updateInviteLink: { inviteLink: { id, key, role: "READ", expiresAt } } });
  expect(await change({ role: null, expiresAt: null })).toEqual({
    updateInviteLink: { inviteLink: { id, key, role: null, expiresAt: null } },
  });
  expect(await eventsOf(organization.id)).toEqual([1, 2].map(() => ["inviteLink.updated", id, admin.id]));
  const past = { inviteLinkId: id, expiresAt: start.toISOString() };
  expect(await app.as(admin.token).refusal(update, { input: past })).toBe("INVALID_INPUT");
});
