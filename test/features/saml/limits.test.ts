// Limits of SAML messages from unauthenticated clients: XML is checked before parsing, parsed only in a thread, and
// each client may send few messages a minute.
import { DOMParser } from "@xmldom/xmldom";
import { createSign } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { parseXml, xmlLimits } from "#src/features/saml/model/xml.ts";
import { inMinutes, namespaceOf, rsaSha256, TestIdp } from "#test/features/saml/idp.ts";
import { behindProxy, setProvider, TestBrowser } from "#test/features/saml/sign-in.ts";
import { useApp } from "#test/support/app.ts";

const reasons: string[] = [];
const note = (line: string) => {
  const { reason } = JSON.parse(line) as { reason?: string };
  if (reason !== undefined) reasons.push(reason);
};
const log = pino({ level: "warn" }, { write: note });
const { app, world } = await useApp({ log, ...behindProxy });
const idp = new TestIdp();
const { provider, organization, admin } = await setProvider(world, idp);
const at = (part: "acs" | "logout", { id } = provider) => `${app.url}/saml/${id}/${part}`;
const base64 = (xml: string) => Buffer.from(xml).toString("base64");

/** How often XML is parsed in the main thread during an action. */
async function parsedDuring(work: () => Promise<unknown> | void): Promise<number> {
  const parse = vi.spyOn(DOMParser.prototype, "parseFromString");
  try {
    await work();
    return parse.mock.calls.length;
  } finally {
    parse.mockRestore();
  }
}

const many = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join("");

/** XML that exceeds one of the limits by one. */
const beyond: Readonly<Record<string, readonly [xml: string, reason: RegExp]>> = {
  "2,001 elements": [`<r>${many(xmlLimits.elements, () => "<a/>")}</r>`, /more than 2,000 elements/],
  "5,001 attributes": [`<r ${many(xmlLimits.attributes + 1, (i) => `a${i}="" `)}/>`, /more than 5,000 attributes/],
  "5,001 namespaces": [
    `<r ${many(xmlLimits.attributes + 1, (i) => `xmlns:a${i}='u' `)}/>`,
    /more than 5,000 attributes/,
  ],
  "51 levels": [many(xmlLimits.depth + 1, () => "<a>") + many(xmlLimits.depth + 1, () => "</a>"), /too deep/],
  "elements hidden behind a value": [`<r a="<">${many(9_000, () => '<a b="<"/>')}</r>`, /well-formed/],
};

test.for(Object.entries(beyond))("refuses SAML XML with %s before parsing it", async ([, [xml, reason]]) => {
  expect(await parsedDuring(() => expect(() => parseXml(xml)).toThrow(reason))).toBe(0);
});

test("parses SAML XML at the limits", async () => {
  const attributes = many(xmlLimits.attributes / 2, (i) => `a${i}="='x'" `);
  const deep = many(xmlLimits.depth - 1, () => "<a>") + many(xmlLimits.depth - 1, () => "</a>");
  const text = `<r ${attributes}>${deep}${many(xmlLimits.elements - xmlLimits.depth, () => "<a/>")}</r>`;
  expect(await parsedDuring(() => void parseXml(text))).toBe(1);
});

/** The URL of a signed logout message by redirect. */
function redirectURL(xml: string): string {
  const query = new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString("base64"), SigAlg: rsaSha256 });
  const signature = createSign("sha256").update(query.toString()).sign(idp.pair.privateKey, "base64");
  return `${at("logout")}?${query.toString()}&${new URLSearchParams({ Signature: signature }).toString()}`;
}

const readMetadata = async (xml: string) =>
  app.as(admin.token).graphql(
    `query ($id: ID!, $xml: String!) {
    samlProviderFromMetadata(organizationId: $id, from: { xml: $xml }) { entityID } }`,
    { id: organization.id, xml },
  );

/** Every endpoint for XML of unauthenticated clients. Each returns the reason of the refusal. */
const ways: Readonly<Record<string, (xml: string) => Promise<string>>> = {
  "a response": async (xml) => {
    const browser = new TestBrowser();
    await browser.start(app.url, provider.id);
    expect((await browser.answer(at("acs"), xml)).status).toBe(400);
    return reasons.at(-1) ?? "";
  },
  "a logout by a form": async (xml) => {
    expect((await new TestBrowser().post(at("logout"), { SAMLRequest: base64(xml) })).status).toBe(400);
    return reasons.at(-1) ?? "";
  },
  "a logout by a redirect": async (xml) => {
    expect((await new TestBrowser().open(redirectURL(xml))).status).toBe(400);
    return reasons.at(-1) ?? "";
  },
  metadata: async (xml) => JSON.stringify(await readMetadata(xml)),
};

const refused = [
  beyond["2,001 elements"],
  beyond["51 levels"],
  ["<r/>", /not a Response|signed|LogoutRequest|IDPSSODesc/],
];

test.for(Object.entries(ways))("limits the XML of %s, and parses none in the main thread", async ([, send]) => {
  for (const [xml, reason] of refused as [string, RegExp][]) {
    const said: string[] = [];
    expect(await parsedDuring(async () => void said.push(await send(xml)))).toBe(0);
    expect(said[0]).toMatch(reason);
  }
});

test("validates an accepted SAML response, a logout and metadata only in the thread", async () => {
  const browser = new TestBrowser();
  const answer = idp.answerTo(await browser.start(app.url, provider.id));
  const xml = idp.signed(answer);
  const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com"><IDPSSODescriptor><KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${idp.pair.certificate.replaceAll(/-----[A-Z ]+-----|\s/g, "")}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/></IDPSSODescriptor></EntityDescriptor>`;
  const logout = idp.sign(
    `<samlp:LogoutRequest xmlns:samlp="${namespaceOf.samlp}" xmlns:saml="${namespaceOf.saml}" ID="_out" Version="2.0" IssueInstant="${inMinutes(0)}" Destination="${at("logout")}"><saml:Issuer>${idp.entityID}</saml:Issuer><saml:NameID>ann</saml:NameID></samlp:LogoutRequest>`,
    "LogoutRequest",
  );
  const parsed = await parsedDuring(async () => {
    expect((await browser.answer(answer.acsURL, xml)).status).toBe(303);
    expect((await new TestBrowser().post(at("logout"), { SAMLRequest: base64(logout) })).status).toBe(303);
    expect(await readMetadata(metadata)).toMatchObject({
      data: { samlProviderFromMetadata: { entityID: "https://idp.example.com" } },
    });
  });
  expect(parsed).toBe(0);
});

test("refuses a SAML response of more than 60,000 characters", async () => {
  const browser = new TestBrowser();
  await browser.start(app.url, provider.id);
  await browser.answer(at("acs"), `<r>${"x".repeat(60_000)}</r>`);
  expect(reasons.at(-1)).toBe("it has more than 60,000 characters");
});

test.for(["acs", "logout"] as const)("returns 429 from the 21st SAML message of a client to %s on", async (part) => {
  const other = await setProvider(world, idp);
  const post = (address: string, of = other.provider) =>
    fetch(at(part, of), {
      method: "POST",
      headers: { "x-forwarded-for": address },
      body: new URLSearchParams({ SAMLResponse: "", SAMLRequest: "" }),
    });
  for (const [client, same, another] of [
    ["198.51.100.1", "198.51.100.1", "198.51.100.2"],
    ["2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"],
  ] as const) {
    const statuses = [];
    for (let count = 0; count < 20; count += 1) statuses.push((await post(client)).status);
    expect(statuses).not.toContain(429);
    const refused = await post(same);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(await refused.text()).toMatch(/At most 20 people a minute .* Try again in/s);
    expect([(await post(another)).status, (await post(client, provider)).status]).not.toContain(429);
  }
});

test("audits 10 refused SAML messages of a client per hour, and those of other clients separately", async () => {
  const { provider: own, organization: place } = await setProvider(world, idp);
  const refuse = async (browser: TestBrowser, times: number) => {
    for (let count = 0; count < times; count += 1) {
      await browser.start(app.url, own.id);
      await browser.answer(at("acs", own), "<r/>");
    }
  };
  await refuse(new TestBrowser(), 12);
  await refuse(new TestBrowser(), 1);
  const where = { organizationId: place.id, type: "signIn.refused" };
  const entries = await app.database.prisma.auditEntry.groupBy({ by: ["address"], where, _count: true });
  expect(entries.map(({ _count }) => _count)).toEqual(expect.arrayContaining([1, 10]));
});
