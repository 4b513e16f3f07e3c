// Managing SAML providers: creating, updating, validation, warnings, metadata, and visibility.
import { expect, test } from "vitest";
import { makeKeyPair } from "#test/features/saml/certificate.ts";
import { exampleCertificate, exampleMetadata } from "#test/features/saml/example-certificate.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { useApp } from "#test/support/app.ts";

const now = new Date("2026-06-01T12:00:00Z");
const { app, world } = await useApp({ clock: { now: () => now } });
const made = await world.organization();
const { admin, reader, guest, team, outsider } = made;
const organizationId = made.organization.id;
const asAdmin = app.as(admin.token);

const create = `mutation ($input: CreateSamlProviderInput!) { createSamlProvider(input: $input) { samlProvider {
  id label entityID ssoURL logoutURL certificate status defaultRole defaultTeam { id } warnings
  certificates { subject fingerprint startsAt expiresAt } service { entityID acsURL startURL logoutURL } urls { location } } } }`;
const update = `mutation ($input: UpdateSamlProviderInput!) { updateSamlProvider(input: $input) { samlProvider {
  id label status certificate certificates { subject } warnings } } }`;

interface Provider {
  readonly id: string;
  readonly status: string;
  readonly certificate: string | null;
  readonly warnings: readonly string[];
  readonly certificates: readonly { subject: string; expiresAt: string }[];
  readonly service: Record<string, string>;
}

const created = async (input: object) =>
  (
    await asAdmin.query<{ createSamlProvider: { samlProvider: Provider } }>(create, {
      input: { organizationId, ...input },
    })
  ).createSamlProvider.samlProvider;
const updated = async (samlProviderId: string, input: object) =>
  (
    await asAdmin.query<{ updateSamlProvider: { samlProvider: Provider } }>(update, {
      input: { organizationId, samlProviderId, ...input },
    })
  ).updateSamlProvider.samlProvider;

const settings = { entityID: "https://idp.example.com", ssoURL: "https://idp.example.com/sso" };

test("a new SAML provider is pending, and lists the values to enter at the identity provider", async () => {
  const provider = await created({
    label: "Staff",
    ...settings,
    certificate: exampleCertificate,
    defaultTeamId: team.id,
    defaultRole: "READ",
  });
  const start = `${app.url}/saml/${provider.id}`;
  expect(provider).toMatchObject({
    label: "Staff",
    status: "PENDING",
    defaultRole: "READ",
    defaultTeam: { id: team.id },
    warnings: [],
    certificates: [{ subject: "CN=idp.example.com", expiresAt: "2100-01-01T00:00:00.000Z" }],
    service: {
      entityID: `${start}/metadata`,
      acsURL: `${start}/acs`,
      startURL: `${start}/start`,
      logoutURL: `${start}/logout`,
    },
    urls: { location: `${app.url}/v1/orgs/${organizationId}/saml/${provider.id}` },
  });
  const [event] = await app.eventsOf(provider.id);
  expect(event).toMatchObject({ type: "samlProvider.created", actorId: admin.id, payload: { label: "Staff" } });
});

test("a SAML provider warns of missing values and expiring certificates", async () => {
  const soon = makeKeyPair("soon", { expiresAt: new Date("2026-06-20") }).certificate;
  const over = makeKeyPair("over", { expiresAt: new Date("2026-05-20") }).certificate;
  const next = makeKeyPair("next", { startsAt: new Date("2026-06-10") }).certificate;
  const { id, warnings } = await created({ label: "Empty" });
  expect(warnings).toHaveLength(3);
  const warned = async (certificate: string) => (await updated(id, { ...settings, certificate })).warnings.join(" ");
  expect(await warned(soon)).toMatch(/expires on 2026-06-20/);
  expect(await warned(over)).toMatch(/expired on 2026-05-20: nobody can sign in/);
  expect(await warned(over + next)).toMatch(/CN=next becomes valid on 2026-06-10/);
  expect((await updated(id, { certificate: soon + next })).certificates).toHaveLength(2);
});

test("a SAML provider with a changed entity id or URL is pending again; with a changed certificate it is not", async () => {
  const { id } = await created({ label: "Active", ...settings, certificate: exampleCertificate });
  await app.database.prisma.samlProvider.update({ where: { id }, data: { status: "active" } });
  expect((await updated(id, { certificate: makeKeyPair("new").certificate })).status).toBe("ACTIVE");
  expect((await updated(id, { label: "Same" })).status).toBe("ACTIVE");
  expect((await updated(id, { entityID: "https://other.example.com" })).status).toBe("PENDING");
  const types = (await app.eventsOf(id)).map(({ payload }) => payload);
  expect(types).toContainEqual({ label: "Active", changes: [], isCertificateChanged: true });
});

test("sessions of a SAML provider end when it is changed to another one or deleted", async () => {
  const { prisma } = app.database;
  for (const [input, keepsNames] of [
    [{ ssoURL: "https://idp.example.com/new" }, true],
    [{ entityID: "https://other.example.com" }, false],
    [null, false],
  ] as const) {
    const { id } = await created({
      label: "Staff",
      entityID: "https://idp.example.com",
      ssoURL: "https://idp.example.com/sso",
    });
    const by = { providerId: id, organizationId, nameId: "reader" };
    const session = await signIn(app, { userId: reader.id, way: "saml", ...by, at: now });
    await prisma.samlIdentity.create({
      data: { providerId: id, nameId: "reader", userId: reader.id, lastSignInAt: now },
    });
    if (input) await updated(id, input);
    else
      await asAdmin.query(
        `mutation { deleteSamlProvider(input: { organizationId: "${organizationId}", samlProviderId: "${id}" }) { deletedId } }`,
      );
    const { endedAt } = await prisma.session.findUniqueOrThrow({ where: { id: session.id } });
    expect(endedAt).toEqual(now);
    expect((await app.eventsOf(session.id)).map(({ type }) => type)).toEqual(["session.opened", "session.ended"]);
    expect(await prisma.samlIdentity.count({ where: { providerId: id } })).toBe(keepsNames ? 1 : 0);
  }
});

test.for([
  ["a key", { certificate: makeKeyPair("a").privatePem }, /private key/],
  [
    "no certificate",
    { certificate: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" },
    /is not a valid X/,
  ],
  ["a cut certificate", { certificate: exampleCertificate.slice(0, 300) }, /incomplete/],
  ["a short key", { certificate: makeKeyPair("a", { bits: 1024 }).certificate }, /2048/],
  ["an address of another scheme", { ssoURL: "javascript:alert(1)" }, /https:/],
  ["a long label", { label: "x".repeat(31) }, /1 to 30/],
  ["a team of another organization", { defaultTeamId: "tem_01h2xcejqtf2nbrexx3vqjhp41" }, /must be the id of a team/],
] as const)("a SAML provider with %s is refused", async ([, input, message]) => {
  const { errors } = await asAdmin.graphql(create, { input: { organizationId, label: "Bad", ...input } });
  expect(errors?.[0]?.extensions.code).toBe("INVALID_INPUT");
  expect(errors?.[0]?.message).toMatch(message);
});

test("only admins see SAML providers; working sign-in links are visible to everyone", async () => {
  const { organization, admin: other } = await world.organization();
  const path = `/v1/orgs/${organization.id}/sso`;
  expect((await app.as(null).rest("GET", path)).status).toBe(404);
  expect((await app.as(other.token).rest("GET", path)).body).toEqual({ items: [] });
  const as = app.as(other.token);
  const body = { label: "Staff", ...settings, certificate: exampleCertificate };
  const { body: provider } = await as.rest<{ id: string }>("POST", `/v1/orgs/${organization.id}/saml`, { body });
  const login = { id: provider.id, label: "Staff", startURL: `${app.url}/saml/${provider.id}/start` };
  expect((await app.as(null).rest("GET", path)).body).toEqual({ items: [login] });
  for (const { token } of [reader, guest, outsider])
    expect(await app.as(token).query(`{ node(id: "${provider.id}") { id } }`)).toEqual({ node: null });
  expect((await app.as(reader.token).rest("GET", `/v1/orgs/${organizationId}/saml`)).status).toBe(403);
});

test("SAML metadata is read from XML or a URL, with errors reported", async () => {
  const read = async (from: object) =>
    asAdmin.graphql<{ samlProviderFromMetadata: Record<string, unknown> }>(
      `query ($id: ID!, $from: SamlMetadataSource!) { samlProviderFromMetadata(organizationId: $id, from: $from) {
        entityID ssoURL logoutURL certificate isSigned validUntil warnings certificates { subject } } }`,
      { id: organizationId, from },
    );
  const { data } = await read({ xml: exampleMetadata });
  expect(data?.samlProviderFromMetadata).toEqual({
    entityID: "https://idp.example.com/metadata",
    ssoURL: "https://idp.example.com/sso",
    logoutURL: "https://idp.example.com/slo",
    certificate: exampleCertificate,
    certificates: [{ subject: "CN=idp.example.com" }],
    isSigned: false,
    validUntil: null,
    warnings: [],
  });
  const problem = async (from: object) => (await read(from)).errors?.[0]?.message;
  expect(await problem({ xml: `<!DOCTYPE x [<!ENTITY a "b">]>${exampleMetadata}` })).toMatch(/DOCTYPE/);
  expect(await problem({ xml: exampleMetadata.replaceAll("IDPSSO", "SPSSO") })).toMatch(/identity provider/);
  expect(await problem({ xml: "<a>" })).toMatch(/XML/);
  expect(await problem({ xml: "<a>".repeat(10_000) })).toMatch(/too deep/);
  expect(await problem({ url: "http://127.0.0.1/metadata" })).toMatch(/not public|was unreachable|returned/);
});

test("the service provider metadata is served at its entity id", async () => {
  const { service } = await created({ label: "Metadata" });
  const answer = await fetch(service["entityID"] ?? "");
  expect(answer.headers.get("content-type")).toBe("application/samlmetadata+xml; charset=utf-8");
  const text = await answer.text();
  expect(text).toContain(`entityID="${service["entityID"]}"`);
  expect(text).toContain(`Location="${service["acsURL"]}"`);
  expect((await fetch(`${app.url}/saml/nothing/metadata`)).status).toBe(404);
  expect((await fetch(service["entityID"] ?? "", { method: "POST" })).status).toBe(405);
});
