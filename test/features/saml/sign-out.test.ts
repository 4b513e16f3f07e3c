// Single logout: started here or by the provider, it ends the session and its connections.
import { createSign, randomUUID } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { makeSessionToken } from "#src/access/sessions.ts";
import { makeKeyPair } from "#test/features/saml/certificate.ts";
import { inMinutes, namespaceOf, rsaSha256, TestIdp } from "#test/features/saml/idp.ts";
import { behindProxy, setProvider, TestBrowser } from "#test/features/saml/sign-in.ts";
import { listenTo } from "#test/live/listener.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp(behindProxy);
const idp = new TestIdp();
const { provider, organization } = await setProvider(world, idp);
const logoutURL = `${app.url}/saml/${provider.id}/logout`;
const { prisma } = app.database;

let people = 0;

/** A signed-in user: a new one, unless a name is given. */
async function signedIn(nameId = `person-${++people}`) {
  const browser = new TestBrowser();
  const answer = idp.answerTo(await browser.start(app.url, provider.id), { nameId, attributes: {} });
  await browser.answer(answer.acsURL, idp.signed(answer));
  const session = await prisma.session.findFirstOrThrow({ where: { nameId }, orderBy: { createdAt: "desc" } });
  return { browser, nameId, session, sessionIndex: answer.sessionIndex };
}

const isOver = async ({ id }: { id: string }) =>
  (await prisma.session.findUniqueOrThrow({ where: { id } })).endedAt !== null;

interface Of {
  readonly nameId: string;
  readonly sessionIndex?: string;
  readonly issuer?: string;
  readonly destination?: string;
  readonly at?: string;
  readonly id?: string;
}

const logoutRequest = ({
  nameId,
  sessionIndex,
  issuer = idp.entityID,
  destination = logoutURL,
  at = inMinutes(0),
  id = `_${randomUUID()}`,
}: Of) =>
  `<samlp:LogoutRequest xmlns:samlp="${namespaceOf.samlp}" xmlns:saml="${namespaceOf.saml}" ID="${id}" Version="2.0" IssueInstant="${at}" Destination="${destination}"><saml:Issuer>${issuer}</saml:Issuer><saml:NameID>${nameId}</saml:NameID>${
    sessionIndex === undefined ? "" : `<samlp:SessionIndex>${sessionIndex}</samlp:SessionIndex>`
  }</samlp:LogoutRequest>`;

function redirectURL(xml: string, { privateKey } = idp.pair, sigAlg = rsaSha256, digest = "sha256"): string {
  const query = new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString("base64"), RelayState: "state" });
  query.set("SigAlg", sigAlg);
  const signature = createSign(digest).update(query.toString()).sign(privateKey, "base64");
  query.set("Signature", signature);
  return `${logoutURL}?${query.toString()}`;
}

const messageIn = (location: string | null, name: string) =>
  inflateRawSync(Buffer.from(new URL(location ?? "").searchParams.get(name) ?? "", "base64")).toString();

test("signing out ends the session and continues at the SAML provider", async () => {
  const { browser, session, nameId, sessionIndex } = await signedIn();
  const response = await browser.post(logoutURL, {});
  expect(response.status).toBe(303);
  expect(browser.cookies).toBe("");
  expect(await isOver(session)).toBe(true);
  const message = messageIn(response.headers.get("location"), "SAMLRequest");
  expect(message).toContain(`<saml:NameID>${nameId}</saml:NameID><samlp:SessionIndex>${sessionIndex}<`);
  expect((await browser.open(`${logoutURL}?SAMLResponse=x`)).status).toBe(200);
  expect((await browser.post(logoutURL, {})).status).toBe(400);
});

test("a page of another site signs no one out: a GET without a message does nothing", async () => {
  const { browser, session } = await signedIn();
  expect((await browser.open(logoutURL)).status).toBe(400);
  expect(await isOver(session)).toBe(false);
});

test("the SAML provider ends one session by a redirect, and all of a user by a form", async () => {
  const { nameId, session, sessionIndex } = await signedIn();
  const other = await signedIn();
  const response = await fetch(redirectURL(logoutRequest({ nameId, sessionIndex, id: "_logout" })), {
    redirect: "manual",
  });
  expect(response.status).toBe(303);
  const location = response.headers.get("location");
  expect(messageIn(location, "SAMLResponse")).toMatch(/InResponseTo="_logout".*status:Success/);
  expect(new URL(location ?? "").searchParams.get("RelayState")).toBe("state");
  expect([await isOver(session), await isOver(other.session)]).toEqual([true, false]);
  const posted = idp.sign(logoutRequest({ nameId: other.nameId }), "LogoutRequest");
  const SAMLRequest = Buffer.from(posted).toString("base64");
  const body = new URLSearchParams({ SAMLRequest });
  expect((await fetch(logoutURL, { method: "POST", body, redirect: "manual" })).status).toBe(303);
  expect(await isOver(other.session)).toBe(true);
});

test("event streams of a session end with it", async () => {
  const { nameId, session } = await signedIn();
  const { token } = await makeSessionToken(prisma, session.id, new Date());
  const scope = { space: "", changeRequest: "", organization: organization.id };
  const listener = await listenTo(app.url, token, "an organization", scope);
  if (typeof listener === "string") throw new Error(listener);
  await fetch(redirectURL(logoutRequest({ nameId })), { redirect: "manual" });
  expect(await listener.next()).toBe("UNAUTHENTICATED");
});

test("a replayed logout message does not end sessions that were opened later", async () => {
  const { nameId, session } = await signedIn();
  const message = redirectURL(logoutRequest({ nameId }));
  expect((await fetch(message, { redirect: "manual" })).status).toBe(303);
  expect(await isOver(session)).toBe(true);
  const again = await signedIn(nameId);
  expect((await fetch(message, { redirect: "manual" })).status).toBe(303);
  expect(await isOver(again.session)).toBe(false);
});

const stranger = makeKeyPair("stranger");
const others: Readonly<Record<string, (of: Of) => string>> = {
  "another key": (of) => redirectURL(logoutRequest(of), stranger),
  "no signature": (of) => redirectURL(logoutRequest(of)).replace(/&Signature=.*/, ""),
  "no algorithm": (of) => redirectURL(logoutRequest(of)).replace(/&SigAlg=[^&]*/, ""),
  "SHA-1": (of) => redirectURL(logoutRequest(of), idp.pair, "http://www.w3.org/2000/09/xmldsig#rsa-sha1", "sha1"),
  "another message than the signed one": (of) =>
    `${redirectURL(logoutRequest({ nameId: "nobody" }))}&SAMLRequest=${encodeURIComponent(deflateRawSync(logoutRequest(of)).toString("base64"))}`,
  "another issuer": (of) => redirectURL(logoutRequest({ ...of, issuer: "https://other.example.com" })),
  "another destination": (of) => redirectURL(logoutRequest({ ...of, destination: "https://other.example.com" })),
  "an old message": (of) => redirectURL(logoutRequest({ ...of, at: inMinutes(-10) })),
  "a comment": (of) => redirectURL(logoutRequest({ nameId: `${of.nameId}<!---->x` })),
  "a decompression bomb": () => redirectURL(" ".repeat(10_000_000)),
};

test.for(Object.entries(others))("a logout message with %s ends no session", async ([, make]) => {
  const { nameId, session } = await signedIn();
  const response = await fetch(make({ nameId }), { redirect: "manual" });
  expect(response.status).toBe(400);
  expect(await isOver(session)).toBe(false);
});

test("a logout form with an invalid signature ends no session", async () => {
  const { nameId, session } = await signedIn();
  const signed = idp.sign(logoutRequest({ nameId }), "LogoutRequest");
  const signature = /<Signature[\s\S]*<\/Signature>/;
  const forms = [
    logoutRequest({ nameId }),
    idp.sign(logoutRequest({ nameId }), "LogoutRequest", { pair: stranger }),
    // The structures of the requests that node-saml publishes in its tests as invalid.
    signed.replace("<saml:NameID>", '<samlp:Extensions ID="_logout"/><saml:NameID>'),
    signed.replace('URI="#', 'URI="'),
    signed.replace(signature, (one) => `<samlp:Extensions>${one}</samlp:Extensions>`),
  ];
  for (const xml of forms) {
    const SAMLRequest = Buffer.from(xml).toString("base64");
    expect((await new TestBrowser().post(logoutURL, { SAMLRequest })).status).toBe(400);
  }
  expect(await isOver(session)).toBe(false);
});
