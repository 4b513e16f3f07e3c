// Sign-in and sign-out while a provider changes, or has settings that docgraph cannot use.
import { beforeAll, expect, test } from "vitest";
import { Secrets } from "#src/base/secrets.ts";
import { addOidcProvider } from "#test/features/oidc/factory.ts";
import { FakeIdp, type Said } from "#test/features/oidc/idp.ts";
import { behindProxy, TestBrowser } from "#test/features/saml/sign-in.ts";
import { testApp, useApp } from "#test/support/app.ts";

const idp = new FakeIdp("https://login.example.com", "docgraph");
const { app, world } = await useApp({ fetch: idp.fetch, ...behindProxy });
const { organization, admin } = await world.organization();
const organizationId = organization.id;
const { prisma } = app.database;
let providerId: string;

beforeAll(async () => {
  idp.metadata = { end_session_endpoint: "http://login.example.com/end" };
  const made = await world.insert((rows) => addOidcProvider(rows, { organizationId, clientId: "docgraph" }));
  providerId = made.id;
});

const address = (part: string) => `${app.url}/oidc/${providerId}/${part}`;

/** The response to a sign-in. */
async function signIn(browser: TestBrowser, said: Said) {
  const started = await browser.open(address("start"));
  return browser.open(address(`callback?${idp.answer(started.headers.get("location") ?? "", said)}`));
}

const update = `mutation ($input: UpdateOidcProviderInput!) { updateOidcProvider(input: $input) { oidcProvider { clientId } } }`;

test("a response of the provider that was replaced meanwhile opens no session, and its subject is not kept", async () => {
  const browser = new TestBrowser();
  const replace = (clientId: string) =>
    app.as(admin.token).query(update, { input: { organizationId, oidcProviderId: providerId, clientId } });
  const refused = await signIn(browser, { claims: { sub: "late" }, meanwhile: () => replace("another") });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("was changed meanwhile")]);
  expect(browser.cookies).not.toContain("docgraph-session");
  expect(await prisma.oidcIdentity.count({ where: { subject: "late" } })).toBe(0);
  expect(await prisma.oidcProvider.findUnique({ where: { id: providerId } })).toMatchObject({ activatedAt: null });
  await replace("docgraph");
});

test("signing out ends the session if the logout address of the provider cannot be used", async () => {
  const browser = new TestBrowser();
  expect((await signIn(browser, { claims: { sub: "leaver" } })).status).toBe(303);
  const out = await browser.post(address("logout"), {});
  expect([out.status, out.headers.get("location")]).toEqual([303, `${app.url}/sign-in`]);
  const open = { endedAt: null, providerId, nameId: "leaver" };
  expect(await prisma.session.count({ where: open })).toBe(0);
  expect((await browser.post(address("logout"), {})).status).toBe(400);
});

test("without a key for secrets, people sign in, and sign out at the provider without an ID token", async () => {
  const reachable = new FakeIdp("https://other.example.com", "docgraph");
  const { id } = await world.insert((rows) =>
    addOidcProvider(rows, { organizationId, clientId: "docgraph", issuer: reachable.issuer }),
  );
  await using keyless = await testApp({
    beside: app,
    fetch: reachable.fetch,
    secrets: new Secrets([]),
    ...behindProxy,
  });
  const browser = new TestBrowser();
  const started = await browser.open(`${keyless.url}/oidc/${id}/start`);
  const query = reachable.answer(started.headers.get("location") ?? "", { claims: { sub: "keyless" } });
  expect((await browser.open(`${keyless.url}/oidc/${id}/callback?${query}`)).status).toBe(303);
  const out = await browser.post(`${keyless.url}/oidc/${id}/logout`, {});
  const { origin, searchParams } = new URL(out.headers.get("location") ?? "");
  expect([origin, searchParams.has("id_token_hint")]).toEqual([reachable.issuer, false]);
});

test("an address to return to that is too long when it is escaped is refused at the start", async () => {
  const start = (letters: number) =>
    new TestBrowser().open(address(`start?returnTo=${encodeURIComponent(`/${"ü".repeat(letters)}`)}`));
  expect([(await start(200)).status, (await start(300)).status]).toEqual([303, 400]);
});
