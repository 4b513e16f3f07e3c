// Names by which providers know people: the same person is the same member at every sign-in, whatever the provider
// sends. The sources are reports about other service providers.
import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { verifyDomain } from "#test/features/organizations/factory.ts";
import { TestIdp } from "#test/features/saml/idp.ts";
import { behindProxy, setProvider, TestBrowser } from "#test/features/saml/sign-in.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp(behindProxy);
const idp = new TestIdp();
const { provider, organization, admin } = await setProvider(world, idp);
const domain = "names.example.com";
await verifyDomain(app.database, organization.id, domain);

const format = (name: string) =>
  `urn:oasis:names:tc:SAML:${name === "persistent" || name === "transient" ? "2.0" : "1.1"}:nameid-format:${name}`;

interface Named {
  readonly nameId: string;
  readonly format?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Signs a person in. Returns the member, or the status and the text of a refusal. */
async function signIn({ nameId, format: given, attributes = {} }: Named) {
  const browser = new TestBrowser();
  const answer = idp.answerTo(await browser.start(app.url, provider.id), { nameId, attributes });
  const named = given === undefined ? "<saml:NameID>" : `<saml:NameID Format="${given}">`;
  const assertion = idp.sign(idp.assertion(answer).replace("<saml:NameID>", named));
  const response = await browser.answer(answer.acsURL, idp.response(answer, assertion));
  if (response.status !== 303) return { status: response.status, text: await response.text() };
  const member = await app.database.prisma.organizationMember.findFirstOrThrow({
    where: { organizationId: organization.id, user: { sessions: { some: { nameId } } } },
    orderBy: { joinedAt: "desc" },
    include: { user: true },
  });
  return { id: member.userId, email: member.user.email, name: member.user.displayName };
}

const transient = { format: format("transient") };

test.each<[string, Named, Named, boolean]>([
  [
    "a persistent name",
    { nameId: "p-1", format: format("persistent") },
    { nameId: "p-1", format: format("persistent") },
    true,
  ],
  [
    "persistent names in other letters",
    { nameId: "Ab1", format: format("persistent") },
    { nameId: "ab1", format: format("persistent") },
    false,
  ],
  [
    "persistent addresses in other letters",
    { nameId: "Per@partner.example.org", format: format("persistent") },
    { nameId: "per@partner.example.org", format: format("persistent") },
    false,
  ],
  [
    "an address in other letters (keitaroinc/ckanext-saml2auth#140)",
    { nameId: "Case@partner.example.org", format: format("emailAddress") },
    { nameId: "case@partner.example.org", format: format("emailAddress") },
    true,
  ],
  [
    "an address without a format in other letters (better-auth/better-auth#7460)",
    { nameId: "Zoe@partner.example.org" },
    { nameId: "ZOE@partner.example.org", format: format("unspecified") },
    true,
  ],
  ["an account without a format in other letters", { nameId: "Xyz" }, { nameId: "xyz" }, false],
  [
    "an account of Windows in other letters",
    { nameId: "CORP\\Sam", format: format("WindowsDomainQualifiedName") },
    { nameId: "corp\\sam", format: format("WindowsDomainQualifiedName") },
    true,
  ],
  [
    "transient names with an address of the organization (goauthentik/authentik#18331)",
    { nameId: "_t1", ...transient, attributes: { email: `tom@${domain}` } },
    { nameId: "_t2", ...transient, attributes: { email: `Tom@${domain}` } },
    true,
  ],
  [
    "transient names with a subject-id",
    {
      nameId: "_t3",
      ...transient,
      attributes: { "urn:oasis:names:tc:SAML:attribute:subject-id": "u7@partner.example.org" },
    },
    {
      nameId: "_t4",
      ...transient,
      attributes: { "urn:oasis:names:tc:SAML:attribute:subject-id": "u7@partner.example.org" },
    },
    true,
  ],
  [
    "transient names with other pairwise-ids",
    { nameId: "_t5", ...transient, attributes: { "urn:oasis:names:tc:SAML:attribute:pairwise-id": "a@idp" } },
    { nameId: "_t6", ...transient, attributes: { "urn:oasis:names:tc:SAML:attribute:pairwise-id": "b@idp" } },
    false,
  ],
])("%s", async (_what, first, second, isSame) => {
  const [one, other] = [await signIn(first), await signIn(second)];
  expect({ one: one.status, other: other.status }).toEqual({});
  expect(one.id === other.id).toBe(isSame);
});

test("a member from before, known by an address in other letters, stays the same", async () => {
  const { id } = await signIn({ nameId: "old@partner.example.org" });
  await app.database.prisma.samlIdentity.updateMany({
    where: { nameId: "old@partner.example.org" },
    data: { nameId: "Old@partner.example.org" },
  });
  expect((await signIn({ nameId: "OLD@partner.example.org" })).id).toBe(id);
});

test.each<[string, Named, string]>([
  [
    "a transient name without anything permanent (omniauth/omniauth-saml#120, zitadel/zitadel#7745)",
    { nameId: "_once", ...transient, attributes: { email: "zed@partner.example.org" } },
    "transient NameID",
  ],
  [
    "a system",
    { nameId: "https://idp.example.com", format: "urn:oasis:names:tc:SAML:2.0:nameid-format:entity" },
    "not a person",
  ],
])("refuses %s with the reason, and makes no member", async (_what, named, reason) => {
  const count = () => app.database.prisma.organizationMember.count({ where: { organizationId: organization.id } });
  const before = await count();
  const { status, text } = await signIn(named);
  expect(status).toBe(400);
  expect(text).toContain(reason);
  expect(await count()).toBe(before);
  const { organization: of } = await app
    .as(admin.token)
    .query<{ organization: { samlProviders: { nodes: { warnings: string[] }[] } } }>(
      `{ organization(id: "${organization.id}") { samlProviders { nodes { warnings } } } }`,
    );
  expect(of.samlProviders.nodes[0]?.warnings.join()).toContain(reason);
});

const claims = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims";

test.each<[string, Record<string, string>, string | null]>([
  ["Azure's UPN in claims/name", { [`${claims}/name`]: `pat@${domain}` }, `pat@${domain}`],
  ["claims/upn", { [`${claims}/upn`]: `Upn@${domain}` }, `upn@${domain}`],
  ["userPrincipalName", { userPrincipalName: `principal@${domain}` }, `principal@${domain}`],
  ["eduPersonPrincipalName", { "urn:oid:1.3.6.1.4.1.5923.1.1.1.6": `edu@${domain}` }, `edu@${domain}`],
  ["mail before an account", { [`${claims}/name`]: `account@${domain}`, mail: `real@${domain}` }, `real@${domain}`],
  ["an account if mail is not an address", { mail: "-", [`${claims}/upn`]: `upn2@${domain}` }, `upn2@${domain}`],
  ["emailaddress of Azure", { [`${claims}/emailaddress`]: `azure@${domain}` }, `azure@${domain}`],
  ["an e-mail attribute of Okta", { "user.email": `okta@${domain}` }, `okta@${domain}`],
  ["no account of a guest", { [`${claims}/name`]: `pat_partner.example.org#EXT#@${domain}` }, null],
  ["no name that is not an address", { [`${claims}/name`]: "Pat Example" }, null],
  ["no address of another domain", { [`${claims}/upn`]: "pat@partner.example.org" }, null],
])("the address of a person is %s", async (what, attributes, expected) => {
  const { email, name } = await signIn({ nameId: `azure ${what}`, format: format("persistent"), attributes });
  expect(expected === null ? email?.endsWith("@saml.invalid") : email).toBe(expected ?? true);
  if (what.includes("that is not")) expect(name).toBe("Pat Example");
});

test("a request asks for a persistent name, and the metadata say so", async () => {
  const location = new URL(await new TestBrowser().start(app.url, provider.id));
  const xml = inflateRawSync(Buffer.from(location.searchParams.get("SAMLRequest") ?? "", "base64")).toString();
  expect(xml).toContain(`<samlp:NameIDPolicy Format="${format("persistent")}" AllowCreate="true"/>`);
  const metadata = await (await fetch(`${app.url}/saml/${provider.id}/metadata`)).text();
  expect(metadata).toContain(`<md:NameIDFormat>${format("persistent")}</md:NameIDFormat>`);
});
