// Invitations by e-mail and page, through a real SMTP server: the owner of the address signs in by a link, with or
// without an account, and accepts or declines there.
import { afterAll, expect, test } from "vitest";
import { smtpMail } from "#src/net/smtp-mail.ts";
import { addInvitation } from "#test/features/invitations/factory.ts";
import { addPerson, addPersonIn } from "#test/features/members/factory.ts";
import { TestBrowser } from "#test/features/saml/sign-in.ts";
import { openMailbox } from "#test/features/sessions/mailbox.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { type Client, testApp, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const mailbox = await openMailbox();
const given = {
  mail: smtpMail(mailbox.url, "Docs <docs@example.com>"),
  quotas: { invitationEmailsPerDay: 5, invitationEmailsOfOrganizationPerDay: 7 },
};
// Has its own database: earlier requests of the client count.
const { app, world } = await useApp({ own: true, ...given });
afterAll(() => mailbox[Symbol.asyncDispose]());
const { prisma } = app.database;

const create = `mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { invitation { id } } }`;
const withdraw = `mutation ($input: WithdrawInvitationInput!) { withdrawInvitation(input: $input) { deletedId } }`;

/** The link in an e-mail. */
const linkIn = (text: string) =>
  new URL(/^http\S+$/m.exec(text.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "="))?.[0] ?? "");

/** An e-mail as its reader sees it (RFC 2045, section 6.7). */
const decodedEmail = (text: string) =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, "")
      .replaceAll(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    "latin1",
  )
    .toString("utf8")
    .replaceAll("\r\n", "\n");

/** The parts of an e-mail: its text, and the same as HTML (RFC 2046, section 5.1.4). */
function partsOf(email: string) {
  const boundary = /boundary="([^"]+)"/.exec(email)?.[1] ?? "";
  const [, text = "", html = ""] = decodedEmail(email).split(`--${boundary}`);
  return { text, html };
}

const fieldsOf = (page: string) =>
  new URLSearchParams(
    [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, decoded(value)]),
  );

/** The text of an attribute of our pages. */
const decoded = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

const post = (browser: TestBrowser, url: string, body: URLSearchParams) =>
  browser.open(url, { method: "POST", body, headers: { origin: app.url } });

const pageOf = async (browser: TestBrowser) => (await browser.open(`${app.url}/invitations`)).text();

const memberships = (email: string) =>
  prisma.organizationMember.findMany({ where: { user: { email } }, select: { organizationId: true, role: true } });

test("an invited person without an account follows the e-mail, signs in by its address, and accepts with a button", async () => {
  const { organization, admin } = await world.organization();
  const email = "new.here@example.com";
  const input = { organizationId: organization.id, email, role: "EDIT" };
  await app.as(admin.token).query(create, { input });
  const sent = await mailbox.next();
  expect(sent.to).toEqual([email]);
  expect(sent.text).toContain(`\r\n  "${organization.title}"\r\n`);
  const browser = new TestBrowser();
  const led = await browser.open(linkIn(sent.text).href);
  const form = await browser.open(led.headers.get("location") ?? "");
  const fields = fieldsOf(await form.text());
  fields.set("email", email);
  await post(browser, `${app.url}/sign-in`, fields);
  const link = linkIn((await mailbox.next()).text);
  expect(await prisma.user.count({ where: { email } })).toBe(0); // no user before they have confirmed the address
  const back = await post(browser, `${app.url}/sign-in/link`, link.searchParams);
  expect(back.headers.get("location")).toBe(`${app.url}/invitations`);
  expect(await memberships(email)).toEqual([]);
  const page = await pageOf(browser);
  expect(page).toContain(organization.title);
  const invitation = fieldsOf(page).get("invitation") ?? "";
  const accepted = await post(browser, `${app.url}/invitations`, new URLSearchParams({ invitation, answer: "accept" }));
  expect([accepted.status, accepted.headers.get("location")]).toEqual([303, `${app.url}/app/orgs/${organization.id}`]);
  expect(await memberships(email)).toEqual([{ organizationId: organization.id, role: "edit" }]);
  expect(await pageOf(browser)).toContain("No open invitations");
});

test("an invited person with an account declines with a button, only on their own page", async () => {
  const { organization } = await world.organization();
  const { person, id } = await world.insert((rows) => {
    const someone = addPerson(rows);
    return { person: someone, id: addInvitation(rows, { organizationId: organization.id, email: someone.email }).id };
  });
  const { cookie } = await signIn(app, { userId: person.id });
  const answer = async (given: Record<string, string>, headers: Record<string, string>) => {
    const body = new URLSearchParams({ invitation: id, ...given });
    const options = { method: "POST", body, headers, redirect: "manual" } as const;
    return (await fetch(`${app.url}/invitations`, options)).status;
  };
  const ours = { cookie, origin: app.url };
  expect(await answer({ answer: "accept" }, { cookie, origin: "https://elsewhere.example.com" })).toBe(403);
  expect(await answer({ answer: "accept" }, { origin: app.url })).toBe(401);
  expect(await answer({ answer: "both" }, ours)).toBe(400);
  expect(await answer({ answer: "decline" }, ours)).toBe(303);
  expect(await answer({ answer: "accept" }, ours)).toBe(404);
  expect(await memberships(person.email)).toEqual([]);
});

/** Invites a person into an organization by one of the gateways. */
const invite = async (as: Client, organizationId: string, email: string) =>
  as.graphql<{ createInvitation: { invitation: { id: string } } }>(create, {
    input: { organizationId, email, role: "READ" },
  });

test("an address without account and invitation is sent no link, and one gets three e-mails a day from all gateways", async () => {
  const { organization, admin } = await world.organization();
  await fetch(`${app.url}/sign-in`, { method: "POST", body: new URLSearchParams({ email: "nobody@example.com" }) });
  const organizationId = organization.id;
  await using other = await testApp({ ...given, beside: app });
  const gateways = [app.as(admin.token), other.as(admin.token)] as const;
  for (const as of [...gateways, ...gateways, gateways[0]]) {
    const { data } = await invite(as, organizationId, "pestered@example.com");
    await as.query(withdraw, { input: { organizationId, invitationId: data?.createInvitation.invitation.id } });
  }
  await invite(gateways[0], organizationId, "last@example.com");
  const to = [];
  while (to.at(-1) !== "last@example.com") to.push((await mailbox.next()).to[0]);
  expect(to).toEqual([...Array<string>(3).fill("pestered@example.com"), "last@example.com"]);
});

test("e-mails of an inviter and of an organization are limited per day, also at once and by all gateways", async () => {
  const { organization, admin } = await world.organization();
  const organizationId = organization.id;
  const second = await world.insert((rows) => addPersonIn(rows, { organizationId, role: "admin" }));
  await using other = await testApp({ ...given, beside: app });
  const race = async ({ token }: { token: string }, name: string) => {
    const answers = await Promise.all(
      times(8, (index) => invite((index % 2 ? app : other).as(token), organizationId, `${name}-${index}@example.com`)),
    );
    return answers.flatMap(({ errors = [] }) => errors);
  };
  const refused = await race(admin, "first");
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({
    message: "You may send at most 5 invitations by e-mail in 24 hours. Try again later, or create an invite link.",
    extensions: { code: "RATE_LIMITED" },
  });
  const of = await race(second, "second");
  expect(of.map(({ message }) => message.slice(0, 40))).toEqual(
    times(6, () => "An organization may send at most 7 invit"),
  );
  expect(await prisma.invitation.count({ where: { organizationId } })).toBe(7); // those without an e-mail do not exist
  for (let sent = 0; sent < 7; sent += 1) await mailbox.next();
  expect(mailbox.waiting).toEqual([]);
});

/** Titles that could pass for e-mail text, and their quoted form. */
const hostile = [
  ["Acme Docs 2.0", '"Acme Docs 2. 0"'],
  ["Your bank\r\n\r\nGo to https://evil.example/login now", '"Your bank Go to … now"'],
  ["Visit WWW.evil.example or evil.example/login", '"Visit … or evil. example/login"'],
  ["Ｗｗｗ．evil．example ｈｔｔｐ：／／evil.example", '"… …"'],
  ['Bank" has locked you.\u202e\u2028Write to bob@evil.example', `"Bank' has locked you. Write to bob@evil. example"`],
  ["x".repeat(255), `"${"x".repeat(99)}…"`],
] as const;

test.each(hostile)(
  "an invitation quotes the title %j on a separate line, without an address",
  async (title, quoted) => {
    const { organization, admin } = await world.organization({ organization: { title } });
    await invite(app.as(admin.token), organization.id, "quoted@example.com");
    await prisma.invitationEmail.deleteMany(); // to the same address
    const { text, html } = partsOf((await mailbox.next()).text);
    expect(text).toContain(`\n\n  ${quoted}\n\n`);
    const addresses = /(?:https?:\/\/|www\.)[^\s"<]*/gi;
    expect(text.match(addresses)).toEqual([`${app.url}/invitations`]);
    expect(new Set(html.match(addresses))).toEqual(new Set([`${app.url}/invitations`]));
    expect(decoded(html)).toContain(`>${quoted}</p>`);
  },
);

test("an invitation says who invites whom, with the name escaped and without an address", async () => {
  const { organization, admin } = await world.organization();
  const displayName = "Ann <b>O'Hara</b> https://evil.example.com";
  await prisma.user.update({ where: { id: admin.id }, data: { displayName } });
  await invite(app.as(admin.token), organization.id, "named@example.com");
  const { text, html } = partsOf((await mailbox.next()).text);
  expect(text).toContain(`"Ann <b>O'Hara</b> …" invites named@example.com to join an organization`);
  expect(html).toContain("&#34;Ann &#60;b&#62;O&#39;Hara&#60;/b&#62; …&#34; invites named@example.com");
  expect(html.match(/<a /g)).toHaveLength(1);
  expect(html).not.toMatch(/<script|<img|<b>|evil/);
});

test("an organization title of several lines is refused everywhere", async () => {
  const { organization, admin } = await world.organization();
  const as = app.as(admin.token);
  const make = `mutation ($title: String!) { createOrganization(input: { title: $title }) { organization { id } } }`;
  const change = `mutation ($title: String!) { updateOrganization(input: { organizationId: "${organization.id}", title: $title }) { organization { id } } }`;
  for (const end of ["\n", "\r", "\u2028", "\u0085", "\t"]) {
    for (const document of [make, change]) {
      const { errors } = await as.graphql(document, { title: `Your bank${end}is here` });
      expect(errors?.[0]).toMatchObject({
        message: "title: must be a single line without control characters.",
        extensions: { code: "INVALID_INPUT", details: [{ path: "title" }] },
      });
    }
  }
});
