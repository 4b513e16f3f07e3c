// The cache of viewers: changes by the gateway itself and expiry of tokens apply at once, other changes after the cache
// time.
import { expect, test } from "vitest";
import type { Clock } from "#src/base/time.ts";
import { useApp } from "#test/support/app.ts";

let now = new Date("2026-06-01T12:00:00Z");
const clock: Clock = { now: () => now };

// Viewers are cached longer than the test takes, so that nothing depends on speed.
const { app, world } = await useApp({ clock, viewerAge: 3_600_000 });

const create = `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { token apiToken { id } } }`;
interface Created {
  createApiToken: { token: string; apiToken: { id: string } };
}

test("caches a viewer until a change through the gateway", async () => {
  const { reader, organization } = await world.organization();
  const caller = app.as(reader.token);
  const canCreate = async () => {
    const data = await caller.query<{ organization: { permissions: { createContent: boolean } } }>(
      `{ organization(id: "${organization.id}") { permissions { createContent } } }`,
    );
    return data.organization.permissions.createContent;
  };
  expect(await canCreate()).toBe(false);
  await app.database.prisma.organizationMember.updateMany({ where: { userId: reader.id }, data: { role: "create" } });
  expect(await canCreate()).toBe(false);
  await caller.query(create, { input: { name: "any change" } });
  expect(await canCreate()).toBe(true);
});

test("a mutation uses current rights instead of the cached viewer", async () => {
  const { admin, organization } = await world.organization();
  const caller = app.as(admin.token);
  await caller.query("{ viewer { id } }");
  await app.database.prisma.organizationMember.updateMany({ where: { userId: admin.id }, data: { role: "read" } });
  const rename = `mutation { updateOrganization(input: { organizationId: "${organization.id}", title: "Mine" }) { organization { id } } }`;
  expect(await caller.refusal(rename)).toBe("FORBIDDEN");
  await app.database.prisma.apiToken.updateMany({ where: { userId: admin.id }, data: { revokedAt: now } });
  expect(await caller.refusal(rename)).toBe("UNAUTHENTICATED");
});

test("a token can revoke itself", async () => {
  const { reader } = await world.organization();
  const { createApiToken: made } = await app.as(reader.token).query<Created>(create, { input: { name: "own end" } });
  const caller = app.as(made.token);
  const revoke = `mutation { revokeApiToken(input: { apiTokenId: "${made.apiToken.id}" }) { apiToken { revokedAt } } }`;
  expect(await caller.query(revoke)).toEqual({ revokeApiToken: { apiToken: { revokedAt: now.toISOString() } } });
  expect((await caller.graphql("{ viewer { id } }")).status).toBe(401);
});

test("a token revoked through the gateway is invalid at once", async () => {
  const { reader } = await world.organization();
  const { createApiToken: made } = await app.as(reader.token).query<Created>(create, { input: { name: "short" } });
  await app.as(made.token).query("{ viewer { id } }");
  await app
    .as(reader.token)
    .query(`mutation { revokeApiToken(input: { apiTokenId: "${made.apiToken.id}" }) { apiToken { id } } }`);
  expect((await app.as(made.token).graphql("{ viewer { id } }")).status).toBe(401);
});

test("a cached token still expires on time", async () => {
  const { reader } = await world.organization();
  const input = { name: "short", expiresAt: "2026-06-01T13:00:00Z" };
  const { createApiToken: made } = await app.as(reader.token).query<Created>(create, { input });
  await app.as(made.token).query("{ viewer { id } }");
  now = new Date("2026-06-01T13:00:00Z");
  expect((await app.as(made.token).graphql("{ viewer { id } }")).status).toBe(401);
});
