// Tokens and their creators: no token exceeds its creator's rights, or outlasts it without a user.
import { beforeEach, expect, test } from "vitest";
import type { Clock } from "#src/base/time.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { useApp } from "#test/support/app.ts";

const start = new Date("2026-06-01T12:00:00Z");
const later = new Date("2026-06-01T13:00:00Z");
let now = start;
const clock: Clock = { now: () => now };
beforeEach(() => {
  now = start;
});
// Has its own database: sets the clock.
const { app, world } = await useApp({ own: true, clock });

const create = `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { token apiToken { id expiresAt } } }`;
interface Created {
  createApiToken: { token: string; apiToken: { id: string; expiresAt: string | null } };
}

async function send<Data>(headers: Record<string, string>, query: string, variables: object = {}): Promise<Data> {
  const answer = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Data; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

/** The result of a browser page's request with a session cookie. */
const bySession = <Data>(cookie: string, query: string, variables: object = {}) =>
  send<Data>({ cookie, "x-docgraph-csrf": "1" }, query, variables);

const organizationsOf = async (token: string): Promise<string[]> => {
  const { organizations } = await app
    .as(token)
    .query<{ organizations: { nodes: { id: string }[] } }>("{ organizations { nodes { id } } }");
  return organizations.nodes.map(({ id }) => id);
};

test("a token created by a session by e-mail has the session's access, and so do tokens that it creates", async () => {
  const { organization, editor } = await world.organization();
  const { prisma } = app.database;
  await world.insert((rows) => addSamlProvider(rows, { organizationId: organization.id, status: "active" }));
  const { cookie } = await signIn(app, { userId: editor.id, at: start });
  const { createApiToken: made } = await bySession<Created>(cookie, create, { input: { name: "by e-mail" } });
  const { createApiToken: child } = await app.as(made.token).query<Created>(create, { input: { name: "child" } });
  const rotate = `mutation ($id: ID!) { rotateApiToken(input: { apiTokenId: $id }) { token } }`;
  const { rotateApiToken: rotated } = await app
    .as(made.token)
    .query<{ rotateApiToken: { token: string } }>(rotate, { id: child.apiToken.id });
  const tokens = [made.token, child.token, rotated.token];
  for (const token of tokens) expect(await organizationsOf(token)).toEqual([organization.id]);
  await prisma.organizationMember.updateMany({ where: { userId: editor.id }, data: { sso: true } });
  for (const token of tokens) expect(await organizationsOf(token)).toEqual([]);
  expect(await organizationsOf(editor.token)).toEqual([organization.id]); // not created by a session by e-mail
});

test.each([
  ["without an expiry", {}, "2026-06-02T12:00:00.000Z"],
  ["with a later expiry", { expiresAt: "2027-01-01T00:00:00Z" }, "2026-06-02T12:00:00.000Z"],
  ["with an earlier expiry", { expiresAt: "2026-06-01T13:00:00Z" }, "2026-06-01T13:00:00.000Z"],
])("a token created by one that expires does not last longer: %s", async (_name, more, expected) => {
  const { editor } = await world.organization();
  const expiresAt = new Date("2026-06-02T12:00:00Z");
  const { token } = await world.insert((rows) => addToken(rows, { userId: editor.id, expiresAt }));
  const { createApiToken } = await app.as(token).query<Created>(create, { input: { name: "child", ...more } });
  expect(createApiToken.apiToken.expiresAt).toBe(expected);
});

test("a service token and the short-lived token of a session cannot create tokens", async () => {
  const { organization, admin } = await world.organization();
  const createService = `mutation ($input: CreateServiceTokenInput!) { createServiceToken(input: $input) { token apiToken { id } } }`;
  const input = { organizationId: organization.id, name: "CI", role: "ADMIN" };
  const { createServiceToken: service } = await app
    .as(admin.token)
    .query<{ createServiceToken: { token: string; apiToken: { id: string } } }>(createService, { input });
  const ci = app.as(service.token);
  expect(await ci.refusal(createService, { input })).toBe("FORBIDDEN");
  expect(await ci.refusal(create, { input: { name: "mine" } })).toBe("FORBIDDEN");
  const rotate = `mutation { rotateApiToken(input: { apiTokenId: "${service.apiToken.id}" }) { token } }`;
  expect(await ci.refusal(rotate)).toBe("FORBIDDEN");
  await app.as(admin.token).query(rotate);

  const { cookie } = await signIn(app, { userId: admin.id, at: start });
  const exchanged = (headers: Record<string, string>) =>
    fetch(`${app.url}/auth/token`, { method: "POST", headers: { "x-docgraph-csrf": "1", ...headers } });
  const { token: short } = (await (await exchanged({ cookie })).json()) as { token: string };
  expect(await app.as(short).refusal(create, { input: { name: "mine" } })).toBe("FORBIDDEN");
  expect((await exchanged({ authorization: `Bearer ${short}` })).status).toBe(400);
  await app.as(short).query(`mutation { updateViewer(input: { displayName: "Mara" }) { viewer { id } } }`);
});

const rotate = `mutation ($id: ID!) { made: rotateApiToken(input: { apiTokenId: $id }) { token apiToken { id expiresAt } } }`;
interface Rotated {
  made: { token: string; apiToken: { id: string; expiresAt: string | null } };
}

test("a token rotated by a session by e-mail has the session's access, also after single sign-on is enforced", async () => {
  const { organization, editor } = await world.organization();
  await world.insert((rows) => addSamlProvider(rows, { organizationId: organization.id, status: "active" }));
  const { id } = await world.insert((rows) => addToken(rows, { userId: editor.id }));
  const { cookie } = await signIn(app, { userId: editor.id, at: start });
  const { made } = await bySession<Rotated>(cookie, rotate, { id });
  expect(await organizationsOf(made.token)).toEqual([organization.id]);
  await app.database.prisma.organizationMember.updateMany({ where: { userId: editor.id }, data: { sso: true } });
  expect(await organizationsOf(made.token)).toEqual([]);
  expect(await organizationsOf(editor.token)).toEqual([organization.id]);
});

test("a token that rotates itself repeatedly keeps its expiry, and a session renews it", async () => {
  const { editor } = await world.organization();
  const expiresAt = new Date("2026-06-02T12:00:00Z");
  const given = { userId: editor.id, createdAt: start, expiresAt };
  let { id, token } = await world.insert((rows) => addToken(rows, given));
  for (let round = 0; round < 3; round += 1) {
    now = new Date(now.getTime() + 60_000);
    const { made } = await app.as(token).query<Rotated>(rotate, { id });
    expect(made.apiToken.expiresAt).toBe(expiresAt.toISOString());
    ({
      token,
      apiToken: { id },
    } = made);
  }
  now = later;
  const renewed = await world.insert((rows) => addToken(rows, given));
  const { cookie } = await signIn(app, { userId: editor.id, at: later });
  const { made } = await bySession<Rotated>(cookie, rotate, { id: renewed.id });
  expect(made.apiToken.expiresAt).toBe("2026-06-02T13:00:00.000Z");
});

test("an idempotent response for one token is not replayed to another", async () => {
  const { editor } = await world.organization();
  const narrow = await world.insert((rows) => addToken(rows, { userId: editor.id, expiresAt: later }));
  const texts = [];
  for (const token of [editor.token, editor.token, narrow.token]) {
    const headers = { authorization: `Bearer ${token}`, "idempotency-key": "makers-and-their-answers" };
    texts.push((await send<Created>(headers, create, { input: { name: "once" } })).createApiToken.token);
  }
  expect(texts[1]).toBe(texts[0]);
  expect(texts[2]).not.toBe(texts[0]);
});

test("an invite link for admins expires, also after it was changed", async () => {
  const { organization, admin } = await world.organization();
  const organizationId = organization.id;
  const change = `mutation ($input: UpdateInviteLinkInput!) { updateInviteLink(input: $input) { inviteLink { id } } }`;
  const make = `mutation ($input: CreateInviteLinkInput!) { createInviteLink(input: $input) { inviteLink { id } } }`;
  const as = app.as(admin.token);
  const { errors } = await as.graphql(make, { input: { organizationId, role: "ADMIN" } });
  expect(errors?.[0]).toMatchObject({
    message: "expiresAt: is required for a link with the role ADMIN.",
    extensions: { code: "INVALID_INPUT", details: [{ path: "expiresAt" }] },
  });
  const { createInviteLink } = await as.query<{ createInviteLink: { inviteLink: { id: string } } }>(make, {
    input: { organizationId, role: "EDIT" },
  });
  const inviteLinkId = createInviteLink.inviteLink.id;
  const expiresAt = later.toISOString();
  expect(await as.refusal(change, { input: { inviteLinkId, role: "ADMIN" } })).toBe("INVALID_INPUT");
  await as.query(change, { input: { inviteLinkId, role: "ADMIN", expiresAt } });
  expect(await as.refusal(change, { input: { inviteLinkId, expiresAt: null } })).toBe("INVALID_INPUT");
  await as.query(change, { input: { inviteLinkId, role: null, expiresAt: null } });
});
