// The settings of OpenID providers: who sees and changes them, which issuers are refused, and the pages of admins.
import { expect, test } from "vitest";
import { FakeIdp } from "#test/features/oidc/idp.ts";
import { addOidcProvider } from "#test/features/oidc/factory.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const idp = new FakeIdp("https://login.example.com", "docgraph");
const safe = createSafeFetch();
const { app, world } = await useApp({
  fetch: (address, options) => (String(address).startsWith(idp.issuer) ? idp.fetch : safe)(address, options),
});
const made = await world.organization();
const { organization, admin, editor } = made;
const organizationId = organization.id;
const as = app.as(admin.token);

const create = `mutation ($input: CreateOidcProviderInput!) { createOidcProvider(input: $input) { oidcProvider { id } } }`;
const update = `mutation ($input: UpdateOidcProviderInput!) { updateOidcProvider(input: $input) { oidcProvider { label issuer activatedAt hasClientSecret } } }`;
const basic = { organizationId, label: "Staff", issuer: idp.issuer, clientId: "docgraph" };

test("visible to admins of the organization only, as all of its settings", async () => {
  const provider = await world.insert((rows) => addOidcProvider(rows, { organizationId, activatedAt: new Date() }));
  const node = "query ($id: ID!) { node(id: $id) { id } }";
  const list = "query ($id: ID!) { organization(id: $id) { oidcProviders { nodes { id } } } }";
  expect(await as.query(node, { id: provider.id })).toEqual({ node: { id: provider.id } });
  expect(await app.as(editor.token).query(node, { id: provider.id })).toEqual({ node: null });
  const refused = await app.as(editor.token).graphql(list, { id: organizationId });
  expect(refused.errors).toMatchObject([{ extensions: { code: "FORBIDDEN" } }]);
  const logins = "query ($id: ID!) { ssoLogins(organizationId: $id) { id startURL } }";
  const startURL = `${app.url}/oidc/${provider.id}/start`;
  expect(await app.as(null).query(logins, { id: organizationId })).toEqual({
    ssoLogins: [{ id: provider.id, startURL }],
  });
});

test.each([
  ["http://127.0.0.1:8123", "not public"],
  ["https://169.254.169.254", "not public"],
  ["https://[::1]", "not public"],
  ["https://localhost", "not public"],
  ["http://login.example.com", "must start with https://"],
  ["ftp://login.example.com", "must be an address"],
  ["https://user:pass@login.example.com", "must be an address"],
  ["https://login.example.com/tenant", "not the issuer of a usable provider"],
])("refuses the issuer %s", async (issuer, reason) => {
  const { errors } = await as.graphql(create, { input: { ...basic, issuer } });
  expect(errors).toMatchObject([{ extensions: { code: "INVALID_INPUT", details: [{ path: "issuer" }] } }]);
  expect(JSON.stringify(errors)).toContain(reason);
});

test.each([
  [{ issuer: "https://evil.example.com" }, "does not match the expected issuer"],
  [{ jwks_uri: "http://login.example.com/keys" }, "must start with https://"],
  [{ jwks_uri: "keys" }, "must start with https://"],
  [{ jwks_uri: undefined }, "does not publish its keys"],
])("refuses a configuration with %j", async (metadata, reason) => {
  idp.metadata = metadata;
  const { errors } = await as.graphql(create, { input: basic });
  idp.metadata = {};
  expect(errors).toMatchObject([{ extensions: { code: "INVALID_INPUT" } }]);
  expect(JSON.stringify(errors)).toContain(reason);
});

test("another client is another provider: its sessions end, and its subjects are forgotten", async () => {
  const { prisma } = app.database;
  const provider = await world.insert((rows) => addOidcProvider(rows, { organizationId, activatedAt: new Date() }));
  const own = { source: provider.id, providerId: provider.id, subject: "ada", userId: editor.id };
  await prisma.oidcIdentity.create({ data: { ...own, lastSignInAt: new Date() } });
  const change = (input: object) =>
    as.query<object>(update, { input: { organizationId, oidcProviderId: provider.id, ...input } });
  await change({ label: "Everybody", clientSecret: "new secret" });
  expect(await prisma.oidcIdentity.count({ where: { source: provider.id } })).toBe(1);
  const other = { label: "Everybody", issuer: provider.issuer, activatedAt: null, hasClientSecret: false };
  expect(await change({ clientId: "other", clientSecret: null })).toEqual({
    updateOidcProvider: { oidcProvider: other },
  });
  expect(await prisma.oidcIdentity.count({ where: { source: provider.id } })).toBe(0);
  const events = await app.eventsOf(provider.id);
  expect(JSON.stringify(events.map(({ payload }) => payload))).not.toContain("new secret");
  const remove = `mutation ($input: DeleteOidcProviderInput!) { deleteOidcProvider(input: $input) { deletedId } }`;
  const gone = await as.query<object>(remove, { input: { organizationId, oidcProviderId: provider.id } });
  expect(gone).toEqual({ deleteOidcProvider: { deletedId: provider.id } });
});

test("an admin adds a provider on its page, changes it and deletes it; others get 404", async () => {
  const root = `/app/orgs/${organizationId}/openid`;
  const own = await readerOf(app, admin);
  const fields = { label: "Harbour ID", issuer: idp.issuer, clientId: "page", clientSecret: "s3cret", role: "READ" };
  const to = (await own.send(root, "create", fields)).to ?? "";
  const { id } = await app.database.prisma.oidcProvider.findFirstOrThrow({
    where: { organizationId, clientId: "page" },
  });
  expect(to).toBe(`${root}/${id}`);
  const { body } = await own.read(to);
  for (const part of [`/oidc/${id}/callback`, `/oidc/${id}/start`, "Test the sign-in"]) expect(body).toContain(part);
  expect(body).not.toContain("s3cret");
  expect((await own.send(to, "update", { ...fields, label: "Port", clientSecret: "" })).to).toBe(to);
  expect(textOf((await own.read(root)).body)).toContain("Port");
  expect((await own.send(root, "create", { ...fields, issuer: "https://nothing.example.com" })).status).toBe(400);
  const other = await readerOf(app, editor);
  expect([(await other.read(root)).status, (await other.read(to)).status]).toEqual([404, 404]);
  expect((await own.send(to, "delete")).to).toBe(root);
});
