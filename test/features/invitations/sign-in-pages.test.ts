// The pages to sign in for people who are signed in already, and the page of an invite link.
import { pino } from "pino";
import { expect, test } from "vitest";
import { loggedMail } from "#src/net/mail.ts";
import { addPerson } from "#test/features/members/factory.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { testApp, useApp } from "#test/support/app.ts";

const allowed = "https://frontend.example.com";
const { app, world } = await useApp({ allowedOrigins: [allowed] });

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, app.url), { headers, redirect: "manual" });

const cookieOf = async ({ id }: { id: string }) => (await signIn(app, { userId: id })).cookie;

test.each([
  ["/app/spaces/x?a=1", () => `${app.url}/app/spaces/x?a=1`],
  [`${allowed}/home`, () => `${allowed}/home`],
])("/sign-in leads a signed-in user on to %s", async (returnTo, expected) => {
  const { reader } = await world.organization();
  const path = `/sign-in?${new URLSearchParams({ returnTo }).toString()}`;
  const response = await open(path, { cookie: await cookieOf(reader) });
  expect([response.status, response.headers.get("location")]).toEqual([303, expected()]);
  expect((await open(path)).status).toBe(200);
});

test.each(["https://evil.example.com/", "//evil.example.com/", "javascript:alert(1)", ""])(
  "/sign-in with the foreign or empty address %j shows a signed-in user the way to the application",
  async (returnTo) => {
    const { reader } = await world.organization();
    const response = await open(`/sign-in?${new URLSearchParams({ returnTo }).toString()}`, {
      cookie: await cookieOf(reader),
    });
    const text = await response.text();
    if (returnTo === "") expect(response.headers.get("location")).toBe(`${app.url}/app`);
    else expect([response.status, text.includes(`href="${app.url}/app"`)]).toEqual([200, true]);
    expect(text).not.toContain("evil");
  },
);

test("an invite link names the organization, and a signed-in user joins with one button of this page only", async () => {
  const { organization, admin } = await world.organization({ organization: { title: "Harbour & <Sons>" } });
  const person = await world.insert((rows) => addPerson(rows));
  const document = `mutation { createInviteLink(input: { organizationId: "${organization.id}", role: READ }) { inviteLink { url } } }`;
  const { createInviteLink } = await app
    .as(admin.token)
    .query<{ createInviteLink: { inviteLink: { url: string } } }>(document);
  const { url } = createInviteLink.inviteLink;
  const cookie = await cookieOf(person);
  const stranger = await (await open(url)).text();
  expect(stranger).toContain("<h1>Join Harbour &#38; &#60;Sons&#62;</h1>");
  expect(stranger).not.toContain("<button");
  expect(await (await open(url, { cookie })).text()).toContain(`<button>Join as ${person.email}</button>`);
  const post = async (headers: Record<string, string>) => {
    const response = await fetch(url, { method: "POST", body: new URLSearchParams(), headers, redirect: "manual" });
    return [response.status, response.headers.get("location")];
  };
  expect(await post({ cookie, origin: "https://evil.example.com" })).toEqual([403, null]);
  expect(await post({ origin: app.url })).toEqual([401, null]);
  expect(await post({ cookie, origin: app.url })).toEqual([303, `${app.url}/app/orgs/${organization.id}`]);
  const { rows } = await app.database.pool.query(
    `select role::text from "OrganizationMember" where "organizationId" = $1 and "userId" = $2`,
    [organization.id, person.id],
  );
  expect(rows).toEqual([{ role: "read" }]);
});

test("without a mail server in development the page says where the sign-in link is", async () => {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  await using other = await testApp({ beside: app, mail: loggedMail(log, { showsText: false }) });
  const body = new URLSearchParams({ email: "nobody@example.com" });
  const text = await (await fetch(`${other.url}/sign-in`, { method: "POST", body })).text();
  expect(text).toContain("SMTP_URL");
  expect(text).toContain("the link is in the");
});
