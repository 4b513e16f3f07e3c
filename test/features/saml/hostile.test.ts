// Hostile SAML responses: each is refused with a page that has instructions and no secrets, and
// is logged with the reason.
import { pino } from "pino";
import { expect, test } from "vitest";
import { attacks, posts } from "#test/features/saml/attacks.ts";
import { inMinutes, TestIdp } from "#test/features/saml/idp.ts";
import { behindProxy, setProvider, TestBrowser } from "#test/features/saml/sign-in.ts";
import { testApp, useApp } from "#test/support/app.ts";

interface Line {
  readonly msg: string;
  readonly reason?: string;
}

const lines: Line[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
const { app, world } = await useApp({ log, ...behindProxy });
const idp = new TestIdp();
const { provider } = await setProvider(world, idp);

/** Asserts a refusal: by status, page, log, and the missing session. */
async function expectRefused(response: Response, browser: TestBrowser, reason: RegExp): Promise<void> {
  const page = await response.text();
  expect([response.status, lines.findLast((line) => line.reason !== undefined)?.reason]).toEqual([
    400,
    expect.stringMatching(reason),
  ]);
  expect(page).toContain("You could not be signed in");
  expect(page).toContain("sign in again");
  expect(page).not.toMatch(/BEGIN|idp\.example\.com|root|NameID|signature/);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(browser.cookies).not.toContain("docgraph-session");
}

test("a valid SAML response is accepted, so that refusals mean something", async () => {
  const browser = new TestBrowser();
  const answer = idp.answerTo(await browser.start(app.url, provider.id));
  expect((await browser.answer(answer.acsURL, idp.signed(answer))).status).toBe(303);
});

test("more than forty hostile SAML responses are tested", () => {
  expect(attacks.length + Object.keys(posts).length).toBeGreaterThan(80);
});

test.for(attacks)('the hostile SAML response "%s" is refused', async ([, [attack, reason]]) => {
  const browser = new TestBrowser();
  const answer = idp.answerTo(await browser.start(app.url, provider.id));
  await expectRefused(await browser.answer(answer.acsURL, attack(idp, answer)), browser, reason);
});

test.for(Object.entries(posts))('the malformed SAML response "%s" is refused', async ([, [make, reason]]) => {
  const browser = new TestBrowser();
  const answer = idp.answerTo(await browser.start(app.url, provider.id));
  const SAMLResponse = make(idp.signed(answer));
  await expectRefused(await browser.post(answer.acsURL, { SAMLResponse }), browser, reason);
});

test("a SAML response is accepted once, also across gateways, after a restart, and with the earlier cookie", async () => {
  const browser = new TestBrowser();
  const answer = idp.answerTo(await browser.start(app.url, provider.id));
  const cookie = browser.cookies;
  const xml = idp.signed(answer);
  const first = await browser.answer(answer.acsURL, xml);
  expect(first.status).toBe(303);
  await expectReplayRefused(app.url, xml, "");
  await expectReplayRefused(app.url, xml, cookie);
  await expectReplayRefused(app.url, idp.signed({ ...answer, assertionId: "_another" }), cookie);
  await using restarted = await testApp({ beside: app, log, publicUrl: app.url });
  await expectReplayRefused(restarted.url, xml, cookie);
});

async function expectReplayRefused(url: string, xml: string, cookie: string): Promise<void> {
  const body = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString("base64") });
  const headers = { cookie };
  const response = await fetch(`${url}/saml/${provider.id}/acs`, { method: "POST", body, headers, redirect: "manual" });
  await expectRefused(response, new TestBrowser(), cookie === "" ? /InResponseTo/ : /already used/);
}

test("a SAML response is accepted only in the browser that requested it", async () => {
  const [attacker, victim] = [new TestBrowser(), new TestBrowser()];
  const answer = idp.answerTo(await attacker.start(app.url, provider.id));
  await victim.start(app.url, provider.id);
  await expectRefused(await victim.answer(answer.acsURL, idp.signed(answer)), victim, /this browser did not request/);
});

test("the cookie of a SAML request cannot be forged from its response", async () => {
  const answer = idp.answerTo(await new TestBrowser().start(app.url, provider.id));
  const later = Date.now() + 1e9;
  for (const value of [`${later}.`, `${"0".repeat(40)}.${later}.`, `${answer.requestId.slice(1)}.${Date.now()}.`]) {
    const SAMLResponse = Buffer.from(idp.signed(answer)).toString("base64");
    const response = await fetch(answer.acsURL, {
      method: "POST",
      body: new URLSearchParams({ SAMLResponse }),
      headers: { cookie: `docgraph-saml${answer.requestId}=${value}` },
      redirect: "manual",
    });
    await expectRefused(response, new TestBrowser(), /this browser did not request/);
  }
});

test.each([
  ["issued over an hour ago", { issuedAt: inMinutes(-63) }],
  ["issued in the future", { issuedAt: inMinutes(60) }],
])("a SAML response that was %s is refused, however long its provider declares it valid", async (_name, made) => {
  const browser = new TestBrowser();
  const long = { notBefore: inMinutes(-600), notOnOrAfter: inMinutes(600), confirmedUntil: inMinutes(600) };
  const answer = idp.answerTo(await browser.start(app.url, provider.id), { ...long, ...made });
  await expectRefused(await browser.answer(answer.acsURL, idp.signed(answer)), browser, /IssueInstant/);
});

test("a SAML response is remembered as long as it is valid", async () => {
  const browser = new TestBrowser();
  const long = { notOnOrAfter: inMinutes(600), confirmedUntil: inMinutes(600), issuedAt: inMinutes(-30) };
  const answer = idp.answerTo(await browser.start(app.url, provider.id), long);
  expect((await browser.answer(answer.acsURL, idp.signed(answer))).status).toBe(303);
  const { requestId } = answer;
  const kept = await app.database.prisma.samlAnswer.findFirstOrThrow({ where: { requestId } });
  expect(kept.expiresAt.toISOString()).toBe(new Date(Date.parse(answer.issuedAt) + 62 * 60_000).toISOString());
});

test("a SAML response for one provider is refused at another, even of the same identity provider", async () => {
  const other = await setProvider(world, idp);
  const browser = new TestBrowser();
  const answer = idp.answerTo(await browser.start(app.url, provider.id));
  const acsURL = answer.acsURL.replace(provider.id, other.provider.id);
  await expectRefused(await browser.answer(acsURL, idp.signed(answer)), browser, /Destination/);
  const redirected = idp.signed({ ...answer, destination: acsURL, recipient: acsURL });
  await expectRefused(await browser.answer(acsURL, redirected), browser, /audience/i);
  const resigned = idp.signed({ ...answer, destination: acsURL, audience: acsURL.replace(/acs$/, "metadata") });
  await expectRefused(await browser.answer(acsURL, resigned), browser, /Recipient/);
});

test("a SAML body larger than any response, and other methods, are refused", async () => {
  const body = new URLSearchParams({ SAMLResponse: "A".repeat(1_000_000) });
  const acsURL = `${app.url}/saml/${provider.id}/acs`;
  expect((await fetch(acsURL, { method: "POST", body })).status).toBe(413);
  expect((await fetch(acsURL)).status).toBe(405);
  expect((await fetch(`${app.url}/saml/sml_00000000000000000000000000/start`)).status).toBe(404);
});

test("without a valid certificate no SAML response is accepted", async () => {
  const { provider: stale } = await setProvider(world, idp);
  const browser = new TestBrowser();
  const { makeKeyPair } = await import("#test/features/saml/certificate.ts");
  const { certificate } = makeKeyPair("over", { expiresAt: new Date("2021-01-01") });
  await app.database.prisma.samlProvider.update({ where: { id: stale.id }, data: { certificate } });
  const answer = idp.answerTo(await browser.start(app.url, stale.id));
  await expectRefused(await browser.answer(answer.acsURL, idp.signed(answer)), browser, /no certificate that is valid/);
});
