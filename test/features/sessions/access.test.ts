// Sessions through the front door: the cookie answers as its user where the person meant the request, sessions are
// listed and revoked by their user, and what was opened by one ends with it.
import { beforeEach, expect, test } from "vitest";
import { newSecret } from "#src/access/tokens.ts";
import type { Clock } from "#src/base/time.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { testApp, useApp } from "#test/support/app.ts";

const start = new Date();
let now = start;
beforeEach(() => {
  now = start;
});
const clock: Clock = { now: () => now };
const listed = "https://app.example.com";
const { app, world } = await useApp({ clock, allowedOrigins: [listed, "*"] });

const whoami = JSON.stringify({ query: "{ viewer { id } }" });

async function person() {
  const { reader, editor, space } = await world.space();
  return { ...reader, editor, space, ...(await signIn(app, { userId: reader.id, at: now })), userId: reader.id };
}

/** Asks who the viewer is, as a browser does with these headers. */
async function ask(headers: Record<string, string>, path = "/graphql") {
  const answer = await fetch(`${app.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: whoami,
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test.each([
  ["the header x-docgraph-csrf", { "x-docgraph-csrf": "1" }, 200],
  ["a page of the same origin", { "sec-fetch-site": "same-origin" }, 200],
  ["a listed origin with the header", { origin: listed, "x-docgraph-csrf": "1" }, 200],
  ["a listed origin without it", { origin: listed, "sec-fetch-site": "same-site" }, 403],
  ["another site", { "sec-fetch-site": "cross-site" }, 403],
  ["no proof at all", {}, 403],
  ["an origin that only * allows", { origin: "https://evil.example.com", "x-docgraph-csrf": "1" }, 403],
])("a request with the cookie: %s", async (_which, headers, status) => {
  const { cookie, userId } = await person();
  const answer = await ask({ cookie, ...headers });
  expect(answer.status).toBe(status);
  expect(answer.text).toContain(status === 200 ? userId : status === 403 ? "FORBIDDEN" : "");
  const rest = await fetch(`${app.url}/v1/orgs`, { headers: { cookie, ...headers } });
  expect(rest.status).toBe(status === 200 ? 200 : 403);
});

test("a token goes before the cookie and needs no proof; a bad cookie is no session", async () => {
  const { cookie, editor, secret } = await person();
  expect((await ask({ cookie, authorization: `Bearer ${editor.token}` })).text).toContain(editor.id);
  const bad = { cookie: `docgraph-session=${newSecret("dgs_")}`, "x-docgraph-csrf": "1" };
  expect((await ask(bad)).status).toBe(401);
  expect((await ask({ authorization: `Bearer ${secret}` })).status).toBe(401);
});

test("credentials are for listed origins alone", async () => {
  const preflight = async (origin: string) => {
    const asked = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-docgraph-csrf",
    };
    const { headers } = await fetch(`${app.url}/graphql`, { method: "OPTIONS", headers: asked });
    return [headers.get("access-control-allow-origin"), headers.get("access-control-allow-credentials")];
  };
  expect(await preflight(listed)).toEqual([listed, "true"]);
  expect(await preflight("https://other.example.com")).toEqual(["https://other.example.com", null]);
});

test("a session lasts 12 hours from its last use, which a gateway that stops writes down, and ends then", async () => {
  const { cookie } = await person();
  const headers = { "content-type": "application/json", cookie, "x-docgraph-csrf": "1" };
  const after = async (hours: number, url = app.url) => {
    now = new Date(start.getTime() + hours * 3_600_000);
    return (await fetch(`${url}/graphql`, { method: "POST", headers, body: whoami })).status;
  };
  const other = await testApp({ clock, beside: app });
  expect(await after(11, other.url)).toBe(200);
  await other.close();
  expect(await after(12.1)).toBe(200);
  expect(await after(22.9)).toBe(200);
  expect(await after(23.1)).toBe(401);
});

test("people see their own sessions, which of them is the present one, and end them", async () => {
  const { cookie, id, userId, token, editor } = await person();
  const origin = { address: "192.0.2.7", agent: "Example 1" };
  const other = await signIn(app, { userId, origin, at: new Date(now.getTime() + 1) });
  const list = "{ sessions { nodes { id isCurrent address agent way } totalCount } }";
  const answer = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie, "x-docgraph-csrf": "1" },
    body: JSON.stringify({ query: list }),
  });
  expect(((await answer.json()) as { data: object }).data).toEqual({
    sessions: {
      nodes: [
        { id: other.id, isCurrent: false, ...origin, way: "EMAIL" },
        { id, isCurrent: true, address: null, agent: null, way: "EMAIL" },
      ],
      totalCount: 2,
    },
  });
  const revoke = `mutation { revokeSession(input: { sessionId: "${other.id}" }) { session { id endedAt } } }`;
  expect(await app.as(editor.token).refusal(revoke)).toBe("NOT_FOUND");
  const first = await app.as(token).query(revoke);
  expect(first).toEqual({ revokeSession: { session: { id: other.id, endedAt: now.toISOString() } } });
  expect(await app.as(token).query(revoke)).toEqual(first);
  expect((await ask({ cookie: other.cookie, "x-docgraph-csrf": "1" })).status).toBe(401);
  expect((await app.eventsOf(other.id)).map(({ type }) => type)).toEqual(["session.opened", "session.ended"]);
});

test("a session becomes a short token, and signing out ends both", async () => {
  const { cookie, userId, token } = await person();
  expect((await ask({ cookie }, "/auth/token")).status).toBe(403);
  expect((await ask({ authorization: `Bearer ${token}` }, "/auth/token")).status).toBe(400);
  const made = await ask({ cookie, origin: listed, "x-docgraph-csrf": "1" }, "/auth/token");
  expect(made.headers.get("access-control-allow-credentials")).toBe("true");
  const short = JSON.parse(made.text) as { token: string; expiresAt: string };
  expect((await app.as(short.token).graphql("{ viewer { id } }")).data).toEqual({ viewer: { id: userId } });
  expect((await ask({ cookie }, "/auth/sign-out")).status).toBe(403);
  const out = await ask({ cookie, "x-docgraph-csrf": "1" }, "/auth/sign-out");
  expect([out.status, out.headers.get("set-cookie")]).toEqual([204, expect.stringContaining("Max-Age=0")]);
  expect((await app.as(short.token).graphql("{ viewer { id } }")).status).toBe(401);
  expect((await ask({ cookie, "x-docgraph-csrf": "1" })).status).toBe(401);
  expect((await ask({ cookie, "x-docgraph-csrf": "1" }, "/auth/sign-out")).status).toBe(204);
});
