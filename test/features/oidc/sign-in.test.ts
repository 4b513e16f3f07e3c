// Single sign-on by OpenID Connect: who signs in, and which responses of providers are refused.
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { FakeIdp, otherKey, type Said, unsigned } from "#test/features/oidc/idp.ts";
import { addOidcProvider } from "#test/features/oidc/factory.ts";
import { verifyDomain } from "#test/features/organizations/factory.ts";
import { addUser } from "#test/features/users/factory.ts";
import { addMember } from "#test/features/members/factory.ts";
import { behindProxy, TestBrowser } from "#test/features/saml/sign-in.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { nextNumber } from "#test/support/rows.ts";

const idp = new FakeIdp("https://login.example.com", "docgraph");
const gatewayProvider = { issuer: idp.issuer, clientId: "docgraph", clientSecret: null, label: "Example login" };
const { app, world } = await useApp({ fetch: idp.fetch, openIdProvider: gatewayProvider, ...behindProxy });
const { prisma } = app.database;
const made = await world.organization({ organization: { emailDomains: ["staff.example.com"] } });
const { organization, team, admin } = made;
await verifyDomain(app.database, organization.id, "staff.example.com");
const provider = await world.insert((rows) =>
  addOidcProvider(rows, {
    organizationId: organization.id,
    clientId: "docgraph",
    defaultRole: "edit",
    defaultTeamId: team.id,
  }),
);

async function begin(browser: TestBrowser, id: string = provider.id): Promise<string> {
  const { status, headers } = await browser.open(`${app.url}/oidc/${id}/start`);
  expect(status).toBe(303);
  return headers.get("location") ?? "";
}

/** Signs in, and returns the response of docgraph with its text. */
async function signIn(said: Said = {}, id: string = provider.id, browser = new TestBrowser()) {
  const query = idp.answer(await begin(browser, id), said);
  const response = await browser.open(`${app.url}/oidc/${id}/callback?${query}`);
  return { browser, query, status: response.status, response, text: await response.text() };
}

const userBy = (source: string, subject: string) =>
  prisma.oidcIdentity.findUnique({
    where: { source_subject: { source, subject } },
    select: { user: { include: { memberships: true, sessions: true } } },
  });

test("the first sign-in makes a member in the team, and the next ones are the same user", async () => {
  const location = new URL(await begin(new TestBrowser()));
  expect(Object.fromEntries(location.searchParams)).toMatchObject({
    client_id: "docgraph",
    response_type: "code",
    code_challenge_method: "S256",
    redirect_uri: `${app.url}/oidc/${provider.id}/callback`,
    scope: "openid email profile",
  });
  const { response, browser } = await signIn();
  expect([response.status, response.headers.get("location")]).toEqual([303, `${app.url}/app`]);
  expect(browser.cookies).toMatch(/^docgraph-session=dgs_\w{40}$/);
  await signIn({ claims: { name: "Ada Changed", email: "other@example.com" } });
  const ada = (await userBy(provider.id, "ada"))?.user;
  expect(ada).toMatchObject({
    email: "ada@staff.example.com",
    displayName: "Ada Changed",
    memberships: [{ organizationId: organization.id, role: "edit", sso: true }],
    sessions: [
      { way: "oidc", organizationId: organization.id, providerId: provider.id },
      { way: "oidc", nameId: "ada" },
    ],
  });
  expect(await prisma.teamMember.count({ where: { userId: ada?.id ?? "", teamId: team.id } })).toBe(1);
  const types = (await app.eventsIn(organization.id)).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["oidcProvider.activated", "oidcMember.joined"]));
});

test("an address counts only if it is verified, of a domain of the organization, and of a member", async () => {
  const members: Record<string, string> = {};
  for (const name of ["member", "unverified", "foreign"]) {
    members[name] = await world.insert((rows) => {
      const { id: userId } = addUser(rows, { email: `${name}@${domainOf(name)}` });
      addMember(rows, { organizationId: organization.id, userId, role: "read" });
      return userId;
    });
  }
  const rows: readonly [name: string, claims: object, isMember: boolean][] = [
    ["member", {}, true],
    ["unverified", { email_verified: false }, false],
    ["foreign", {}, false],
  ];
  for (const [name, claims, isMember] of rows) {
    const { status } = await signIn({ claims: { sub: name, email: `${name}@${domainOf(name)}`, ...claims } });
    const user = (await userBy(provider.id, name))?.user;
    expect([name, status, user?.id === members[name]]).toEqual([name, 303, isMember]);
    if (!isMember) expect(user?.email).toMatch(/@oidc\.invalid$/);
  }
});

const domainOf = (name: string): string => (name === "foreign" ? "elsewhere.example.com" : "staff.example.com");

test("the user info has the address that the ID token leaves out, for the same subject only", async () => {
  const claims = { sub: "info", email: undefined, name: undefined };
  const userInfo = { sub: "info", email: "info@staff.example.com", email_verified: true, name: "Info" };
  expect((await signIn({ claims, userInfo })).status).toBe(303);
  expect((await userBy(provider.id, "info"))?.user.email).toBe("info@staff.example.com");
  const other = await signIn({ claims: { ...claims, sub: "else" }, userInfo });
  expect(other.status).toBe(400);
});

test("by the provider of the gateway, a verified address is its user, in all organizations", async () => {
  const email = `gate-${nextNumber()}@example.org`;
  expect((await signIn({ claims: { sub: "gate", email } }, "gateway")).status).toBe(303);
  const user = (await userBy(idp.issuer, "gate"))?.user;
  expect(user).toMatchObject({ email, memberships: [], sessions: [{ way: "oidc", organizationId: null }] });
  const known = await signIn({ claims: { sub: "known", email: admin.email } }, "gateway");
  expect((await userBy(idp.issuer, "known"))?.user.id).toBe(admin.id);
  const lookalike = await signIn({ claims: { sub: "like", email: "\u212aate@example.org" } }, "gateway");
  expect(lookalike.text).toContain("does not say that your e-mail address is verified");
  expect(known.status).toBe(303);
  const refused = await signIn({ claims: { sub: "x", email, email_verified: undefined } }, "gateway");
  expect(refused.text).toContain("does not say that your e-mail address is verified");
  expect(await (await fetch(`${app.url}/sign-in`)).text()).toContain("Sign in with Example login");
});

const hour = 3_600;
const now = Math.floor(Date.now() / 1000);

/** Claims and tokens that no provider would send to this sign-in, with the reason that the page gives. */
const hostile: readonly [what: string, said: Said, reason: string][] = [
  ["another nonce", { claims: { nonce: "other" } }, "another sign-in (nonce)"],
  ["no nonce", { claims: { nonce: undefined } }, "nonce"],
  ["another audience", { claims: { aud: "other" } }, "another client (aud)"],
  [
    "several audiences, authorized for another",
    { claims: { aud: ["docgraph", "x"], azp: "x" } },
    "another client (azp)",
  ],
  ["another issuer", { claims: { iss: "https://evil.example.com" } }, "another issuer (iss)"],
  ["an expired token", { claims: { exp: now - hour, iat: now - 2 * hour } }, "has expired (exp)"],
  ["no expiry", { claims: { exp: undefined } }, "not valid"],
  ["no subject", { claims: { sub: undefined } }, "not valid"],
  ["a subject that cannot be stored", { claims: { sub: "a\0b" } }, "does not name a person"],
  ["a long subject", { claims: { sub: "x".repeat(300) } }, "does not name a person"],
  ["the algorithm none", { idToken: (claims) => unsigned(claims) }, "accepted algorithm"],
  ["no signature", { idToken: (claims) => unsigned(claims, "RS256") }, "not signed with a key"],
  ["a foreign key", { idToken: (claims) => idp.sign(claims, otherKey) }, "not signed with a key"],
  ["an unknown key", { idToken: (claims) => idp.sign(claims, otherKey, { kid: "k9" }) }, "not signed with a key"],
  ["a text for a token", { idToken: () => "x" }, "not valid"],
  ["a refused code", { tokenError: "invalid_grant" }, "does not accept the code"],
  ["a wrong secret", { tokenError: "invalid_client" }, "client id and secret"],
  ["an error with markup", { tokenError: "<b>x</b>" }, "&#60;b&#62;"],
];

test("refuses hostile tokens with a page that says why, and opens no session", async () => {
  for (const [what, said, reason] of hostile) {
    const { status, text, browser } = await signIn(said);
    expect([what, status, text.includes(reason) || text]).toEqual([what, 400, true]);
    expect(browser.cookies).not.toContain("docgraph-session");
  }
  const refusals = await prisma.auditEntry.count({
    where: { organizationId: organization.id, type: "signIn.refused" },
  });
  expect(refusals).toBeGreaterThan(5);
});

test("refuses responses to other sign-ins, of other providers, and repeated ones", async () => {
  const other = await world.insert((rows) =>
    addOidcProvider(rows, { organizationId: organization.id, clientId: "docgraph" }),
  );
  const browser = new TestBrowser();
  const location = await begin(browser);
  const cookies = browser.cookies;
  const at = (query: string, id = provider.id, by = browser) => by.open(`${app.url}/oidc/${id}/callback?${query}`);
  const cases: readonly [what: string, query: string, reason: string, id?: string, by?: TestBrowser][] = [
    ["another browser", idp.answer(location), "did not begin it", provider.id, new TestBrowser()],
    ["another provider", idp.answer(location), "did not begin it", other.id],
    ["no state", idp.answer(location, {}, { state: null }), "did not begin it"],
    ["another state", idp.answer(location, {}, { state: "x".repeat(43) }), "did not begin it"],
    [
      "another issuer (RFC 9207)",
      idp.answer(location, {}, { iss: "https://evil.example.com" }),
      "another issuer (iss)",
    ],
    ["no issuer (RFC 9207)", idp.answer(location, {}, { iss: null }), "iss"],
    ["an error", idp.answer(location, {}, { code: null, error: "access_denied" }), "did not let you sign in"],
    ["an unknown code", idp.answer(location, {}, { code: "x" }), "does not accept the code"],
    ["a long query", `${idp.answer(location)}&x=${"x".repeat(9_000)}`, "characters"],
  ];
  for (const [what, query, reason, id, by] of cases) {
    const response = await at(query, id, by);
    const text = await response.text();
    expect([what, response.status, text.includes(reason) || text]).toEqual([what, 400, true]);
  }
  expect((await at(idp.answer(location))).status).toBe(303);
  const replayed = await browser.open(`${app.url}/oidc/${provider.id}/callback?${idp.answer(location)}`, {
    headers: { cookie: cookies },
  });
  expect(await replayed.text()).toContain("has completed it");
  expect((await at("", "missing")).status).toBe(404);
  const elsewhere = await browser.open(`${app.url}/oidc/${provider.id}/start?returnTo=https://evil.example.com/`);
  expect(elsewhere.status).toBe(400);
});

test("signing out ends the session here and at the provider, and logout tokens end it once", async () => {
  const { browser } = await signIn({ claims: { sub: "leaver", email: undefined, sid: "s1" } });
  const out = await browser.post(`${app.url}/oidc/${provider.id}/logout`, {});
  const location = new URL(out.headers.get("location") ?? "");
  expect([out.status, location.origin + location.pathname]).toEqual([303, `${idp.issuer}/end`]);
  expect(location.searchParams.get("client_id")).toBe("docgraph");
  const hint = location.searchParams.get("id_token_hint") ?? "";
  expect(decodeJwt(hint)).toMatchObject({ sub: "leaver", sid: "s1" });
  const [kept] = (await userBy(provider.id, "leaver"))?.user.sessions ?? [];
  expect(kept).toMatchObject({ endedAt: expect.any(Date), idToken: null });

  await signIn({ claims: { sub: "leaver", email: undefined, sid: "s2" } });
  const open = await prisma.session.findFirstOrThrow({ where: { nameId: "leaver", endedAt: null } });
  expect(Buffer.from(open.idToken ?? []).length).toBeGreaterThan(200);
  expect(Buffer.from(open.idToken ?? []).toString("latin1")).not.toContain(hint.slice(0, 20)); // sealed
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
  const token = (claims: object) =>
    idp.sign(idp.claims({ sub: "leaver", sid: "s2", jti: "j1", events, email: undefined, ...claims }));
  const openSessions = async () =>
    (await userBy(provider.id, "leaver"))?.user.sessions.filter(({ endedAt }) => endedAt === null).length;
  const send = async (logout_token: string) =>
    (await new TestBrowser().post(`${app.url}/oidc/${provider.id}/backchannel-logout`, { logout_token })).status;
  for (const bad of [
    { events: {} },
    { nonce: "n" },
    { sub: undefined, sid: undefined },
    { jti: undefined },
    { jti: "a\0b" },
    { jti: "x".repeat(3_000) },
    { iat: 1 },
  ])
    expect([bad, await send(await token(bad))]).toEqual([bad, 400]);
  expect(await send(await idp.sign(idp.claims({ events, jti: "j1" }), otherKey))).toBe(400);
  expect(await openSessions()).toBe(1);
  expect(await send(await token({}))).toBe(200);
  expect(await openSessions()).toBe(0);
  expect(await send(await token({}))).toBe(400);
});

test("limits the rejected logout tokens of a client, and no accepted ones", async () => {
  await using limited = await testApp({
    beside: app,
    fetch: idp.fetch,
    trafficLimits: { samlAnswersPerMinute: 1 },
    ...behindProxy,
  });
  const client = new TestBrowser();
  const send = async (logout_token: string) =>
    (await client.post(`${limited.url}/oidc/${provider.id}/backchannel-logout`, { logout_token })).status;
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
  const accepted = (jti: string) => idp.sign(idp.claims({ sub: "nobody", jti, events }));
  const statuses = [];
  for (const token of [await accepted("l1"), await accepted("l2"), "x", "x"]) statuses.push(await send(token));
  expect(statuses).toEqual([200, 200, 400, 429]);
});
