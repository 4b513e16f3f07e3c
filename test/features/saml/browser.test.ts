// Single sign-on in a real browser, with a provider on another site: its pages post the responses, so
// cookies must be sent as browsers send them across sites.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestIdp } from "#test/features/saml/idp.ts";
import { setProvider } from "#test/features/saml/sign-in.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { chromiumPath, startBrowser } from "#test/support/browser.ts";
import { createWorld } from "#test/support/world.ts";

if (!chromiumPath) console.warn("Single sign-on is not tested in a browser: no Chromium is installed.");

/** Another site than the gateway's, on this machine. */
const host = "127.0.0.2";

/** The provider's pages: a form that posts the response when its button is pressed. */
function serveIdp(idp: TestIdp): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (request.url?.startsWith("/slo")) return response.end("<title>Signed out at the provider</title>");
    if (!request.url?.startsWith("/sso?")) return response.writeHead(404).end();
    const answer = idp.answerTo(`http://${host}${request.url}`, { sessionIndex: "one" });
    const value = Buffer.from(idp.signed(answer)).toString("base64");
    return response.end(
      `<form method="post" action="${answer.acsURL}"><input type="hidden" name="SAMLResponse" value="${value}"><button>Sign in</button></form>`,
    );
  });
  return new Promise((resolve) => server.listen(0, host, () => resolve(server)));
}

/** The result of a query that a docgraph page sends with the session cookie. */
const ask = (page: Page, query: string) =>
  page.evaluate(async (text) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/graphql", { method: "POST", headers, body: JSON.stringify({ query: text }) });
    return { status: answer.status, text: await answer.text() };
  }, query);

describe.skipIf(!chromiumPath)("single sign-on in a browser", { timeout: 60_000 }, () => {
  const idp = new TestIdp();
  let app: TestApp;
  let browser: Browser;
  let server: Server;

  beforeAll(async () => {
    app = await testApp();
    server = await serveIdp(idp);
    browser = await startBrowser([host]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    server.close();
    await app.close();
  });

  test("a user signs in, returns to the previous page with a session, and signs out at both", async () => {
    const { port } = server.address() as AddressInfo;
    const at = { ssoURL: `http://${host}:${port}/sso`, logoutURL: `http://${host}:${port}/slo` };
    const { provider, organization } = await setProvider(createWorld(app.database), idp, at);
    const page = await browser.newPage();
    await page.goto(`${app.url}/saml/${provider.id}/start?returnTo=/README.md`);
    await page.getByRole("button").click();
    await page.waitForURL(`${app.url}/README.md`);
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ name: "docgraph-session", httpOnly: true, sameSite: "Lax", domain: "127.0.0.1" }]);
    const { prisma } = app.database;
    const session = await prisma.session.findFirstOrThrow({ where: { organizationId: organization.id } });
    expect(session).toMatchObject({ nameId: "ann", sessionIndex: "one", endedAt: null });
    await page.goto(app.url);
    const asked = await ask(page, "{ sessions { nodes { id isCurrent } } organizations { nodes { id } } }");
    const organizations = { nodes: [{ id: organization.id }] };
    expect(JSON.parse(asked.text)).toEqual({
      data: { sessions: { nodes: [{ id: session.id, isCurrent: true }] }, organizations },
    });
    await page.goto(`${app.url}/README.md`); // forms of the first page lead nowhere else
    await page.setContent(
      `<form method="post" action="${app.url}/saml/${provider.id}/logout"><button>Out</button></form>`,
    );
    await page.getByRole("button").click();
    await page.waitForURL(/\/slo\?SAMLRequest=/);
    expect(await page.title()).toBe("Signed out at the provider");
    expect(await page.context().cookies()).toEqual([]);
    expect((await prisma.session.findUniqueOrThrow({ where: { id: session.id } })).endedAt).not.toBeNull();

    // Signs in again, and out by revoking the session.
    await page.goto(`${app.url}/saml/${provider.id}/start`);
    await page.getByRole("button").click();
    await page.waitForURL(`${app.url}/app`);
    const again = await prisma.session.findFirstOrThrow({ where: { organizationId: organization.id, endedAt: null } });
    const revoke = `mutation { revokeSession(input: { sessionId: "${again.id}" }) { session { id } } }`;
    expect((await ask(page, revoke)).status).toBe(200);
    expect((await ask(page, "{ viewer { id } }")).status).toBe(401);
    await page.goto(`${app.url}/sign-in`);
    expect(await page.title()).toBe("Sign in · docgraph");
  });
});
