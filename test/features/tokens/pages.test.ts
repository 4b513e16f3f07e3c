// The pages of API tokens over HTTP: those of a user, and those of an organization.
import { expect, test } from "vitest";
import { addToken } from "#test/features/tokens/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();
const path = "/app/me/tokens";

test("creates a token whose text is in this answer alone, and revokes it", async () => {
  const { reader, organization } = await world.organization();
  const me = await readerOf(app, reader);
  const fields = { name: "Nightly <b>", scope: "READ", organizationId: organization.id, expires: "2099-12-31" };
  const made = await me.send(path, "create", fields);
  expect([made.status, made.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const [, token = ""] = /<code>(dg_[^<]+)<\/code>/.exec(made.body) ?? [];
  expect((await app.as(token).query("{ viewer { id } }"))["viewer"]).toEqual({ id: reader.id });
  const again = await me.read(path);
  expect(again.body).not.toContain(token);
  expect(textOf(again.body)).toContain(`Read · only in ${organization.title}`);
  const { id, expiresAt } = await app.database.prisma.apiToken.findFirstOrThrow({ where: { name: "Nightly <b>" } });
  expect(expiresAt?.toISOString()).toBe("2099-12-31T23:59:59.000Z");
  const revoked = await me.send(path, "revoke", { apiTokenId: id });
  expect([revoked.status, revoked.to]).toEqual([303, path]);
  expect((await app.as(token).graphql("{ viewer { id } }")).status).toBe(401);
  expect((await me.read(path)).body).not.toContain(id);
});

test("shows a refused token with its fields, and no tokens of others", async () => {
  const { reader, editor } = await world.organization();
  const foreign = await world.insert((rows) => addToken(rows, { userId: editor.id, name: "Foreign" }));
  const me = await readerOf(app, reader);
  expect((await me.read(path)).body).not.toContain("Foreign");
  expect((await me.send(path, "revoke", { apiTokenId: foreign.id })).status).toBe(404);
  const refused = await me.send(path, "create", {
    name: "Old",
    scope: "WRITE",
    organizationId: "",
    expires: "2001-01-01",
  });
  expect(refused.status).toBe(400);
  expect(textOf(refused.body)).toContain("expiresAt: must be in the future");
  expect(refused.body).toContain(`value="Old"`);
  expect(refused.body).toMatch(/value="WRITE"\s+selected/);
});

test("an admin creates and revokes a token of the organization, which others do not see", async () => {
  const { organization, admin, editor } = await world.organization();
  const place = `/app/orgs/${organization.id}/tokens`;
  const own = await readerOf(app, admin);
  const made = await own.send(place, "create", { name: "Build", role: "EDIT", scope: "WRITE", expires: "" });
  expect([made.status, made.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const [, token = ""] = /<code>(dg_[^<]+)<\/code>/.exec(made.body) ?? [];
  const { organizations } = await app
    .as(token)
    .query<{ organizations: { nodes: object[] } }>("{ organizations { nodes { id viewerRole } } }");
  expect(organizations.nodes).toEqual([{ id: organization.id, viewerRole: "EDIT" }]);
  expect(textOf((await own.read(place)).body)).toContain("Build Read and write · role Edit");
  const { id } = await app.database.prisma.apiToken.findFirstOrThrow({ where: { organizationId: organization.id } });
  const other = await readerOf(app, editor);
  expect((await other.read(place)).status).toBe(404);
  expect((await other.send(place, "revoke", { apiTokenId: id })).status).toBe(404);
  expect((await own.send(place, "revoke", { apiTokenId: id })).to).toBe(place);
  expect((await app.as(token).graphql("{ viewer { id } }")).status).toBe(401);
});
