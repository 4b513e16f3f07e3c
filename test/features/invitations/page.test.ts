// Invitations by e-mail and page, through a real SMTP server: whoever has the address signs in by a link, with an
// account or without one, and accepts or declines there.
import { afterAll, expect, test } from "vitest";
import { smtpMail } from "#src/net/smtp-mail.ts";
import { addInvitation } from "#test/features/invitations/factory.ts";
import { addPerson } from "#test/features/members/factory.ts";
import { TestBrowser } from "#test/features/saml/sign-in.ts";
import { openMailbox } from "#test/features/sessions/mailbox.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { useApp } from "#test/support/app.ts";

const mailbox = await openMailbox();
const { app, world } = await useApp({ mail: smtpMail(mailbox.url, "Docs <docs@example.com>") });
afterAll(() => mailbox[Symbol.asyncDispose]());
const { prisma } = app.database;

const create = `mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { invitation { id } } }`;
const withdraw = `mutation ($input: WithdrawInvitationInput!) { withdrawInvitation(input: $input) { deletedId } }`;

/** The link in an e-mail. */
const linkIn = (text: string) =>
  new URL(/^http\S+$/m.exec(text.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "="))?.[0] ?? "");

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

test("who has no account follows the letter, signs in by its address, and accepts with a button", async () => {
  const { organization, admin } = await world.organization();
  const email = "new.here@example.com";
  const input = { organizationId: organization.id, email, role: "EDIT" };
  await app.as(admin.token).query(create, { input });
  const letter = await mailbox.next();
  expect(letter.to).toEqual([email]);
  expect(letter.text).toContain(`You are invited to ${organization.title}`);
  const browser = new TestBrowser();
  const led = await browser.open(linkIn(letter.text).href);
  const form = await browser.open(led.headers.get("location") ?? "");
  const fields = fieldsOf(await form.text());
  fields.set("email", email);
  await post(browser, `${app.url}/sign-in`, fields);
  const link = linkIn((await mailbox.next()).text);
  expect(await prisma.user.count({ where: { email } })).toBe(0); // nobody before they have shown that it is theirs
  const back = await post(browser, `${app.url}/sign-in/link`, link.searchParams);
  expect(back.headers.get("location")).toBe(`${app.url}/invitations`);
  expect(await memberships(email)).toEqual([]);
  const page = await pageOf(browser);
  expect(page).toContain(organization.title);
  const invitation = fieldsOf(page).get("invitation") ?? "";
  const accepted = await post(browser, `${app.url}/invitations`, new URLSearchParams({ invitation, answer: "accept" }));
  expect([accepted.status, accepted.headers.get("location")]).toEqual([303, `${app.url}/app/orgs/${organization.id}`]);
  expect(await memberships(email)).toEqual([{ organizationId: organization.id, role: "edit" }]);
  expect(await pageOf(browser)).toContain("There is no invitation");
});

test("who has an account declines with a button, by their own page alone", async () => {
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

test("an address without account and invitation is sent no link, and one gets three letters a day at most", async () => {
  const { organization, admin } = await world.organization();
  await fetch(`${app.url}/sign-in`, { method: "POST", body: new URLSearchParams({ email: "nobody@example.com" }) });
  const organizationId = organization.id;
  const invite = async (email: string) => {
    const input = { organizationId, email, role: "READ" };
    type Made = { createInvitation: { invitation: { id: string } } };
    return (await app.as(admin.token).query<Made>(create, { input })).createInvitation.invitation.id;
  };
  for (let times = 0; times < 5; times += 1) {
    const input = { organizationId, invitationId: await invite("pestered@example.com") };
    await app.as(admin.token).query(withdraw, { input });
  }
  await invite("last@example.com");
  const to = [];
  while (to.at(-1) !== "last@example.com") to.push((await mailbox.next()).to[0]);
  expect(to).toEqual([...Array<string>(3).fill("pestered@example.com"), "last@example.com"]);
});
