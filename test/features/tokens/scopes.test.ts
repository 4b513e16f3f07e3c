// Scopes of tokens: a token with the scope read cannot change anything; others are limited to their scope, their
// organization, and their user's rights.
import { beforeEach, expect, test } from "vitest";
import type { Clock } from "#src/base/time.ts";
import { schema } from "#src/schema.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { useApp } from "#test/support/app.ts";
import { fromFeatures } from "#test/support/features.ts";
import { selectionOf } from "#test/support/access/positions.ts";
import { type PermissionCase, makeFixtures } from "#test/support/access/fixture.ts";

const start = new Date();
let now = start;
const clock: Clock = { now: () => now };
beforeEach(() => {
  now = start;
});
// Has its own database: sets the clock, and counts the events of the whole database.
const { app, world } = await useApp({ own: true, clock });
const permissionCases = (
  await fromFeatures<{ permissionCases: readonly PermissionCase[] }>("permission-cases.ts")
).flatMap((feature) => feature.permissionCases);
const [fixture] = await makeFixtures(app.database, 1);
if (!fixture) throw new Error("No fixture was created.");

const tokenOf = async (given: Parameters<typeof addToken>[1]) =>
  (await world.insert((rows) => addToken(rows, given))).token;

const eventCount = () => app.database.prisma.outboxEvent.count();

function documentOf(mutation: string): string {
  const field = schema.getMutationType()?.getFields()[mutation];
  if (!field) throw new Error(`Mutation ${mutation} does not exist.`);
  return `mutation ($input: ${String(field.args[0]?.type)}) { ${mutation}(input: $input) ${selectionOf(field.type)} }`;
}

const reading = app.as(await tokenOf({ userId: fixture.people.admin.id, scope: "read" }));
const writing = app.as(await tokenOf({ userId: fixture.people.admin.id, scope: "write" }));

test.each(
  permissionCases.map((permissionCase) => [permissionCase.mutation, permissionCase.how ?? "", permissionCase] as const),
)("%s %s is refused to an admin's token with the scope read", async (mutation, _how, { input }) => {
  const before = await eventCount();
  expect(await reading.refusal(documentOf(mutation), { input: input(fixture, "admin") })).toBe("FORBIDDEN");
  expect(await eventCount()).toBe(before);
});

test("a token with the scope read reads, and is refused changes in /v1 too", async () => {
  const { organization } = fixture;
  const flags = `{ organization(id: "${organization.id}") { permissions { view admin createContent } } }`;
  expect(await reading.query(flags)).toEqual({
    organization: { permissions: { view: true, admin: false, createContent: false } },
  });
  const renamed = await reading.rest("PATCH", `/v1/orgs/${organization.id}`, { body: { title: "Mine" } });
  expect(renamed.status).toBe(403);
});

const ofAdmins = permissionCases.filter(
  ({ allowedBy }) => Array.isArray(allowedBy) && allowedBy.includes("organization.admin"),
);

test.each(
  ofAdmins.map((permissionCase) => [permissionCase.mutation, permissionCase.how ?? "", permissionCase] as const),
)("%s %s, which only admins may do, is refused to a token with the scope write", async (mutation, _how, { input }) => {
  const refusal = await writing.refusal(documentOf(mutation), { input: input(fixture, "admin") });
  expect(["FORBIDDEN", "NOT_FOUND"]).toContain(refusal); // objects that only admins see are not found
});

/** The operations that give access or change the account: others depend on roles, which the scope lowers. */
const beyondContent =
  "createApiToken rotateApiToken revokeApiToken createServiceToken revokeSession updateViewer createOrganization useInviteLink acceptInvitation declineInvitation";

test.each(beyondContent.split(" "))("%s requires a token with the scope admin", async (mutation) => {
  const permissionCase = permissionCases.find((one) => one.mutation === mutation);
  expect(await writing.refusal(documentOf(mutation), { input: permissionCase?.input(fixture, "admin") ?? {} })).toBe(
    "FORBIDDEN",
  );
});

test("leaving an organization requires a token with the scope admin", async () => {
  const { organization, reader } = await world.organization();
  const leave = `mutation { removeMember(input: { organizationId: "${organization.id}", userId: "${reader.id}" }) { deletedId } }`;
  const limited = app.as(await tokenOf({ userId: reader.id, scope: "write" }));
  expect(await limited.refusal(leave)).toBe("FORBIDDEN");
  await app.as(reader.token).query(leave);
});

test("a token with the scope write has its user's rights to write, also in permission flags", async () => {
  const { organization } = fixture;
  const flags = `{ organization(id: "${organization.id}") { permissions { admin createContent } } }`;
  expect(await writing.query(flags)).toEqual({ organization: { permissions: { admin: false, createContent: true } } });
  await writing.query(`mutation { createSpace(input: { organizationId: "${organization.id}" }) { space { id } } }`);
  const reader = app.as(await tokenOf({ userId: fixture.people.reader.id, scope: "admin" }));
  const create = `mutation { createSpace(input: { organizationId: "${organization.id}" }) { space { id } } }`;
  expect(await reader.refusal(create)).toBe("FORBIDDEN");
});

test("a token for one organization sees no other, cannot change the account, and creates only tokens for that organization", async () => {
  const { organization, open, people } = fixture;
  const limited = app.as(await tokenOf({ userId: people.admin.id, organizationId: organization.id }));
  const mine = "{ organizations { nodes { id } } }";
  expect(await limited.query(mine)).toEqual({ organizations: { nodes: [{ id: organization.id }] } });
  expect(await limited.refusal(`{ organization(id: "${open.id}") { id } }`)).toBe("NOT_FOUND");
  expect(await limited.refusal(`mutation { updateViewer(input: { displayName: "X" }) { viewer { id } } }`)).toBe(
    "FORBIDDEN",
  );
  const make = (more = "") =>
    `mutation { createApiToken(input: { name: "x"${more} }) { token apiToken { organization { id } } } }`;
  const made = await limited.query<{ createApiToken: { token: string } }>(make());
  expect(made.createApiToken).toMatchObject({ apiToken: { organization: { id: organization.id } } });
  expect(await app.as(made.createApiToken.token).query(mine)).toEqual({
    organizations: { nodes: [{ id: organization.id }] },
  });
  expect(await limited.refusal(make(`, organizationId: "${open.id}"`))).toBe("NOT_FOUND");
  expect(
    await limited.refusal(
      `mutation { revokeApiToken(input: { apiTokenId: "${fixture.tokens["admin"]}" }) { apiToken { id } } }`,
    ),
  ).toBe("NOT_FOUND");
});

test("rotating a token ends the old one after the overlap, and the new one has the same limits", async () => {
  const { people, organization } = fixture;
  const as = app.as(people.creator.token);
  const expiresAt = new Date(now.getTime() + 30 * 24 * 3_600_000).toISOString();
  const { createApiToken: old } = await as.query<{ createApiToken: { token: string; apiToken: { id: string } } }>(
    `mutation { createApiToken(input: { name: "CI", scope: READ, organizationId: "${organization.id}", expiresAt: "${expiresAt}" }) { token apiToken { id } } }`,
  );
  now = new Date(start.getTime() + 24 * 3_600_000);
  const rotate = `mutation { rotateApiToken(input: { apiTokenId: "${old.apiToken.id}", overlapSeconds: 600 }) { token apiToken { id name scope expiresAt organization { id } } } }`;
  const { rotateApiToken: made } = await as.query<{ rotateApiToken: { token: string; apiToken: object } }>(rotate);
  expect(made.apiToken).toMatchObject({
    name: "CI",
    scope: "READ",
    organization: { id: organization.id },
    expiresAt: new Date(now.getTime() + 30 * 24 * 3_600_000).toISOString(),
  });
  const status = async (token: string) => (await app.as(token).graphql("{ viewer { id } }")).status;
  expect([await status(old.token), await status(made.token)]).toEqual([200, 200]);
  now = new Date(now.getTime() + 10 * 60_000 + 1);
  expect([await status(old.token), await status(made.token)]).toEqual([401, 200]);
  expect(await as.refusal(rotate)).toBe("CONFLICT");
});

test("a service token acts as itself, is managed by admins, and stops working when revoked", async () => {
  const { people, organization, open, space } = fixture;
  const admin = app.as(people.admin.token);
  const create = `mutation { createServiceToken(input: { organizationId: "${organization.id}", name: "CI", role: CREATE }) { token apiToken { id isService role } } }`;
  const { createServiceToken: made } = await admin.query<{
    createServiceToken: { token: string; apiToken: { id: string } };
  }>(create);
  expect(made.apiToken).toMatchObject({ isService: true, role: "CREATE" });
  const service = app.as(made.token);
  expect(await service.query(`{ viewer { displayName } organizations { nodes { id } } }`)).toEqual({
    viewer: { displayName: "CI" },
    organizations: { nodes: [{ id: organization.id }] },
  });
  await service.query(`mutation { createSpace(input: { organizationId: "${organization.id}" }) { space { id } } }`);
  await service.query(
    `mutation { createComment(input: { contentOf: { spaceId: "${space.id}" }, text: { markdown: "Done" } }) { comment { id } } }`,
  );
  expect(await service.refusal(`{ organization(id: "${open.id}") { id } }`)).toBe("NOT_FOUND");
  expect(await service.refusal(`mutation { createApiToken(input: { name: "own" }) { token } }`)).toBe("FORBIDDEN");
  expect(await service.refusal(`mutation { updateViewer(input: { displayName: "X" }) { viewer { id } } }`)).toBe(
    "FORBIDDEN",
  );
  const list = `{ organization(id: "${organization.id}") { serviceTokens { nodes { id } } } }`;
  expect(await admin.query(list)).toEqual({ organization: { serviceTokens: { nodes: [{ id: made.apiToken.id }] } } });
  expect(await app.as(people.reader.token).refusal(list)).toBe("FORBIDDEN");
  await admin.query(`mutation { revokeApiToken(input: { apiTokenId: "${made.apiToken.id}" }) { apiToken { id } } }`);
  expect((await service.graphql("{ viewer { id } }")).status).toBe(401);
});
