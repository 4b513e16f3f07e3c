// What people meet first, in a real browser on a phone and on a desktop: an invited person signs in with the link of an
// e-mail and accepts; and wrong addresses, sign-in and the documentation fit the window and are accessible.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testApp, type TestApp } from "#test/support/app.ts";
import { chromiumPath, closePages, openBrowser, takePicture, violationsOf } from "#test/support/browser.ts";
import { followEmail, openInbox } from "#test/support/inbox.ts";
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

  beforeAll(async () => {
    app = await testApp({ mail: inbox.mail });
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await closePages(browser);
    await app.close();
  });

  test.each(windows)("an invited person signs in and accepts at %o", async ({ width, height, colorScheme }) => {
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
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
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
    await page.close();
    expect(wrong).toEqual([]);
  });

  test.each(windows)("wrong addresses and the documentation fit %o", async ({ width, height, colorScheme }) => {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    const wrong: string[] = [];
    for (const path of ["/nothing", "/app/nothing", "/docs", "/docs/graphql", "/reference/errors", "/"]) {
      await page.goto(app.url + path);
      wrong.push(...(await faultsOf(page)));
    }
    await page.goto(`${app.url}/reference/errors`);
    await takePicture(page, `reference-${width}`);
    const marked = await page.locator(".site [aria-current]").boundingBox();
    expect((marked?.x ?? 0) + (marked?.width ?? width)).toBeLessThan(width);
    await page.close();
    expect(wrong).toEqual([]);
  });
});
