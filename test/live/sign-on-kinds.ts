// The kinds of organization events about single sign-on, each with the mutation that causes it.
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
  const idp = new TestIdp();
  const { organization, admin, provider } = await setProvider(world, idp);
  const organizationId = organization.id;
  const stream = await listen(app, admin, `organizationEvents(of: { organizationId: "${organizationId}" })`);
  const browser = new TestBrowser();
  const actor = { id: expect.stringMatching(/^usr_/) as string }; // the user who signs in for the first time
  const answer = idp.answerTo(await browser.start(app.url, provider.id));
  await stream.delivers(
    browser.answer(answer.acsURL, idp.signed(answer)),
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
