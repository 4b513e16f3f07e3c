// A change request in two browsers: what one person says and decides appears in the other, without a loss of what is
// being written there; on a phone and a desktop, by keyboard, and without scripts. At the small size each page is
// looked at on one of the two.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guideWith, type Scene, setScene, update } from "#test/features/change-requests/scene.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { chromiumPath, closePages, openBrowser, takePicture, violationsOf } from "#test/support/browser.ts";
import { inTurn } from "#test/support/runs.ts";
import { createWorld, type Person } from "#test/support/world.ts";

describe.skipIf(!chromiumPath)("a change request in Chromium", { timeout: 180_000 }, () => {
  let app: TestApp;
  let browser: Browser;
  let scene: Scene;
  let list: string;
  let path: string;

  beforeAll(async () => {
    app = await testApp();
    scene = await setScene(app, createWorld(app.database));
    list = `/app/spaces/${scene.space.id}/change-requests`;
    path = `${list}/${scene.changeRequestId}`;
    await scene.mine(update(scene.ids.guide, { title: "The guide", markdown: guideWith({ 7: "seven small words" }) }));
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await closePages(browser);
    await app.close();
  });

  async function openAs({ id }: Person, options: Parameters<Browser["newContext"]>[0] = {}) {
    const { cookie } = await signIn(app, { userId: id });
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: app.url }]);
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on("pageerror", ({ message }) => wrong.push(message));
    page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
    return { page, wrong, close: () => context.close() };
  }

  /** Opens the change request, and waits until it listens. */
  async function listen(page: Page) {
    const isListening = page.waitForResponse((answer) => answer.url().endsWith("?changes"));
    await page.goto(app.url + path);
    await isListening;
  }

  test("what one person says and decides appears in the browser of another, who is writing", async () => {
    const [one, other] = [await openAs(scene.commenter), await openAs(scene.reviewer)];
    await listen(other.page);
    const writing = other.page.getByLabel("Write a comment");
    await writing.fill("I am still writing");
    await listen(one.page);
    for (const { page } of [one, other]) await page.getByRole("status").filter({ hasText: "1 other looks" }).waitFor();
    await one.page.getByLabel("Write a comment").fill("Which words?");
    await one.page.getByRole("button", { name: "Comment", exact: true }).last().click();
    await other.page.locator(".said-text", { hasText: "Which words?" }).waitFor();
    expect(await writing.inputValue()).toBe("I am still writing");
    expect(await other.page.evaluate("document.activeElement.value")).toBe("I am still writing");
    await other.page.getByRole("button", { name: "Approve" }).press("Enter");
    await one.page.locator("aside .badge", { hasText: "Approved" }).waitFor();
    for (const text of await other.page.locator("time").allTextContents()) expect(text).not.toContain("UTC");
    expect([one.wrong, other.wrong]).toEqual([[], []]);
    await Promise.all([one.close(), other.close()]);
  });

  test("conflicts are resolved and the change request is merged without scripts", async () => {
    await scene.main(update(scene.ids.guide, { title: "Our guide" }));
    const { page, close } = await openAs(scene.reviewer, { javaScriptEnabled: false });
    await page.goto(app.url + path);
    await page.getByRole("radio", { name: "Main content" }).check();
    await page.getByRole("button", { name: "Resolve", exact: true }).first().click();
    await page.getByRole("button", { name: "Merge" }).click();
    expect(await page.textContent("aside .done")).toMatch(/^Merged by Reviewer/);
    expect(await scene.current()).not.toBe(scene.began);
    await close();
  });

  test("the pages fit phones and desktops in both schemes, and axe finds nothing", async () => {
    const again = await setScene(app, createWorld(app.database));
    await again.mine(update(again.ids.guide, { title: "Mine", markdown: guideWith({ 7: "mine ".repeat(60) }) }));
    await again.main(update(again.ids.guide, { title: "Theirs", markdown: guideWith({ 7: "W".repeat(200) }) }));
    const ofSpace = `/app/spaces/${again.space.id}/change-requests`;
    const addresses = { list: ofSpace, "change-request": `${ofSpace}/${again.changeRequestId}` };
    for (const [width, colorScheme, turn] of [
      [1280, "light", 0],
      [390, "dark", 1],
    ] as const) {
      const { page, wrong, close } = await openAs(again.reviewer, { viewport: { width, height: 844 }, colorScheme });
      for (const [name, address] of inTurn(Object.entries(addresses), turn)) {
        await page.goto(app.url + address);
        await takePicture(page, `app-${name}-${width}`, true);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        expect([name, await violationsOf(page)]).toEqual([name, []]);
      }
      expect(wrong).toEqual([]);
      await close();
    }
  });
});
