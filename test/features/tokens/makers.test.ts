// Tokens and who makes them: none gets past what its maker may, or outlasts it without a person behind it.
import { expect, test } from "vitest";
import type { Clock } from "#src/base/time.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { useApp } from "#test/support/app.ts";

const start = new Date("2026-06-01T12:00:00Z");
const clock: Clock = { now: () => start };
const { app, world } = await useApp({ clock });

const create = `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { token apiToken { id expiresAt } } }`;
interface Created {
  createApiToken: { token: string; apiToken: { id: string; expiresAt: string | null } };
}

/** What a browser's page gets that asks with the cookie of a session. */
async function bySession<Data>(cookie: string, query: string, variables: object = {}): Promise<Data> {
  const headers = { "content-type": "application/json", cookie, "x-docgraph-csrf": "1" };
  const answer = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers,
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Data; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

const organizationsOf = async (token: string): Promise<string[]> => {
  const { organizations } = await app
    .as(token)
    .query<{ organizations: { nodes: { id: string }[] } }>("{ organizations { nodes { id } } }");
  return organizations.nodes.map(({ id }) => id);
};

test("a token made by a session by e-mail opens what that session opens, and so do those that it makes", async () => {
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
  expect(await organizationsOf(editor.token)).toEqual([organization.id]); // made by no session by e-mail
});

test.each([
  ["without a time", {}, "2026-06-02T12:00:00.000Z"],
  ["with a later one", { expiresAt: "2027-01-01T00:00:00Z" }, "2026-06-02T12:00:00.000Z"],
  ["with an earlier one", { expiresAt: "2026-06-01T13:00:00Z" }, "2026-06-01T13:00:00.000Z"],
])("a token made by one that expires lasts no longer: %s", async (_name, more, expected) => {
  const { editor } = await world.organization();
  const expiresAt = new Date("2026-06-02T12:00:00Z");
  const { token } = await world.insert((rows) => addToken(rows, { userId: editor.id, expiresAt }));
  const { createApiToken } = await app.as(token).query<Created>(create, { input: { name: "child", ...more } });
  expect(createApiToken.apiToken.expiresAt).toBe(expected);
});

test("a token of an organization makes no other, and neither does the short token of a session", async () => {
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
