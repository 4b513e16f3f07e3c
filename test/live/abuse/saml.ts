// Abuse of SAML by an attacker without an account, and of e-mail domains by an account.
import { createHash, randomBytes } from "node:crypto";
import { newId } from "#src/base/ids.ts";
import { addMember, addPerson } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { namespaceOf, TestIdp } from "#test/features/saml/idp.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import {
  type Answer,
  ask,
  asks,
  type Check,
  held,
  measured,
  type Outcome,
  post,
  type Target,
} from "#test/live/abuse/target.ts";
import { times } from "#test/support/world.ts";

const many = (count: number, text: (index: number) => string): string => times(count, text).join("");
const algorithm = (name: string, value: string) => `<${name} Algorithm="http://www.w3.org/${value}"/>`;
const exclusive = "2001/10/xml-exc-c14n#";

/** A signature in an accepted form that does not match. */
const signature = (id: string) =>
  `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo>${algorithm("CanonicalizationMethod", exclusive)}` +
  `${algorithm("SignatureMethod", "2001/04/xmldsig-more#rsa-sha256")}<Reference URI="#${id}"><Transforms>` +
  `${algorithm("Transform", "2000/09/xmldsig#enveloped-signature")}${algorithm("Transform", exclusive)}</Transforms>` +
  `${algorithm("DigestMethod", "2001/04/xmlenc#sha256")}<DigestValue>AAAA</DigestValue></Reference></SignedInfo>` +
  `<SignatureValue>AAAA</SignatureValue></Signature>`;

/** A provider of a new organization with `count` certificates. */
async function makeProvider({ world }: Target, certificates = 1) {
  const idps = times(certificates, () => new TestIdp());
  const [{ entityID, ssoURL, logoutURL }] = [idps[0] ?? new TestIdp()];
  const certificate = idps.map(({ pair }) => pair.certificate).join("");
  return world.insert((rows) => {
    const organizationId = addOrganization(rows).id;
    return addSamlProvider(rows, { organizationId, entityID, ssoURL, logoutURL, certificate });
  });
}

/** Posts a SAML response with the cookie of a forged request. */
function answer({ url }: Target, providerId: string, content: string): Promise<Answer> {
  const secret = randomBytes(20).toString("hex");
  const id = `_${createHash("sha256").update(secret).digest("hex").slice(0, 40)}`;
  const xml =
    `<p:Response xmlns:p="${namespaceOf.samlp}" ID="_r" Version="2.0" InResponseTo="${id}"><p:Status>` +
    `<p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status>` +
    `<Assertion xmlns="${namespaceOf.saml}" ID="_a">${signature("_a")}${content}</Assertion></p:Response>`;
  const prefix = url.startsWith("https:") ? "__Secure-docgraph-saml" : "docgraph-saml";
  return ask(`${url}/saml/${providerId}/acs`, {
    method: "POST",
    headers: { cookie: `${prefix}${id}=${secret}.${Date.now() - 1000}.` },
    body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString("base64") }),
  });
}

function logout({ url }: Target, providerId: string, content: string): Promise<Answer> {
  const xml = `<p:LogoutRequest xmlns:p="${namespaceOf.samlp}" ID="_l">${signature("_l")}${content}</p:LogoutRequest>`;
  return ask(`${url}/saml/${providerId}/logout`, {
    method: "POST",
    body: new URLSearchParams({ SAMLRequest: Buffer.from(xml).toString("base64") }),
  });
}

/** The longest accepted response time on an idle machine, in milliseconds. */
const atMost = { beyondBounds: 1_000, withinBounds: 2_500 } as const;

/** Sends a message that must be refused, and measures the response time. */
async function refusedWithin(ms: number, send: () => Promise<Answer>): Promise<Outcome> {
  const begun = performance.now();
  const { status } = await send();
  const took = performance.now() - begun;
  return measured(status === 400 || status === 413, took < ms, `${status} after ${took.toFixed(0)} ms`);
}

const elements = (count: number) => many(count, () => "<a/>");
const spaces = (count: number) => many(count, (index) => `<a xmlns:n${index}="u"/>`);

/** The slowest message within all limits at full size. */
const dearest = ({ size }: Pick<Target, "size">) =>
  `<a ${many(size(2_500, 25), (index) => `xmlns:n${index}="u" `)}>${elements(size(1_900, 19))}</a>`;

/** Messages of one client that are parsed in a minute. */
const looked = 20;

/** More messages than are parsed. */
const flood = ({ size }: Target) => Math.max(size(200), looked + 5);

const answers: readonly Check[] = [
  ...(
    [
      ["33,000 elements", elements(33_000)],
      ["14,000 elements in 60,000 characters", elements(14_000)],
      ["2,001 elements", elements(2_001)],
      ["10,000 elements with a namespace each", spaces(10_000)],
      [
        "1,900 elements with a namespace each, and 5,000 attributes",
        spaces(1_900) + `<a ${many(5_000, (i) => `a${i}="" `)}/>`,
      ],
      ["43 levels with 400 elements each", `${many(43, () => `<a>${elements(400)}`)}${many(43, () => "</a>")}`],
      ["5,000 levels", many(5_000, () => "<a>") + many(5_000, () => "</a>")],
      ["elements hidden behind a value", `<a b="<">${many(3_000, () => '<a b="<"/>')}</a>`],
    ] as const
  ).flatMap(([what, content]) => [
    asks("fail", `a SAML response without a valid signature: ${what}`, async (target) => {
      const { id } = await makeProvider(target);
      return refusedWithin(atMost.beyondBounds, () => answer(target, id, content));
    }),
    asks("fail", `a SAML logout request without a valid signature: ${what}`, async (target) => {
      const { id } = await makeProvider(target);
      return refusedWithin(atMost.beyondBounds, () => logout(target, id, content));
    }),
  ]),
  held(
    asks("fail", "a SAML response just within the limits for a provider with 2 certificates", async (target) => {
      const { id } = await makeProvider(target, 2);
      const content = dearest({ size: (count) => count });
      return refusedWithin(atMost.withinBounds, () => answer(target, id, content));
    }),
    ["features/saml/limits.test.ts", "parses SAML XML at the limits"],
  ),
  asks(
    "fail",
    "200 SAML responses within the limits to one provider, and latency of others",
    async (target) => {
      const { id } = await makeProvider(target, 2);
      const [count, content] = [flood(target), dearest(target)];
      const all = Promise.all(times(count, () => answer(target, id, content)));
      const begun = performance.now();
      const { status } = await post(target, "{ viewer { id } }");
      const waited = performance.now() - begun;
      const statuses = (await all).map((one) => one.status);
      const taken = statuses.filter((one) => one !== 429).length;
      const isRight = status === 200 && taken <= looked;
      return measured(
        isRight,
        waited < 2_000,
        `${taken} parsed, ${count - taken} times 429; another request waited ${waited.toFixed(0)} ms`,
      );
    },
    { cpuMs: 15_000 },
  ), // in threads, for the 20 that one client may send in a minute
  asks("fail", "200 SAML logouts within the limits to one provider", async (target) => {
    const { id } = await makeProvider(target, 2);
    const count = flood(target);
    const sent = await Promise.all(times(count, () => logout(target, id, elements(target.size(1_900, 19)))));
    const taken = sent.filter(({ status }) => status !== 429).length;
    return { holds: taken <= looked, evidence: `${taken} parsed, ${count - taken} times 429` };
  }),
  asks("fail", "SAML metadata of 30,000 elements by any account", async (target) => {
    const xml = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"><IDPSSODescriptor>${elements(30_000)}</IDPSSODescriptor></EntityDescriptor>`;
    const query = `query ($id: ID!, $xml: String!) { samlProviderFromMetadata(organizationId: $id, from: { xml: $xml }) { entityID } }`;
    const begun = performance.now();
    const { text } = await post(target, query, { variables: { id: target.organizationId, xml } });
    const took = performance.now() - begun;
    return measured(
      text.includes("more than 2,000 elements"),
      took < atMost.beyondBounds,
      `${took.toFixed(0)} ms: ${text.slice(0, 120)}`,
    );
  }),
];

/** An organization of an attacker that claims the domain of another company, with its provider. */
async function squat({ world }: Target, domain: string, status: "pending" | "active" = "pending") {
  const idp = new TestIdp();
  const { entityID, ssoURL, logoutURL, pair } = idp;
  const made = await world.insert((rows) => {
    const organizationId = addOrganization(rows, { emailDomains: [domain] }).id;
    const mallory = addPerson(rows);
    addMember(rows, { organizationId, userId: mallory.id, role: "admin" });
    const settings = { entityID, ssoURL, logoutURL, certificate: pair.certificate };
    return { organizationId, mallory, provider: addSamlProvider(rows, { organizationId, status, ...settings }) };
  });
  return { ...made, idp };
}

/** Signs in a user named by the attacker's provider. */
async function signIn({ url }: Target, { idp, provider }: Awaited<ReturnType<typeof squat>>, email: string) {
  const start = await ask(`${url}/saml/${provider.id}/start`);
  const cookie = start.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const to = idp.answerTo(start.headers.get("location") ?? "", { nameId: email, attributes: { email } });
  return ask(to.acsURL, {
    method: "POST",
    headers: { cookie },
    body: new URLSearchParams({ SAMLResponse: Buffer.from(idp.signed(to)).toString("base64") }),
  });
}

const domains: readonly Check[] = [
  asks("fail", "a provider that names users of a domain claimed by its organization", async (target) => {
    const domain = `${newId("User").replace("_", "-")}.example.com`;
    const scene = await squat(target, domain);
    const { status } = await signIn(target, scene, `cfo@${domain}`);
    const query = `query ($id: ID!) { organization(id: $id) { members(first: 10) { nodes { user { email } } } } }`;
    const variables = { id: scene.organizationId };
    const { text } = await post(target, query, { token: scene.mallory.token, variables });
    const isApart = text.includes("@saml.invalid") && !text.includes(`cfo@${domain}`);
    return { holds: status === 303 && isApart, evidence: `${status}; ${text.slice(0, 160)}` };
  }),
  asks("fail", "reserved and public mail domains claimed by an organization", async (target) => {
    const scene = await squat(target, "mine.example.com");
    const answers = [];
    for (const domain of ["integrations.invalid", "corp.local", "corp.test", "gmail.com"])
      answers.push(
        await post(
          target,
          `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { id } } }`,
          {
            token: scene.mallory.token,
            variables: { input: { organizationId: scene.organizationId, emailDomains: [domain] } },
          },
        ),
      );
    const holds = answers.every(({ text }) => text.includes("INVALID_INPUT"));
    return { holds, evidence: answers.map(({ text }) => text.slice(0, 90)).join("; ") };
  }),
  asks("fail", "leaving an organization that is closed to the session", async (target) => {
    const scene = await squat(target, "mine.example.com", "active");
    const organizationId = scene.organizationId;
    const victim = await target.world.insert((rows) => {
      const { id: userId } = addPerson(rows);
      addMember(rows, { organizationId, userId, role: "read", sso: true });
      return { userId, token: addToken(rows, { userId, madeByEmail: true }).token };
    });
    const asVictim = (query: string) => post(target, query, { token: victim.token });
    const listed = await asVictim("{ closedMemberships { organizationId } organizations { nodes { id } } }");
    const left = await asVictim(
      `mutation { removeMember(input: { organizationId: "${organizationId}", userId: "${victim.userId}" }) { deletedId } }`,
    );
    const isListed = listed.text.includes(organizationId) && listed.text.includes('"nodes":[]');
    return { holds: isListed && left.text.includes('"deletedId":"'), evidence: `${listed.text} ${left.text}` };
  }),
];

export const samlChecks: readonly Check[] = [...answers, ...domains];
