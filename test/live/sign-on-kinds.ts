// The kinds of organization events about single sign-on, each with the mutation that causes it.
import { addOidcProvider } from "#test/features/oidc/factory.ts";
import { FakeIdp } from "#test/features/oidc/idp.ts";
import { expect } from "vitest";
import { TestIdp } from "#test/features/saml/idp.ts";
import { setProvider, TestBrowser } from "#test/features/saml/sign-in.ts";
import { done, listen } from "#test/live/kinds.ts";
import type { TestApp } from "#test/support/app.ts";
import type { World } from "#test/support/world.ts";

/**
 * Signs a user in for the first time, verifies an e-mail domain by DNS `records`, and changes providers; returns the
 * kinds of the events.
 */
export async function hearSingleSignOn(app: TestApp, world: World, records: string[]): Promise<string[]> {
  const saml = new TestIdp();
  const { organization, admin, provider } = await setProvider(world, saml);
  const organizationId = organization.id;
  const stream = await listen(app, admin, `organizationEvents(of: { organizationId: "${organizationId}" })`);
  const browser = new TestBrowser();
  const actor = { id: expect.stringMatching(/^usr_/) as string }; // the user who signs in for the first time
  const answer = saml.answerTo(await browser.start(app.url, provider.id));
  await stream.delivers(
    browser.answer(answer.acsURL, saml.signed(answer)),
    { __typename: "MemberJoinedBySaml", actor },
    { __typename: "TeamMemberSet", actor },
    { __typename: "SamlProviderActivated", actor },
  );
  const does = (name: string, input: object) => done(app, admin.token, name, { organizationId, ...input });
  records.push(`docgraph-organization=${organizationId}`);
  await stream.delivers(does("checkEmailDomain", { domain: "staff.example.com" }), {
    __typename: "EmailDomainStateChanged",
    facts: { domain: "staff.example.com", state: "VERIFIED" },
  });
  const samlProviderId = provider.id;
  await stream.delivers(does("createSamlProvider", { label: "Another" }), {
    __typename: "SamlProviderCreated",
  });
  await stream.delivers(does("updateSamlProvider", { samlProviderId, label: "Staff" }), {
    __typename: "SamlProviderChanged",
  });
  await stream.delivers(does("deleteSamlProvider", { samlProviderId }), { __typename: "SamlProviderDeleted" });
  return stream.end(7);
}

/** The provider that the app of {@link hearOpenId} reaches by its fetch. */
export const idp = new FakeIdp("https://login.example.com", "docgraph");

/** Hears the events of OpenID providers, the first sign-in at one among them. */
export async function hearOpenId(app: TestApp, world: World): Promise<string[]> {
  const { organization, admin } = await world.organization();
  const organizationId = organization.id;
  const { id: oidcProviderId } = await world.insert((rows) =>
    addOidcProvider(rows, { organizationId, clientId: idp.clientId }),
  );
  const stream = await listen(app, admin, `organizationEvents(of: { organizationId: "${organizationId}" })`);
  const actor = { id: expect.stringMatching(/^usr_/) as string }; // the user who signs in for the first time
  const browser = new TestBrowser();
  const path = `${app.url}/oidc/${oidcProviderId}`;
  const { headers } = await browser.open(`${path}/start`);
  await stream.delivers(
    browser.open(`${path}/callback?${idp.answer(headers.get("location") ?? "")}`),
    { __typename: "OidcProviderActivated", actor },
    { __typename: "MemberJoinedByOidc", actor },
  );
  const does = (name: string, input: object) => done(app, admin.token, name, { organizationId, ...input });
  const added = { label: "Another", issuer: idp.issuer, clientId: "other", clientSecret: "secret" };
  await stream.delivers(does("createOidcProvider", added), { __typename: "OidcProviderCreated" });
  await stream.delivers(does("updateOidcProvider", { oidcProviderId, label: "Staff" }), {
    __typename: "OidcProviderChanged",
  });
  await stream.delivers(does("deleteOidcProvider", { oidcProviderId }), { __typename: "OidcProviderDeleted" });
  return stream.end(5);
}
