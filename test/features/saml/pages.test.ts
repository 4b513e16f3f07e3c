// The pages of single sign-on of an organization over HTTP.
import { expect, test } from "vitest";
import { exampleCertificate } from "#test/features/saml/example-certificate.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();

const fields = {
  label: "Harbour ID",
  entityID: "https://idp.example.com/metadata",
  ssoURL: "https://idp.example.com/sso",
  logoutURL: "",
  certificate: exampleCertificate,
  role: "READ",
};

test("an admin adds a provider, changes it and deletes it", async () => {
  const { organization, admin } = await world.organization();
  const root = `/app/orgs/${organization.id}/single-sign-on`;
  const own = await readerOf(app, admin);
  const made = await own.send(root, "create", fields);
  const { id, defaultRole } = await app.database.prisma.samlProvider.findFirstOrThrow({
    where: { organizationId: organization.id },
  });
  expect([made.status, made.to, defaultRole]).toEqual([303, `${root}/${id}`, "read"]);
  const { body } = await own.read(`${root}/${id}`);
  expect(body).toContain(`/saml/${id}/acs`);
  expect(body).toContain(`/saml/${id}/start`);
  expect(body).toContain("-----BEGIN CERTIFICATE-----");
  expect(textOf((await own.read(root)).body)).toContain("Harbour ID");
  expect((await own.send(`${root}/${id}`, "update", { ...fields, label: "Port" })).to).toBe(`${root}/${id}`);
  expect((await own.read(`${root}/${id}`)).body).toContain("<h2>Port</h2>");
  expect((await own.send(`${root}/${id}`, "delete")).to).toBe(root);
  expect((await own.read(`${root}/${id}`)).status).toBe(404);
});

test("shows a refused provider with its fields, and metadata that cannot be read", async () => {
  const { organization, admin } = await world.organization();
  const root = `/app/orgs/${organization.id}/single-sign-on`;
  const own = await readerOf(app, admin);
  const refused = await own.send(root, "create", { ...fields, certificate: "none" });
  expect(refused.status).toBe(400);
  expect(refused.body).toContain(`value="Harbour ID"`);
  const unread = await own.read(`${root}?metadata=${encodeURIComponent("https://nothing.example.com/metadata")}`);
  expect([unread.status, textOf(unread.body).includes("could not be read")]).toEqual([200, true]);
});

test("shows providers to admins alone, and returns 404 for those of another organization", async () => {
  const { organization, elsewhere, admin, reader } = await world.organization();
  const foreign = await world.insert((rows) => addSamlProvider(rows, { organizationId: elsewhere.id }));
  const root = `/app/orgs/${organization.id}/single-sign-on`;
  const other = await readerOf(app, reader);
  expect((await other.read(root)).status).toBe(404);
  expect((await other.send(root, "create", fields)).status).toBe(404);
  expect((await (await readerOf(app, admin)).read(`${root}/${foreign.id}`)).status).toBe(404);
  expect(await app.database.prisma.samlProvider.count({ where: { organizationId: organization.id } })).toBe(0);
});
