// The pages of spaces in the application, in a real browser: accessible and no wider than the window, and edited by
// keyboard, with changes of others that appear while a page is open. At the small size each page is looked at in one
// window.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { textFile } from "#test/features/content/uploads.ts";
import { visitorOf } from "#test/features/content/visiting.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { chromiumPath, closePages, openBrowser, takePicture, violationsOf } from "#test/support/browser.ts";
import { inTurn } from "#test/support/runs.ts";
import { createWorld } from "#test/support/world.ts";

if (!chromiumPath) console.warn("Skipped: Chromium is not installed, and CHROMIUM_PATH is not set.");

const text = "Words with a [lost link](page:pag_01j00000000000000000000000).\n\n## Begin\n\nTurbines\n\n## End\n\nMore";

describe.skipIf(!chromiumPath)("spaces in Chromium", { timeout: 180_000 }, () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let made: Awaited<ReturnType<typeof makeSpace>>;

  beforeAll(async () => {
    app = await testApp();
    made = await makeSpace(app);
    browser = await openBrowser();
    page = await browser.newPage();
    const [name = "", value = ""] = made.cookie.split("=");
    await page.context().addCookies([{ name, value, url: app.url }]);
  }, 60_000);
  afterAll(async () => {
    await closePages(browser);
    await app.close();
  });

  /** The page of all tests, in a window: a new one for each would start a process. */
  async function open(size: { width: number; height: number }, colorScheme: "light" | "dark" = "light") {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
  }

  test("pages have no violation that axe-core finds, and fit the window", async () => {
    const wrong: string[] = [];
    for (const [width, scheme, turn] of [
      [1280, "light", 0],
      [390, "dark", 1],
    ] as const) {
      await open({ width, height: 900 }, scheme);
      for (const [name, path] of inTurn(Object.entries(made.paths), turn)) {
        await page.goto(app.url + path);
        wrong.push(...(await problemsOf(page)).map((one) => `${width} ${name}: ${one}`));
        await takePicture(page, `app-${name}-${width}`, true);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("a page is edited in a new change request, previewed and saved by keyboard", async () => {
    await open({ width: 1280, height: 900 });
    await page.goto(app.url + made.paths.page);
    await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    await page.getByLabel("Text, in Markdown").fill("Written **by hand**");
    await page.getByRole("button", { name: "Preview" }).press("Enter");
    expect(await page.locator(".preview strong").textContent()).toBe("by hand");
    await page.getByRole("button", { name: /^Save to #\d/ }).press("Enter");
    await page.waitForURL(/\/change-requests\/chr_\w+\/pages\/pag_\w+$/);
    expect(await page.locator("article strong").textContent()).toBe("by hand");
  });

  test("/ leads to the search, which shows results as one types", async () => {
    await open({ width: 1280, height: 900 });
    await page.goto(app.url + made.paths.home);
    await page.keyboard.press("/");
    await page.keyboard.type("turbin");
    await page.waitForSelector(".found >> text=Getting started");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/pages\/pag_\w+/);
  });

  test("a change of another person appears in the open page", async () => {
    await open({ width: 1280, height: 900 });
    const isListening = page.waitForResponse((answer) => answer.url().endsWith("?changes"));
    await page.goto(app.url + made.paths.page);
    await isListening;
    await made.edit({ updatePage: { pageId: made.pageId, markdown: `${text}\n\nAdded meanwhile.` } });
    await page.waitForSelector("main >> text=Added meanwhile.");
  });
});

/** What axe-core finds, and how much wider the page is than the window. */
async function problemsOf(page: Page): Promise<string[]> {
  const found = await violationsOf(page);
  const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  return over > 0 ? [...found, `is ${over} pixels wider than the window`] : found;
}

async function makeSpace(app: TestApp) {
  const world = createWorld(app.database);
  const { space, admin, organization } = await world.everything();
  const spaceId = space.id;
  const edit = (...edits: Parameters<typeof editAs>[2][]) => editAs(app.as(admin.token), { spaceId }, ...edits);
  const page = newPage("Getting started", { markdown: text, description: "From nothing to a page", emoji: "🚀" });
  const group = newPage("Guides", { type: "GROUP" });
  await edit(page.edit, group.edit, newPage("Deploy", { parentId: group.pageId, markdown: "Deploy it" }).edit);
  const revisionId = await edit({ updatePage: { pageId: page.pageId, markdown: text.replace("More", "Most") } });
  const { cookie, read, send, sendFiles } = await visitorOf(app, admin);
  await sendFiles(`/app/spaces/${spaceId}/files`, { form: "upload" }, [
    textFile("plan.txt"),
    textFile("a ".repeat(60)),
  ]);
  const { body } = await read(`/app/spaces/${spaceId}/pages/${page.pageId}/comments`);
  const block = /\?block=([^#"]+)/.exec(body)?.[1] ?? "";
  await send(`/app/spaces/${spaceId}/pages/${page.pageId}/comments`, {
    form: "comment",
    page: page.pageId,
    block: decodeURIComponent(block),
    text: "Which words?",
  });
  const empty = await send("/app", { form: "space", organizationId: organization.id, title: "Empty" });
  const root = `/app/spaces/${spaceId}`;
  const paths = {
    home: "/app",
    page: `${root}/pages/${page.pageId}`,
    edit: `${root}/pages/${page.pageId}/edit`,
    new: `${root}/pages/new`,
    empty: empty.location ?? "",
    comments: `${root}/pages/${page.pageId}/comments?block=${block}`,
    history: `${root}/history`,
    revision: `${root}/revisions/${revisionId}`,
    files: `${root}/files`,
    links: `${root}/links`,
    settings: `${root}/settings`,
    search: "/app/search?q=turbines",
  };
  return { cookie, edit, pageId: page.pageId, paths };
}
