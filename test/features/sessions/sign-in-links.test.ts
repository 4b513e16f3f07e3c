// Signing in by e-mail, through a real SMTP server: the link shows a button and works once; no response
// reveals whether an address is known; requests are limited; and an invitation admits users without an account.
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import type { Clock } from "#src/base/time.ts";
import type { Mail } from "#src/net/mail.ts";
import { smtpMail } from "#src/net/smtp-mail.ts";
import { addInvitation } from "#test/features/invitations/factory.ts";
import { verifyDomain } from "#test/features/organizations/factory.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { TestBrowser } from "#test/features/saml/sign-in.ts";
import { openMailbox } from "#test/features/sessions/mailbox.ts";
import { type TestApp, testApp, useApp } from "#test/support/app.ts";
import { createWorld } from "#test/support/world.ts";

const app1 = "https://app.example.com";
let now = new Date();
const clock: Clock = { now: () => now };
const mailbox = await openMailbox();
const mail = smtpMail(mailbox.url, "Docs <docs@example.com>");
const given = { clock, mail, allowedOrigins: [app1], trustedProxies: ["127.0.0.1"] };
// Has its own database: earlier requests of the client count.
const { app, world } = await useApp({ own: true, ...given });
afterAll(() => mailbox[Symbol.asyncDispose]());
const { prisma } = app.database;

const minutes = (count: number) => {
  now = new Date(now.getTime() + count * 60_000);
};

let clients = 0;
/** A client without earlier requests. */
const newClient = () => `192.0.2.${(clients += 1)}`;

function ask(fields: Record<string, string>, address = newClient(), browser = new TestBrowser()) {
  return browser.open(`${app.url}/sign-in`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { "x-forwarded-for": address },
  });
}

/** The link in an e-mail. */
const linkIn = (text: string) =>
  new URL(/^http\S+$/m.exec(text.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "="))?.[0] ?? "");

async function linkFor(email: string, fields: Record<string, string> = {}) {
  expect((await ask({ email, ...fields })).status).toBe(200);
  return linkIn((await mailbox.next()).text);
}

/** Opens a link in a browser, and presses its button. */
async function press(link: URL, browser = new TestBrowser(), headers: Record<string, string> = { origin: app.url }) {
  const response = await browser.open(`${link.origin}${link.pathname}`, {
    method: "POST",
    body: link.searchParams,
    headers,
  });
  return { browser, status: response.status, to: response.headers.get("location"), text: await response.text() };
}

const asBrowser = async (browser: TestBrowser, query: string) => {
  const headers = { "content-type": "application/json", "x-docgraph-csrf": "1" };
  const answer = await browser.open(`${app.url}/graphql`, { method: "POST", body: JSON.stringify({ query }), headers });
  return (await answer.json()) as { data: Record<string, unknown> | null };
};

test("a sign-in link shows a button, which signs in once", async () => {
  const { reader } = await world.organization();
  const answer = await ask({ email: reader.email.toUpperCase(), returnTo: `${app1}/home?a=1` }, "203.0.113.9");
  expect(await answer.text()).toContain("Check your e-mail");
  const sent = await mailbox.next();
  expect([sent.from, sent.to]).toEqual(["docs@example.com", [reader.email]]);
  expect(sent.text).toContain("Subject: Sign in to docgraph");
  const link = linkIn(sent.text);
  for (let scanner = 0; scanner < 2; scanner += 1) {
    const page = await fetch(link);
    expect(await page.text()).toContain("<button>Sign in</button>");
    expect(page.headers.get("content-security-policy")).toContain(`form-action 'self' ${app1};`);
    expect(page.headers.get("referrer-policy")).toBe("strict-origin");
  }
  const { browser, status, to } = await press(link);
  expect([status, to]).toEqual([303, `${app1}/home?a=1`]);
  const { data } = await asBrowser(browser, "{ viewer { id } sessions { nodes { way organization { id } } } }");
  expect(data).toEqual({ viewer: { id: reader.id }, sessions: { nodes: [{ way: "EMAIL", organization: null }] } });
  expect(await (await browser.open(`${app.url}/sign-in`)).text()).toContain(reader.email);
  expect(await press(link)).toMatchObject({ status: 400, text: expect.stringContaining("already used") as string });
  const stored = await prisma.signInLink.findFirstOrThrow({ where: { email: reader.email } });
  expect(stored).toMatchObject({ address: "203.0.113.9", usedAt: now });
  const secret = link.searchParams.get("secret") ?? "";
  expect(secret).toMatch(/^dgl_\w{40}$/);
  const { rows } = await app.database.pool.query(`select l::text as text from "SignInLink" l`);
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test("a sign-in link used twice concurrently signs in once, and after ten minutes not at all", async () => {
  const { reader } = await world.organization();
  const link = await linkFor(reader.email);
  const both = await Promise.all([press(link), press(link)]);
  expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([303, 400]));
  const late = await linkFor(reader.email);
  minutes(10);
  expect((await press(late)).status).toBe(400);
  expect(await prisma.session.count({ where: { userId: reader.id } })).toBe(1);
});

test("no response reveals whether an address is known, and unknown addresses get no sign-in link", async () => {
  const { reader } = await world.organization();
  const known = await ask({ email: reader.email });
  const unknown = await ask({ email: "nobody@example.com" });
  const form = (text: string) => text.replaceAll(/\S+@[\w.]+/g, "");
  expect([unknown.status, form(await unknown.text())]).toEqual([known.status, form(await known.text())]);
  expect(await prisma.signInLink.count({ where: { email: "nobody@example.com" } })).toBe(1);
  await mailbox.next();
  await linkFor(reader.email); // a later one has arrived: one for the unknown address would be before it
  expect(mailbox.waiting).toEqual([]);
  expect(await prisma.user.count({ where: { email: "nobody@example.com" } })).toBe(0);
});

test("20 requests of a client are answered in 15 minutes, also when they come at once, and from one IPv6 /64", async () => {
  const statuses = async (requests: Promise<Response>[]) => (await Promise.all(requests)).map(({ status }) => status);
  const client = newClient();
  const ofOne = await statuses(Array.from({ length: 24 }, (_, i) => ask({ email: `many-${i}@example.com` }, client)));
  expect(ofOne.filter((status) => status === 200)).toHaveLength(20);
  // The caller's own part of the header precedes the proxy's part.
  expect((await ask({ email: "other@example.com" }, `198.51.100.1, ${client}`)).status).toBe(429);
  expect((await ask({ email: "other@example.com" })).status).toBe(200);
  const moving = (i: number) => ask({ email: `more-${i}@example.com` }, `2001:db8:1:2::${i.toString(16)}`);
  const ofNetwork = await statuses(Array.from({ length: 24 }, (_, i) => moving(i)));
  expect(ofNetwork.filter((status) => status === 200)).toHaveLength(20);
  expect((await ask({ email: "more@example.com" }, "2001:db8:1:3::1")).status).toBe(200);
  minutes(15);
  expect(await statuses([ask({ email: "more@example.com" }, client)])).toEqual([200]);
});

/** Requests this number of links for a user concurrently; returns the last link. */
async function flood(email: string, { requests, emails }: Record<"requests" | "emails", number>, address?: string) {
  const answers = await Promise.all(Array.from({ length: requests }, () => ask({ email }, address)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  let link = "";
  for (let sent = 0; sent < emails; sent += 1) link = linkIn((await mailbox.next()).text).href;
  return new URL(link);
}

test("requests for another user's sign-in links cannot prevent their sign-in", async () => {
  const { reader } = await world.organization();
  await flood(reader.email, { requests: 5, emails: 3 }, newClient());
  expect((await press(await linkFor(reader.email))).status).toBe(303); // from another client
  const last = await flood(reader.email, { requests: 12, emails: 7 });
  expect((await ask({ email: reader.email })).status).toBe(200); // answered as before, and the links are still valid
  expect(mailbox.waiting).toEqual([]);
  expect((await press(last)).status).toBe(303);
  await linkFor(reader.email); // the used link makes room
  minutes(10);
  await linkFor(reader.email); // and so do expired ones
  expect(mailbox.waiting).toEqual([]);
});

test("sign-in links that were not sent because the address is unknown do not count against the address", async () => {
  const { organization } = await world.organization();
  const email = "expected@example.com";
  await Promise.all(Array.from({ length: 12 }, () => ask({ email })));
  await world.insert((rows) => addInvitation(rows, { organizationId: organization.id, email }));
  const signedIn = await press(await linkFor(email));
  expect([signedIn.status, signedIn.to]).toEqual([303, `${app.url}/invitations`]);
});

test.each([
  ["another recipient", { email: "ann@example.com, eve@example.com" }],
  ["a header", { email: "ann@example.com\r\nBcc: eve@example.com" }],
  ["a name with an address", { email: "Ann <ann@example.com>" }],
  ["an empty address", { email: "" }],
  ["a return URL of another site", { email: "ann@example.com", returnTo: "https://evil.example.com/" }],
  ["a return URL without a scheme", { email: "ann@example.com", returnTo: "//evil.example.com/" }],
])("a sign-in form with %s is refused", async (_what, fields) => {
  const answer = await ask(fields);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("Sign-in failed");
});

test("a page of another site cannot press the button of a sign-in link", async () => {
  const { reader } = await world.organization();
  const link = await linkFor(reader.email);
  for (const headers of [{ origin: "https://evil.example.com" }, { origin: "null" }, { origin: app1 }, {}])
    expect((await press(link, new TestBrowser(), headers)).status).toBe(403);
  expect((await press(link)).status).toBe(303);
});

test("an invited user without an account signs in by a link, and only with the invitation", async () => {
  const { organization, admin } = await world.organization();
  const invite = `mutation { createInviteLink(input: { organizationId: "${organization.id}", role: READ }) { inviteLink { id url } } }`;
  const { createInviteLink } = await app
    .as(admin.token)
    .query<{ createInviteLink: { inviteLink: { id: string; url: string } } }>(invite);
  const { id, url } = createInviteLink.inviteLink;
  const key = url.split("/").at(-1) ?? "";
  expect(await (await fetch(url)).text()).toContain(`/sign-in?invite=${key}`);
  const link = await linkFor("newcomer@example.com", { invite: key });
  const bare = new URL(link);
  bare.searchParams.delete("invite");
  expect((await press(bare)).status).toBe(400);
  const { browser, status, to } = await press(link);
  expect([status, to]).toEqual([303, `${app.url}/app/orgs/${organization.id}`]);
  const { data } = await asBrowser(browser, "{ viewer { email displayName } organizations { nodes { id } } }");
  expect(data).toEqual({
    viewer: { email: "newcomer@example.com", displayName: "newcomer" },
    organizations: { nodes: [{ id: organization.id }] },
  });
  const member = { organizationId: organization.id, user: { email: "newcomer@example.com" } };
  expect(await prisma.organizationMember.findFirst({ where: member })).toMatchObject({ role: "read" });
  const later = await linkFor("latecomer@example.com", { invite: key });
  await prisma.inviteLink.delete({ where: { id } });
  expect((await press(later)).status).toBe(400);
  expect(await prisma.user.count({ where: { email: "latecomer@example.com" } })).toBe(0);
});

// An application without e-mail, on a database whose queue only the application of the current test processes.
const apart = await testApp();
afterAll(() => apart.close());

/** Requests a link for a new user from an application. */
async function askAlone(own: TestApp) {
  const { reader } = await createWorld(apart.database).organization();
  const body = new URLSearchParams({ email: reader.email });
  return { email: reader.email, answer: await fetch(`${own.url}/sign-in`, { method: "POST", body }) };
}

test("an e-mail to a busy mail server is retried", async () => {
  let busy = 1;
  await using slow = await openMailbox(() => (busy-- > 0 ? 451 : null));
  await using own = await testApp({ beside: apart, mail: smtpMail(slow.url, "docs@example.com") });
  const { email } = await askAlone(own);
  expect((await slow.next()).to).toEqual([email]);
});

test("an e-mail is sent after a restart if the mail server was unreachable, and the queue has no secret of it", async () => {
  const tried = Promise.withResolvers<void>();
  const away: Mail = {
    send() {
      tried.resolve();
      return Promise.reject(new Error("The server is away."));
    },
  };
  const first = await testApp({ beside: apart, mail: away });
  const { email } = await askAlone(first);
  await tried.promise;
  await first.close();
  const { rows } = await apart.database.pool.query(`select data from pgboss.job where name = 'email.send'`);
  expect(JSON.stringify(rows)).toContain(email);
  expect(JSON.stringify(rows)).not.toContain("dgl_");
  await using second = await testApp({ beside: apart, mail });
  const { to, text } = await mailbox.next();
  expect(to).toEqual([email]);
  const { pathname, search } = linkIn(text);
  const link = new URL(`${pathname}${search}`, second.url);
  expect(await press(link, new TestBrowser(), { origin: second.url })).toMatchObject({ status: 303 });
});

test("an organization that enforces single sign-on is accessible by e-mail only for admins", async () => {
  const { organization, admin, editor, reader } = await world.organization();
  const here = { organizationId: organization.id };
  const open = async (email: string) => {
    const { browser } = await press(await linkFor(email));
    const { data } = await asBrowser(browser, "{ organizations { nodes { id } } }");
    return JSON.stringify(data).includes(organization.id);
  };
  await prisma.organization.update({
    where: { id: organization.id },
    data: { sso: true, emailDomains: ["staff.example.com"] },
  });
  await verifyDomain(app.database, organization.id, "staff.example.com");
  await prisma.user.update({ where: { id: editor.id }, data: { email: `e.${editor.id}@staff.example.com` } });
  await prisma.user.update({ where: { id: admin.id }, data: { email: `a.${admin.id}@staff.example.com` } });
  const emailOf = async ({ id }: { id: string }) => (await prisma.user.findUniqueOrThrow({ where: { id } })).email;
  expect(await open(await emailOf(editor))).toBe(true); // no provider works yet
  await world.insert((rows) => addSamlProvider(rows, { ...here, status: "active" }));
  expect(await open(await emailOf(editor))).toBe(false);
  expect(await open(await emailOf(admin))).toBe(true);
  expect(await open(await emailOf(reader))).toBe(true); // has another domain
  await prisma.organizationMember.updateMany({ where: { ...here, userId: reader.id }, data: { sso: true } });
  expect(await open(await emailOf(reader))).toBe(false);
});

test("a refusing mail server is logged without the link, and does not change the response", async () => {
  await using refusing = await openMailbox(() => 550);
  const logged: string[] = [];
  const refused = Promise.withResolvers<void>();
  const write = (line: string) => {
    logged.push(line);
    refused.resolve();
  };
  const log = pino({ level: "error" }, { write });
  await using own = await testApp({ beside: apart, mail: smtpMail(refusing.url, "docs@example.com"), log });
  const { answer } = await askAlone(own);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Check your e-mail")]);
  await refused.promise;
  expect(logged.join()).toContain("could not be sent by e-mail");
  expect(logged.join()).not.toContain("dgl_");
  expect(refusing.waiting).toEqual([]);
});

test("no input becomes a header or another recipient of an e-mail", async () => {
  const sent = {
    to: "ann@example.com",
    subject: "Hello\r\nBcc: eve@example.com",
    text: "\r\n.\r\nMAIL FROM:<eve@example.com>",
    html: "<p>.</p>",
  };
  await mail.send(sent);
  const { from, to, text } = await mailbox.next();
  expect([from, to]).toEqual(["docs@example.com", ["ann@example.com"]]);
  expect(text).not.toMatch(/^Bcc:/m);
  expect(mailbox.waiting).toEqual([]);
});

test("the sign-in page says if e-mail is not configured", async () => {
  const { answer } = await askAlone(apart);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain("SMTP_URL");
});
