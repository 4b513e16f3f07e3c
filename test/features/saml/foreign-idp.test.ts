// Single sign-on and single logout with a third-party identity provider (samlify): each side reads the other's
// metadata, requests and responses.
import { Constants, IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } from "samlify";
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { makeKeyPair } from "#test/features/saml/certificate.ts";
import { TestBrowser } from "#test/features/saml/sign-in.ts";
import { useApp } from "#test/support/app.ts";

setSchemaValidator({ validate: () => Promise.resolve("not asked") });

const { app, world } = await useApp();
const { organization, admin } = await world.organization();
const organizationId = organization.id;
const asAdmin = app.as(admin.token);
const { privatePem: privateKey, certificate: signingCert } = makeKeyPair("idp.example.com");
const { redirect } = Constants.namespace.binding;
const idp = IdentityProvider({
  entityID: "https://idp.example.com/metadata",
  privateKey,
  signingCert,
  nameIDFormat: [Constants.namespace.format.emailAddress],
  singleSignOnService: [{ Binding: redirect, Location: "https://idp.example.com/sso" }],
  singleLogoutService: [{ Binding: redirect, Location: "https://idp.example.com/slo" }],
});

/** Creates the provider from each side's metadata, as admins do. */
async function introduce() {
  const read = `query ($organizationId: ID!, $xml: String!) {
    samlProviderFromMetadata(organizationId: $organizationId, from: { xml: $xml }) { entityID ssoURL logoutURL certificate } }`;
  const { samlProviderFromMetadata } = await asAdmin.query<{ samlProviderFromMetadata: object }>(read, {
    organizationId,
    xml: idp.getMetadata(),
  });
  const create = `mutation ($input: CreateSamlProviderInput!) { createSamlProvider(input: $input) { samlProvider { id service { entityID } } } }`;
  const input = { organizationId, label: "samlify", defaultRole: "EDIT", ...samlProviderFromMetadata };
  const { createSamlProvider } = await asAdmin.query<{
    createSamlProvider: { samlProvider: { id: string; service: { entityID: string } } };
  }>(create, { input });
  const { id, service } = createSamlProvider.samlProvider;
  const metadata = await (await fetch(service.entityID)).text();
  return { id, ours: ServiceProvider({ metadata, wantLogoutRequestSigned: true }) };
}

/** Fills the template of a response, which has no authentication context unless it is given. */
function fill(template: string, { nameId, requestId, acsURL, audience }: Record<string, string>) {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const id = `_${randomUUID()}`;
  const statement = `<saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="_one"/>`;
  const context = SamlLib.replaceTagsByValue(template.replace("{AuthnStatement}", statement), {
    ID: id,
    AssertionID: `_${randomUUID()}`,
    Issuer: "https://idp.example.com/metadata",
    IssueInstant: at(0),
    Destination: acsURL,
    SubjectRecipient: acsURL,
    Audience: audience,
    InResponseTo: requestId,
    StatusCode: Constants.StatusCode.Success,
    NameIDFormat: Constants.namespace.format.emailAddress,
    NameID: nameId,
    ConditionsNotBefore: at(-1),
    ConditionsNotOnOrAfter: at(5),
    SubjectConfirmationDataNotOnOrAfter: at(5),
    AttributeStatement: "",
  });
  return { id, context };
}

const queryOf = (location: string | null) => Object.fromEntries(new URL(location ?? "").searchParams);

test("users sign in with a samlify identity provider, and are signed out at both", async () => {
  const { id, ours } = await introduce();
  const email = "ann@staff.example.com";
  const { prisma } = app.database;

  async function signIn() {
    const browser = new TestBrowser();
    const location = await browser.start(app.url, id);
    expect(location).toContain("https://idp.example.com/sso?");
    const asked = await idp.parseLoginRequest(ours, "redirect", { query: queryOf(location) });
    const { id: requestId } = asked.extract["request"] as { id: string };
    const audience = ours.entityMeta.getEntityID();
    const acsURL = String(ours.entityMeta.getAssertionConsumerService("post"));
    const filled = (template: string) => fill(template, { nameId: email, requestId, acsURL, audience });
    const answer = await idp.createLoginResponse(ours, { ...asked }, "post", { email }, filled);
    expect(acsURL).toBe(`${app.url}/saml/${id}/acs`);
    const accepted = await browser.post(acsURL, { SAMLResponse: answer.context });
    expect([accepted.status, accepted.headers.get("location")]).toEqual([303, `${app.url}/app`]);
    return browser;
  }
  const openSessions = () => prisma.session.count({ where: { nameId: email, providerId: id, endedAt: null } });

  // Signing out starts here.
  const browser = await signIn();
  expect(browser.cookies).toContain("docgraph-session=dgs_");
  expect(await openSessions()).toBe(1);
  const out = await browser.post(`${app.url}/saml/${id}/logout`, {});
  const logout = await idp.parseLogoutRequest(ours, "redirect", { query: queryOf(out.headers.get("location")) });
  expect(logout.extract).toMatchObject({ nameID: email });
  expect(await openSessions()).toBe(0);

  // The provider starts it, with a signature.
  await signIn();
  expect(await openSessions()).toBe(1);
  const request = idp.createLogoutRequest(ours, "redirect", { logoutNameID: email });
  const done = await fetch(request.context, { redirect: "manual" });
  expect(done.status).toBe(303);
  const answer = await idp.parseLogoutResponse(ours, "redirect", { query: queryOf(done.headers.get("location")) });
  expect(answer.extract).toMatchObject({ response: { inResponseTo: request.id } });
  expect(await openSessions()).toBe(0);
});
