// Leaving an organization: possible for every member, even if their session has no access until they sign in by
// single sign-on; and such organizations are listed with the address to sign in.
import { expect, test } from "vitest";
import { makeSessionToken } from "#src/access/sessions.ts";
import { addMember } from "#test/features/members/factory.ts";
import { TestIdp } from "#test/features/saml/idp.ts";
import { setProvider } from "#test/features/saml/sign-in.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const { prisma } = app.database;
const idp = new TestIdp();

/**
 * A user whose membership requires another sign-in than their session's e-mail, and who is in another organization too.
 */
async function closedOut() {
  const { organization, provider, reader, admin } = await setProvider(world, idp, { status: "active", label: "Staff" });
  const { organization: other } = await world.organization();
  await world.insert((rows) => addMember(rows, { organizationId: other.id, userId: reader.id, role: "read" }));
  const where = { organizationId_userId: { organizationId: organization.id, userId: reader.id } };
  await prisma.organizationMember.update({ where, data: { sso: true } });
  const sessionToken = async () => {
    await signIn(app, { userId: reader.id });
    const session = await prisma.session.findFirstOrThrow({ where: { userId: reader.id, way: "email" } });
    return (await makeSessionToken(prisma, session.id, new Date())).token;
  };
  const apiToken = async () =>
    (await world.insert((rows) => addToken(rows, { userId: reader.id, madeByEmail: true }))).token;
  const isMember = async () => (await prisma.organizationMember.count({ where: where.organizationId_userId })) > 0;
  return { organization, provider, other, userId: reader.id, admin, sessionToken, apiToken, isMember };
}

const tokens = ["sessionToken", "apiToken"] as const;
const remove = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { deletedId organization { id } } }`;
const closed =
  "{ closedMemberships { organizationId title logins { id label startURL } } organizations { nodes { id } } }";

test.for(tokens)(
  "closedMemberships lists organizations that require another sign-in for a %s, without access to them",
  async (kind) => {
    const { organization, provider, other, ...of } = await closedOut();
    const client = app.as(await of[kind]());
    const { id: organizationId, title } = organization;
    const startURL = `${app.url}/saml/${provider.id}/start`;
    expect(await client.query(closed)).toEqual({
      closedMemberships: [{ organizationId, title, logins: [{ id: provider.id, label: "Staff", startURL }] }],
      organizations: { nodes: [{ id: other.id }] },
    });
    for (const path of ["", "/members", "/teams", "/saml", `/members/${of.userId}`])
      expect([path, (await client.rest("GET", `/v1/orgs/${organizationId}${path}`)).status]).toEqual([path, 404]);
    expect(await client.statements(closed.replace(/organizations .*/, "}"))).toBe(1);
  },
);

test.for(tokens)(
  "an organization that requires another sign-in can be left with a %s, in GraphQL and REST",
  async (kind) => {
    for (const way of ["GraphQL", "REST"] as const) {
      const { organization, userId, isMember, ...of } = await closedOut();
      const client = app.as(await of[kind]());
      const { id: organizationId } = organization;
      if (way === "GraphQL") {
        const { removeMember } = await client.query<{ removeMember: object }>(remove, {
          input: { organizationId, userId },
        });
        expect(removeMember).toMatchObject({ deletedId: expect.any(String) as string, organization: null });
      } else expect((await client.rest("DELETE", `/v1/orgs/${organizationId}/members/${userId}`)).status).toBe(205);
      expect([way, await isMember()]).toEqual([way, false]);
      expect((await app.eventsIn(organizationId)).map(({ type }) => type)).toContain("member.removed");
      expect(await client.query(closed)).toMatchObject({ closedMemberships: [] });
    }
  },
);

test("leaving an organization removes no one else, and is refused to the last admin", async () => {
  const { organization, admin, isMember, sessionToken } = await closedOut();
  const { id: organizationId } = organization;
  const codeOf = async (token: string, userId: string) =>
    (await app.as(token).graphql(remove, { input: { organizationId, userId } })).errors?.[0]?.extensions.code;
  expect(await codeOf(await sessionToken(), admin.id)).toBe("NOT_FOUND");
  expect(await codeOf(admin.token, admin.id)).toBe("CONFLICT");
  expect(await isMember()).toBe(true);
});

test("leaving is refused to a token for another organization and to a disabled member", async () => {
  const { organization, other, userId, isMember, ...of } = await closedOut();
  const { id: organizationId } = organization;
  const codeOf = async (token: string) =>
    (await app.as(token).graphql(remove, { input: { organizationId, userId } })).errors?.[0]?.extensions.code;
  const elsewhere = await world.insert((rows) => addToken(rows, { userId, organizationId: other.id }));
  expect(await codeOf(elsewhere.token)).toBe("NOT_FOUND");
  expect(await app.as(elsewhere.token).query(closed)).toMatchObject({ closedMemberships: [] });
  await prisma.organizationMember.updateMany({ where: { organizationId, userId }, data: { disabled: true } });
  const session = await of.sessionToken();
  expect(await codeOf(session)).toBe("NOT_FOUND");
  expect(await app.as(session).query(closed)).toMatchObject({ closedMemberships: [] });
  expect(await isMember()).toBe(true);
});

test("the page of the signed-in user links to the sign-in of organizations that require another", async () => {
  const { organization, provider, userId } = await closedOut();
  const { cookie } = await signIn(app, { userId });
  const text = await (await fetch(`${app.url}/sign-in`, { headers: { cookie } })).text();
  expect(text).toContain(`${organization.title} requires you to sign in with its identity provider`);
  expect(text).toContain(`/saml/${provider.id}/start`);
});
