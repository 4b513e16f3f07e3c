// The pages of an organization and of an account in a real browser: on a phone and on a desktop, in both colour
// schemes, and without scripts.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn } from "#test/features/sessions/factory.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { chromiumPath, openBrowser } from "#test/support/browser.ts";
import { createWorld } from "#test/support/world.ts";

if (!chromiumPath) console.warn("Skipped: Chromium is not installed, and CHROMIUM_PATH is not set.");

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe.skipIf(!chromiumPath)("pages of an organization in Chromium", { timeout: 120_000 }, () => {
  let app: TestApp;
  let browser: Browser;
  let root: string;
  let cookie: string;
  let paths: string[];

  beforeAll(async () => {
    app = await testApp();
    const { organization, admin, team, space, collection } = await createWorld(app.database).site();
    root = `/app/orgs/${organization.id}`;
    ({ cookie } = await signIn(app, { userId: admin.id }));
    await app
      .as(admin.token)
      .query("mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { invitation { id } } }", {
        input: { organizationId: organization.id, email: "invited@example.com" },
      });
    const below = [
      "",
      "/members",
      "/invitations",
      "/teams",
      `/teams/${team.id}`,
      "/access",
      "/tokens",
      "/single-sign-on",
      "/audit-log",
    ];
    paths = [
      ...[...below, "/settings"].map((path) => root + path),
      "/app/me",
      "/app/me/sessions",
      "/app/me/tokens",
      `/app/spaces/${space.id}/access`,
      `/app/collections/${collection.id}`,
    ];
    browser = await openBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  async function openWindow(options: BrowserContextOptions) {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: app.url }]);
    return context.newPage();
  }

  test.each([
    [1280, "light"],
    [390, "dark"],
  ] as const)("fit a window of %d pixels and pass axe-core in the %s scheme", async (width, colorScheme) => {
    const page = await openWindow({ viewport: { width, height: 800 }, colorScheme });
    const wrong: string[] = [];
    page.on("console", (line) => wrong.push(`${page.url()}: ${line.text()}`));
    for (const path of paths) {
      await page.goto(app.url + path);
      expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBe(width);
      await page.evaluate(axe);
      const found = await page.evaluate<string[]>(
        `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`,
      );
      wrong.push(...found.map((text) => `${path}: ${text}`));
    }
    expect(wrong).toEqual([]);
  });

  test("invite, change a role, create a token and sign out without scripts", async () => {
    const page = await openWindow({ javaScriptEnabled: false });
    await page.goto(app.url + root);
    await page.getByRole("link", { name: "Invitations" }).click();
    await page.getByLabel("E-mail address").fill("new@example.com");
    await page.getByLabel("Role").first().selectOption("Edit");
    await page.getByRole("button", { name: "Invite" }).click();
    expect(await page.getByRole("row", { name: /new@example\.com/ }).textContent()).toContain("Edit");
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByLabel("Role of Reader").selectOption("Review");
    await page
      .getByRole("row", { name: /^Reader/ })
      .getByRole("button", { name: "Save" })
      .click();
    expect(await page.getByLabel("Role of Reader").inputValue()).toBe("REVIEW");
    await page.getByRole("navigation", { name: "Account" }).getByRole("link").click();
    await page.getByRole("link", { name: "API tokens" }).click();
    await page.getByLabel("Name").fill("Nightly");
    await page.getByRole("button", { name: "Create token" }).click();
    expect(await page.getByRole("status").textContent()).toMatch(/dg_\w+/);
    await page.getByRole("button", { name: "Sign out" }).click();
    expect(new URL(page.url()).pathname).toBe("/sign-in");
  });
});
