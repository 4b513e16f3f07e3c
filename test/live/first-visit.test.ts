// What people meet first, in a real browser on a phone and on a desktop: an invited person signs in with the link of an
// e-mail and accepts; and wrong addresses, sign-in and the documentation fit the window and are accessible.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testApp, type TestApp } from "#test/support/app.ts";
import { chromiumPath, closePages, openBrowser, takePicture, violationsOf } from "#test/support/browser.ts";
import { followEmail, openInbox } from "#test/support/inbox.ts";
import { inTurn } from "#test/support/runs.ts";
import { createWorld } from "#test/support/world.ts";

if (!chromiumPath) console.warn("Skipped: Chromium is not installed, and CHROMIUM_PATH is not set.");

/** What is wrong with a page: wider than the window, or a violation that axe-core finds. */
async function faultsOf(page: Page): Promise<string[]> {
  const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  const found = await violationsOf(page);
  return (over > 0 ? [`${over} pixels too wide`, ...found] : found).map((fault) => `${page.url()}: ${fault}`);
}

const windows = [
  { width: 390, height: 844, colorScheme: "light" },
  { width: 1280, height: 900, colorScheme: "dark" },
] as const;

describe.skipIf(!chromiumPath)("a first visit in Chromium", { timeout: 120_000 }, () => {
  const inbox = openInbox();
  let app: TestApp;
  let browser: Browser;
  /** Shared by all tests, in their windows: a new one for each would start a process. */
  let page: Page;

  beforeAll(async () => {
    app = await testApp({ mail: inbox.mail });
    browser = await openBrowser();
    page = await browser.newPage();
  }, 120_000);
  afterAll(async () => {
    await closePages(browser);
    await app.close();
  });

  /** The page in one of the windows, for somebody who is signed out. */
  async function openWindow({ width, height, colorScheme }: (typeof windows)[number]): Promise<void> {
    page.removeAllListeners();
    await page.context().clearCookies();
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
  }

  test.each(windows)("an invited person signs in and accepts at %o", async (window) => {
    const { width } = window;
    const { organization, admin } = await createWorld(app.database).organization({
      organization: { title: `Harbour ${width}` },
    });
    const email = `new-${width}@example.com`;
    const input = { organizationId: organization.id, email, role: "READ" };
    await app
      .as(admin.token)
      .query(`mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { invitation { id } } }`, {
        input,
      });
    await openWindow(window);
    const wrong: string[] = [];
    page.on("console", (line) => wrong.push(`${page.url()}: ${line.text()}`));
    await followEmail(page, await inbox.next(email));
    wrong.push(...(await faultsOf(page)));
    await page.getByLabel("Your e-mail address").fill(email);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
    wrong.push(...(await faultsOf(page)));
    await followEmail(page, await inbox.next(email));
    wrong.push(...(await faultsOf(page)));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(`Harbour ${width}`).waitFor();
    wrong.push(...(await faultsOf(page)));
    await takePicture(page, `invitation-${width}`);
    await page.getByRole("button", { name: "Accept" }).click();
    await page.waitForURL(`${app.url}/app/orgs/${organization.id}`);
    await page.goto(`${app.url}/sign-in?returnTo=/app`);
    expect(page.url()).toBe(`${app.url}/app`);
    wrong.push(...(await faultsOf(page)));
    expect(await page.getByRole("link", { name: `Harbour ${width}` }).count()).toBe(1);
    expect(wrong).toEqual([]);
  });

  test.each(windows)("wrong addresses and the documentation fit %o", async (window) => {
    const { width } = window;
    await openWindow(window);
    const wrong: string[] = [];
    const paths = ["/nothing", "/app/nothing", "/docs", "/docs/graphql", "/reference/errors", "/"];
    for (const path of inTurn(paths, windows.indexOf(window))) {
      await page.goto(app.url + path);
      wrong.push(...(await faultsOf(page)));
    }
    await page.goto(`${app.url}/reference/errors`);
    await takePicture(page, `reference-${width}`);
    const marked = await page.locator(".site [aria-current]").boundingBox();
    expect((marked?.x ?? 0) + (marked?.width ?? width)).toBeLessThan(width);
    expect(wrong).toEqual([]);
  });
});
