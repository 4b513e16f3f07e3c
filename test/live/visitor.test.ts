// Visitors of sites in a real browser: a key or token comes once in an address, and opens the site from then on, at the
// hostname of the site and at docgraph's own.
import { SignJWT } from "jose";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { giveContent } from "#test/features/content/factory.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { chromiumPath, startBrowser } from "#test/support/browser.ts";
import { createWorld } from "#test/support/world.ts";

if (!chromiumPath) console.warn("Skipped: Chromium is not installed, and CHROMIUM_PATH is not set.");

/** Browsers find names below `localhost` on this machine. */
const hostname = "docs.visitor.localhost";
const shareKey = "key-of-the-visited-site";

describe.skipIf(!chromiumPath)("a visitor in Chromium", { timeout: 60_000 }, () => {
  let app: TestApp;
  let browser: Browser;
  let visitor: BrowserContext;
  let wrong: string[];
  beforeAll(async () => {
    app = await testApp();
    browser = await startBrowser([hostname]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
  });
  beforeEach(async () => {
    visitor = await browser.newContext();
    wrong = [];
    visitor.on("console", (line) => wrong.push(line.text()));
  });
  afterEach(() => visitor.close());

  test("reads a share-link site at its hostname by a key that no later address contains", async () => {
    const site = { visibility: "share_link", shareKey, hostname } as const;
    const { siteId, spaces } = await makePublished(app, createWorld(app.database), site);
    await giveContent(app.database, spaces.guide.revisionId, ["Welcome", "Setup"], "See [setup](setup.md).\n");
    const root = app.url.replace("127.0.0.1", hostname);
    const page = await visitor.newPage();
    await page.goto(`${root}/${shareKey}/docs/guide/welcome`);
    expect(page.url()).toBe(`${root}/docs/guide/welcome`);
    await page.click("main .text a");
    await page.waitForURL(`${root}/docs/guide/setup`);
    await page.reload();
    expect(await page.textContent("h1")).toBe("Setup");
    expect(await page.content()).not.toContain(shareKey);
    expect(await page.evaluate("document.cookie")).toBe("");
    expect(wrong).toEqual([]);
    // The cookie is that of the hostname, not of docgraph.
    const elsewhere = await page.goto(`${app.url}/published/${siteId}/docs/guide/setup`);
    expect(elsewhere?.status()).toBe(401);
  });

  test("reads what a token opens, and nothing on another site of the same host", async () => {
    const world = createWorld(app.database);
    const [one, other] = [
      await makePublished(app, world, { visibility: "visitor_auth" }),
      await makePublished(app, world, { visibility: "visitor_auth" }),
    ];
    const { rotateSiteSigningKey } = await app
      .as(one.creator.token)
      .query<{ rotateSiteSigningKey: { signingKey: string } }>(
        `mutation { rotateSiteSigningKey(input: { siteId: "${one.siteId}" }) { signingKey } }`,
      );
    const token = await new SignJWT({ staff: true })
      .setProtectedHeader({ alg: "HS256" })
      .setAudience(one.siteId)
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode(rotateSiteSigningKey.signingKey));
    const root = `${app.url}/published/${one.siteId}`;
    const page = await visitor.newPage();
    await page.goto(`${root}/docs/inside/setup?jwt_token=${token}`);
    expect(page.url()).toBe(`${root}/docs/inside/setup`);
    expect(await page.textContent("main .text")).toContain("Text of inside");
    expect(await page.evaluate("history.length")).toBe(2); // the empty page, and the address without the token
    const cookies = await visitor.cookies(root);
    expect(cookies.map(({ path, httpOnly, sameSite }) => ({ path, httpOnly, sameSite }))).toEqual([
      { path: `/published/${one.siteId}`, httpOnly: true, sameSite: "Lax" },
    ]);
    expect(wrong).toEqual([]);
    expect((await page.goto(`${app.url}/published/${other.siteId}`))?.status()).toBe(401);
  });
});
