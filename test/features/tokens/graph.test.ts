// API tokens in GraphQL: created and shown once, listed without their text, revoked at once, with an event for
// each change.
import { beforeEach, expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import type { Clock } from "#src/base/time.ts";

const start = new Date("2026-06-01T12:00:00Z");
let now = start;
const clock: Clock = { now: () => now };
beforeEach(() => {
  now = start;
});

const create = `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { token apiToken { id name expiresAt createdAt } } }`;
interface Created {
  createApiToken: { token: string; apiToken: { id: string; name: string; expiresAt: string | null } };
}

// Has its own database: sets the clock.
const { app, world } = await useApp({ own: true, clock });

async function person() {
  const { reader, editor } = await world.organization();
  return { reader: app.as(reader.token), editor: app.as(editor.token), id: reader.id };
}

test("a new token works, is stored only as a hash, and emits its event", async () => {
  const { reader, id } = await person();
  const { createApiToken: made } = await reader.query<Created>(create, { input: { name: "  CI  " } });
  expect(made.apiToken).toMatchObject({ name: "CI", expiresAt: null, createdAt: now.toISOString() });
  expect(await app.as(made.token).query("{ viewer { id } }")).toEqual({ viewer: { id } });
  const stored = await app.database.pool.query(`select "ApiToken"::text as row from "ApiToken" where id = $1`, [
    made.apiToken.id,
  ]);
  expect(JSON.stringify(stored.rows)).not.toContain(made.token);
  const events = await app.eventsOf(made.apiToken.id);
  expect(events.map(({ type, actorId }) => [type, actorId])).toEqual([["apiToken.created", id]]);
});

test("a token expires at its expiry time", async () => {
  const { reader } = await person();
  const { createApiToken: made } = await reader.query<Created>(create, {
    input: { name: "short", expiresAt: "2026-06-01T13:00:00Z" },
  });
  expect((await app.as(made.token).graphql("{ viewer { id } }")).status).toBe(200);
  now = new Date("2026-06-01T13:00:01Z");
  expect((await app.as(made.token).graphql("{ viewer { id } }")).status).toBe(401);
});

test("a revoked token stops working at once and is not listed; revoking it again changes nothing", async () => {
  const { reader } = await person();
  const { createApiToken: made } = await reader.query<Created>(create, { input: { name: "gone" } });
  const revoke = `mutation ($id: ID!) { revokeApiToken(input: { apiTokenId: $id }) { apiToken { id revokedAt } } }`;
  const first = await reader.query<{ revokeApiToken: { apiToken: { revokedAt: string } } }>(revoke, {
    id: made.apiToken.id,
  });
  expect(first.revokeApiToken.apiToken.revokedAt).toBe(now.toISOString());
  expect((await app.as(made.token).graphql("{ viewer { id } }")).status).toBe(401);
  now = new Date("2026-06-01T12:30:00Z");
  expect(await reader.query(revoke, { id: made.apiToken.id })).toEqual(first);
  expect((await app.eventsOf(made.apiToken.id)).map(({ type }) => type)).toEqual([
    "apiToken.created",
    "apiToken.revoked",
  ]);
  expect(JSON.stringify(await reader.query("{ apiTokens { nodes { id } } }"))).not.toContain(made.apiToken.id);
});

test("tokens of other users are not visible", async () => {
  const { reader, editor } = await person();
  const { createApiToken: made } = await reader.query<Created>(create, { input: { name: "mine" } });
  expect(await editor.query(`{ node(id: "${made.apiToken.id}") { id } }`)).toEqual({ node: null });
});

test.each([
  [{ name: "" }, "name"],
  [{ name: "x".repeat(101) }, "name"],
  [{ name: "a\u0000b" }, "name"],
  [{ name: "late", expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
])("creating a token with %j is refused and changes nothing", async (input, path) => {
  const { reader } = await person();
  const { errors } = await reader.graphql(create, { input });
  expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path }] });
  expect(await reader.query("{ apiTokens { totalCount } }")).toEqual({ apiTokens: { totalCount: 1 } });
});

test("the name of a token may have 100 characters beyond the Basic Multilingual Plane", async () => {
  const { reader } = await person();
  await reader.query(create, { input: { name: "📘".repeat(100) } });
});
