// What people meet first, in a real browser on a phone and on a desktop: an invited person signs in with the link of an
// e-mail and accepts; and wrong addresses, sign-in and the documentation fit the window and are accessible.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Email } from "#src/net/mail.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { artifacts, chromiumPath, openBrowser } from "#test/support/browser.ts";
import { createWorld } from "#test/support/world.ts";

if (!chromiumPath) console.warn("Skipped: Chromium is not installed, and CHROMIUM_PATH is not set.");

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What is wrong with a page: wider than the window, or a violation that axe-core finds. */
async function faultsOf(page: Page): Promise<string[]> {
  const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
  );
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  return (over > 0 ? [`${over} pixels too wide`, ...found] : found).map((fault) => `${page.url()}: ${fault}`);
}

const windows = [
  { width: 390, height: 844, colorScheme: "light" },
  { width: 1280, height: 900, colorScheme: "dark" },
] as const;

describe.skipIf(!chromiumPath)("a first visit in Chromium", { timeout: 120_000 }, () => {
  const sent: Email[] = [];
  const waiting: ((email: Email) => void)[] = [];
  let app: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    const mail = {
      async send(email: Email) {
        const next = waiting.shift();
        if (next) next(email);
        else sent.push(email);
      },
    };
    app = await testApp({ mail });
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  const nextEmail = () => {
    const email = sent.shift();
    return email ? Promise.resolve(email) : new Promise<Email>((resolve) => waiting.push(resolve));
  };

  /** Shows an e-mail as a program for e-mail does, and follows its button. */
  async function follow(page: Page, { html }: Email) {
    await page.goto("about:blank");
    await page.setContent(html);
    await page.getByRole("link").click();
  }

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
    await follow(page, await nextEmail());
    wrong.push(...(await faultsOf(page)));
    await page.getByLabel("Your e-mail address").fill(email);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
    wrong.push(...(await faultsOf(page)));
    await follow(page, await nextEmail());
    wrong.push(...(await faultsOf(page)));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(`Harbour ${width}`).waitFor();
    wrong.push(...(await faultsOf(page)));
    await page.screenshot({ path: `${artifacts}/invitation-${width}.png` });
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
    await page.screenshot({ path: `${artifacts}/reference-${width}.png` });
    const marked = await page.locator(".site [aria-current]").boundingBox();
    expect((marked?.x ?? 0) + (marked?.width ?? width)).toBeLessThan(width);
    await page.close();
    expect(wrong).toEqual([]);
  });
});
