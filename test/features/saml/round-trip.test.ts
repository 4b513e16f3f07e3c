// Single sign-on over HTTP: to the provider and back, as the same user every time.
import { expect, test } from "vitest";
import { makeSessionToken } from "#src/access/sessions.ts";
import { type Answer, inMinutes, TestIdp } from "#test/features/saml/idp.ts";
import { behindProxy, setProvider, TestBrowser } from "#test/features/saml/sign-in.ts";
import { verifyDomain } from "#test/features/organizations/factory.ts";
import { addMember } from "#test/features/members/factory.ts";
import { signIn as openByEmail } from "#test/features/sessions/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp({ allowedOrigins: ["https://app.example.com"], ...behindProxy });
const idp = new TestIdp();
const { provider, organization, team, admin } = await setProvider(world, idp);
await verifyDomain(app.database, organization.id, "staff.example.com");

/** Signs a user in. */
async function signIn(given: Parameters<TestIdp["answerTo"]>[1] = {}, browser = new TestBrowser(), returnTo = "") {
  const answer = idp.answerTo(await browser.start(app.url, provider.id, returnTo), given);
  return { browser, response: await browser.answer(answer.acsURL, idp.signed(answer)) };
}

const memberOf = async (email: string) => {
  const { prisma } = app.database;
  const user = await prisma.user.findUniqueOrThrow({
    where: { email },
    include: { memberships: true, sessions: true },
  });
  return { ...user, teams: await prisma.teamMember.findMany({ where: { userId: user.id } }) };
};

test("the first SAML sign-in creates a member, the next ones are the same user", async () => {
  const { browser, response } = await signIn();
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe(`${app.url}/app`);
  expect(browser.cookies).toMatch(/^docgraph-session=dgs_\w{40}$/);
  const ann = await memberOf("ann@staff.example.com");
  expect(ann).toMatchObject({
    displayName: "Ann Example",
    memberships: [{ organizationId: organization.id, role: "edit", sso: true, disabled: false }],
    teams: [{ teamId: team.id, role: "member" }],
    sessions: [{ way: "saml", organizationId: organization.id, providerId: provider.id, nameId: "ann" }],
  });
  const stored = await app.database.prisma.samlProvider.findUniqueOrThrow({ where: { id: provider.id } });
  expect(stored.status).toBe("active");
  expect((await app.eventsOf(provider.id)).map(({ type }) => type)).toEqual(["samlProvider.activated"]);
  expect((await app.eventsIn(organization.id)).map(({ type }) => type)).toEqual(
    expect.arrayContaining(["samlMember.joined", "teamMember.set"]),
  );
  const entries = await app.database.prisma.auditEntry.findMany({ where: { actorId: ann.id } });
  expect(entries.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["samlMember.joined", "samlProvider.activated", "teamMember.set", "session.opened"]),
  );
  expect(entries[0]).toMatchObject({
    organizationId: organization.id,
    address: expect.stringMatching(/^192[.]0[.]2[.]/),
  });
  await signIn({ attributes: { displayName: "Ann Married" } });
  const later = await memberOf("ann@staff.example.com");
  expect(later).toMatchObject({ id: ann.id, displayName: "Ann Married" });
  expect(later.memberships).toHaveLength(1);
  expect(later.sessions).toHaveLength(2);
});

test("a SAML sign-in creates a placeholder address where the domain does not count for the organization", async () => {
  const other = await setProvider(world, idp); // its domain belongs to another organization
  const browser = new TestBrowser();
  const email = "cfo@staff.example.com";
  const given = { nameId: "cfo", attributes: { email, displayName: "Renamed" } };
  const answer = idp.answerTo(await browser.start(app.url, other.provider.id), given);
  expect((await browser.answer(answer.acsURL, idp.signed(answer))).status).toBe(303);
  const { prisma } = app.database;
  const taken = await prisma.samlIdentity.findFirstOrThrow({ where: { nameId: "cfo" }, include: { user: true } });
  expect(taken.user.email).toBe(`${taken.userId}@saml.invalid`);
  // So the owner of the address gets it by the provider of the organization for which the domain counts.
  const { response } = await signIn(given);
  expect(response.status).toBe(303);
  const own = await memberOf(email);
  expect(own.memberships.map(({ organizationId }) => organizationId)).toEqual([organization.id]);
  expect(own.id).not.toBe(taken.userId);
});

test("a SAML e-mail address is accepted if its domain is the organization's, and for no other", async () => {
  await signIn({ nameId: "eve", attributes: { email: admin.email } });
  const eve = await app.database.prisma.samlIdentity.findFirstOrThrow({
    where: { nameId: "eve" },
    include: { user: true },
  });
  expect(eve.userId).not.toBe(admin.id);
  expect(eve.user.email).toBe(`${eve.userId}@saml.invalid`);
});

test("a SAML sign-in with the address of a member is that user, who keeps role and name elsewhere", async () => {
  const other = await world.organization();
  const { prisma } = app.database;
  const email = "ben@staff.example.com";
  await prisma.user.update({ where: { id: other.reader.id }, data: { email } });
  const refused = await signIn({ nameId: "ben", attributes: { email } });
  expect(refused.response.status).toBe(403); // a provider cannot sign in users of other domains
  expect(await refused.response.text()).toContain("ask its admins to invite you, accept the invitation");
  expect(await prisma.samlIdentity.count({ where: { nameId: "ben" } })).toBe(0);
  await world.insert((rows) =>
    addMember(rows, { organizationId: organization.id, userId: other.reader.id, role: "read" }),
  );
  await signIn({ nameId: "ben", attributes: { email: "Ben@Staff.example.com", displayName: "Changed" } });
  await signIn({ nameId: "ben", attributes: { email, displayName: "Changed" } });
  const ben = await memberOf(email);
  expect(ben).toMatchObject({ id: other.reader.id, displayName: "Reader" });
  expect(ben.memberships).toHaveLength(2);
});

test("a SAML sign-in does not enable a disabled membership", async () => {
  await signIn({ nameId: "cat", attributes: { email: "cat@staff.example.com" } });
  const cat = await memberOf("cat@staff.example.com");
  await app.database.prisma.organizationMember.updateMany({ where: { userId: cat.id }, data: { disabled: true } });
  const { browser, response } = await signIn({ nameId: "cat" });
  expect(response.status).toBe(403);
  expect(await response.text()).toMatch(/disabled: ask one of its admins/);
  expect(browser.cookies).not.toContain("docgraph-session");
  expect((await memberOf("cat@staff.example.com")).sessions).toHaveLength(1);
  const refused = { type: "signIn.refused", organizationId: organization.id, actorId: cat.id };
  expect(await app.database.prisma.auditEntry.count({ where: refused })).toBe(1);
});

test("a SAML sign-in returns the browser to where it was, on allowed origins only", async () => {
  for (const [returnTo, location] of [
    ["/app/spaces/1?a=b#c", `${app.url}/app/spaces/1?a=b#c`],
    ["https://app.example.com/start", "https://app.example.com/start"],
  ] as const) {
    const { response } = await signIn({}, new TestBrowser(), returnTo);
    expect(response.headers.get("location")).toBe(location);
  }
  for (const returnTo of [
    "https://evil.example.com/",
    "//evil.example.com",
    "https://app.example.com.evil.example.com/",
    "https://app.example.com@evil.example.com/",
    String.raw`/\evil.example.com`,
    "javascript:alert(1)",
    "data:text/html,x",
  ]) {
    const query = new URLSearchParams({ returnTo }).toString();
    const answer = await fetch(`${app.url}/saml/${provider.id}/start?${query}`, { redirect: "manual" });
    expect([returnTo, answer.status]).toEqual([returnTo, 400]);
    expect(await answer.text()).not.toContain("evil.example.com");
  }
});

test("several SAML sign-ins may be under way in one browser", async () => {
  const browser = new TestBrowser();
  const first = idp.answerTo(await browser.start(app.url, provider.id, "/one"));
  const second = idp.answerTo(await browser.start(app.url, provider.id, "/two"));
  for (const [answer, path] of [
    [second, "/two"],
    [first, "/one"],
  ] as const) {
    const response = await browser.answer(answer.acsURL, idp.signed(answer));
    expect(response.headers.get("location")).toBe(app.url + path);
  }
});

test("two concurrent first SAML sign-ins of a user create one user", async () => {
  const email = "dan@staff.example.com";
  const all = await Promise.all([1, 2, 3, 4].map(() => signIn({ nameId: "dan", attributes: { email } })));
  expect(all.map(({ response }) => response.status)).toEqual([303, 303, 303, 303]);
  expect((await memberOf(email)).sessions).toHaveLength(4);
});

const bearer = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
const confirmation = (data: string, method = bearer) =>
  `<saml:SubjectConfirmation Method="${method}">${data}</saml:SubjectConfirmation>`;
const confirmed = (attributes: string) => confirmation(`<saml:SubjectConfirmationData ${attributes}/>`);
const fits = (answer: Answer) => `InResponseTo="${answer.requestId}" Recipient="${answer.acsURL}"`;

/** Invalid confirmations, beside a valid one. */
const unfitting: Readonly<Record<string, (answer: Answer) => string>> = {
  "for another recipient": (answer) =>
    confirmed(
      `${fits(answer).replace(/Recipient="/, 'Recipient="https://other.example.com')} NotOnOrAfter="${inMinutes(5)}"`,
    ),
  "of another request": (answer) =>
    confirmed(`InResponseTo="_other" Recipient="${answer.acsURL}" NotOnOrAfter="${inMinutes(5)}"`),
  "that has expired": (answer) => confirmed(`${fits(answer)} NotOnOrAfter="${inMinutes(-10)}"`),
  "that is not valid yet": (answer) =>
    confirmed(`${fits(answer)} NotBefore="${inMinutes(50)}" NotOnOrAfter="${inMinutes(55)}"`),
  "without NotOnOrAfter": (answer) => confirmed(fits(answer)),
  "with an invalid NotOnOrAfter": (answer) => confirmed(`${fits(answer)} NotOnOrAfter="tomorrow"`),
  "without data": () => confirmation(""),
  "with empty data": () => confirmed(""),
  "by a key": () => confirmation("<saml:SubjectConfirmationData/>", bearer.replace("bearer", "holder-of-key")),
};

test.for(Object.entries(unfitting))(
  "a SAML assertion with a confirmation %s before or after a valid one is accepted",
  async ([, make]) => {
    for (const place of ["<saml:SubjectConfirmation ", "</saml:Subject>"]) {
      const browser = new TestBrowser();
      const answer = idp.answerTo(await browser.start(app.url, provider.id));
      const assertion = idp.assertion(answer).replace(place, `${make(answer)}${place}`);
      const response = await browser.answer(answer.acsURL, idp.response(answer, idp.sign(assertion)));
      expect([place, response.status]).toEqual([place, 303]);
      // Alone it is refused, so only the other one counts.
      const alone = idp
        .assertion(answer)
        .replace(/<saml:SubjectConfirmation .*<.saml:SubjectConfirmation>/, make(answer));
      expect((await browser.answer(answer.acsURL, idp.response(answer, idp.sign(alone)))).status).toBe(400);
    }
  },
);

test("a signed Response around a signed assertion is accepted, and one of a second certificate", async () => {
  const browser = new TestBrowser();
  const answer = idp.answerTo(await browser.start(app.url, provider.id));
  const response = await browser.answer(answer.acsURL, idp.sign(idp.signed(answer), "Response"));
  expect(response.status).toBe(303);
  const next = new TestIdp();
  const certificate = idp.pair.certificate + next.pair.certificate;
  await app.database.prisma.samlProvider.update({ where: { id: provider.id }, data: { certificate } });
  const rolled = idp.answerTo(await browser.start(app.url, provider.id));
  expect((await browser.answer(rolled.acsURL, next.signed(rolled))).status).toBe(303);
});

/** The organizations that a session has access to. */
async function organizationsBy(where: { way: "saml" | "email"; userId: string }): Promise<string[]> {
  const session = await app.database.prisma.session.findFirstOrThrow({ where });
  const { token } = await makeSessionToken(app.database.prisma, session.id, new Date());
  const answer = await app
    .as(token)
    .query<{ organizations: { nodes: { id: string }[] } }>("{ organizations { nodes { id } } }");
  return answer.organizations.nodes.map(({ id }) => id);
}

test("a SAML session has access to its organization only", async () => {
  const ben = await memberOf("ben@staff.example.com");
  expect(ben.memberships).toHaveLength(2);
  expect(await organizationsBy({ way: "saml", userId: ben.id })).toEqual([organization.id]);
});

test("where single sign-on is enforced, a session by e-mail has access to the organization only for admins", async () => {
  const { prisma } = app.database;
  const { provider: active, organization: strict, admin: strictAdmin, reader, editor } = await setProvider(world, idp);
  await prisma.user.update({ where: { id: reader.id }, data: { email: "reader@staff.example.com" } });
  await prisma.organization.update({ where: { id: strict.id }, data: { sso: true } });
  for (const { id: userId } of [strictAdmin, reader, editor]) await openByEmail(app, { userId });
  const opened = (userId: string) => organizationsBy({ way: "email", userId });
  expect(await opened(reader.id)).toEqual([strict.id]); // no provider exists yet to sign in with
  await prisma.samlProvider.update({ where: { id: active.id }, data: { status: "active" } });
  expect(await opened(reader.id)).toEqual([strict.id]); // the domain does not count for it
  await verifyDomain(app.database, strict.id, "staff.example.com");
  expect(await opened(reader.id)).toEqual([]);
  expect(await opened(editor.id)).toEqual([strict.id]); // has another e-mail domain
  await prisma.organizationMember.updateMany({ where: { userId: editor.id }, data: { sso: true } });
  expect(await opened(editor.id)).toEqual([]);
  expect(await opened(strictAdmin.id)).toEqual([strict.id]);
});
