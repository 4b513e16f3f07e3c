// The pages of an organization and of a site that has something of everything in a real browser: on a phone and on a
// desktop, in both colour schemes, by drag, and without scripts. At the small size each page is opened on one of them.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn } from "#test/features/sessions/factory.ts";
import { addSection, addSiteSpace, schemaOf } from "#test/features/sites/factory.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { chromiumPath, closePages, openBrowser, violationsOf } from "#test/support/browser.ts";
import { inTurn } from "#test/support/runs.ts";
import { createWorld } from "#test/support/world.ts";

if (!chromiumPath) console.warn("Skipped: Chromium is not installed, and CHROMIUM_PATH is not set.");

describe.skipIf(!chromiumPath)("pages of an organization in Chromium", { timeout: 120_000 }, () => {
  let app: TestApp;
  let browser: Browser;
  let root: string;
  let cookie: string;
  let paths: string[];
  let structure: string;
  let groupId: string;

  beforeAll(async () => {
    app = await testApp();
    const world = createWorld(app.database);
    const { organization, admin, space, site, section, ...more } = await world.site();
    const changed = await world.insert((rows) => {
      const here = { siteId: site.id, spaceId: space.id };
      addSiteSpace(rows, { ...here, sectionId: section.id, title: "Guide" });
      const { id: sectionId } = addSection(rows, { siteId: site.id, title: "API", condition: "visitor.claims.staff" });
      return [section.id, addSiteSpace(rows, { ...here, sectionId, title: "Reference" }).id];
    });
    groupId = more.sectionGroup.id;
    await app.database.prisma.site.update({
      where: { id: site.id },
      data: {
        adaptiveSchema: schemaOf("staff", "unsigned.beta"),
        adaptiveContentEnabled: true,
        claimedHostname: "docs.example.com",
        hostnameProof: "a-proof-of-32-characters-or-less",
        hostnameClaimedAt: new Date(),
        customization: { primaryColor: "#ffcc00", footer: "Made with care" },
      },
    });
    root = `/app/orgs/${organization.id}`;
    ({ cookie } = await signIn(app, { userId: admin.id }));
    paths = [
      "/app",
      ...["", `?space=${space.id}`].map((search) => `${root}/sites${search}`),
      ...["", "/structure", "/look", "/visitors", "/adaptive", "/address", "/settings"].map(
        (tab) => `${root}/sites/${site.id}${tab}`,
      ),
      ...[...changed, groupId].map((id) => `${root}/sites/${site.id}/structure?change=${id}`),
    ];
    structure = `${root}/sites/${site.id}/structure`;
    browser = await openBrowser();
  }, 60_000);
  afterAll(async () => {
    await closePages(browser);
    await app.close();
  });

  /** Contexts of the signed-in person, shared by tests: a new one for each would start a process. */
  const contexts = new Map<boolean, Promise<BrowserContext>>();

  async function openContext(javaScriptEnabled: boolean): Promise<BrowserContext> {
    const context = await browser.newContext({ reducedMotion: "reduce", javaScriptEnabled });
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: app.url }]);
    return context;
  }

  async function openWindow({ javaScriptEnabled = true } = {}): Promise<Page> {
    const opening = contexts.get(javaScriptEnabled) ?? openContext(javaScriptEnabled);
    contexts.set(javaScriptEnabled, opening);
    return (await opening).newPage();
  }

  test.each([
    [1280, "light", 0],
    [390, "dark", 1],
  ] as const)("fit a window of %d pixels and pass axe-core in the %s scheme", async (width, colorScheme, turn) => {
    const page = await openWindow();
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const wrong: string[] = [];
    page.on("console", (line) => wrong.push(`${page.url()}: ${line.text()}`));
    for (const path of inTurn(paths, turn)) {
      await page.goto(app.url + path);
      await page.evaluate(`for (const one of document.querySelectorAll("main details")) one.open = true`);
      expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBe(width);
      wrong.push(...(await violationsOf(page)).map((text) => `${path}: ${text}`));
    }
    expect(wrong).toEqual([]);
  });

  test("sort the structure of a site by keyboard without scripts: the focus stays on the button", async () => {
    const page = await openWindow({ javaScriptEnabled: false });
    await page.goto(app.url + structure);
    const up = page.getByRole("button", { name: "Move Reference up" });
    const sections = page.locator(".site-entry[data-kind=section]");
    const inFirst = sections.first().locator(".entry-name > a");
    for (const titles of [/^[^,]*,Guide$/, /^[^,]*,Guide,Reference$/]) {
      expect((await inFirst.allTextContents()).join()).toMatch(titles);
      await up.press("Enter");
    }
    await page.waitForURL(/#up-ssp_/);
    expect((await inFirst.allTextContents()).join()).toMatch(/^[^,]*,Reference,Guide$/);
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Move Reference up");
  });

  test("sort the structure by drag, which appears in another window", async () => {
    const [page, other] = [await openWindow(), await openWindow()];
    const isListening = other.waitForResponse((answer) => answer.url().endsWith("?changes"));
    await other.goto(`${app.url + structure}?change=${groupId}`);
    await isListening;
    await other.getByLabel("Title").first().fill("Still writing");
    await page.goto(app.url + structure);
    const [api, guide] = ["API", "Guide"].map((title) =>
      page.locator(".entry-line").filter({ has: page.getByText(title, { exact: true }) }),
    );
    if (!api || !guide) throw new Error("The structure has neither.");
    await Promise.all([page.waitForURL(/structure#ssp_/), guide.dragTo(api)]);
    for (const window of [page, other]) {
      const inApi = window.locator(".site-entry[data-kind=section]", { hasText: "API" }).locator(".site-entry");
      await inApi.filter({ hasText: "Guide" }).waitFor();
    }
    expect(await other.getByLabel("Title").first().inputValue()).toBe("Still writing");
  });

  // The last one: it ends the session.
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
