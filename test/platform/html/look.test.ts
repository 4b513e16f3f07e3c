// A text with every block in a browser, with its style sheet: accessible, within the width of phones, in both colour
// schemes, under a strict policy of content.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, closePages, openBrowser, takePicture, violationsOf } from "#test/support/browser.ts";
import { shown } from "#test/platform/html/shown.ts";

const locate = createRequire(import.meta.url).resolve;
const styles = readFileSync(new URL("../../../src/pages/assets/text.css", import.meta.url), "utf8");
const markdown = readFileSync(new URL("all-blocks.txt", import.meta.url), "utf8");
const font = readFileSync(locate("@fontsource/noto-sans-math/files/noto-sans-math-math-400-normal.woff2"));

const frame = `:root { color-scheme: light dark } body { margin: 0; color: light-dark(#1d2126, #e6e8ea);
  background: light-dark(#ffffff, #131517); font: 1rem/1.6 sans-serif } a { color: light-dark(#0b6b5c, #57c7b0) }
  main { max-width: 46rem; margin: auto; padding: 1rem; box-sizing: border-box }`;

const policy = "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'";
const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Text</title><link rel="stylesheet" href="/text.css"><main><h1>Page</h1><div class="text">${shown(markdown)
  .replaceAll(/ (src|srcset)="[^"]*"/g, ' $1="/image.svg"')
  .replaceAll(/ href="(?!#)[^"]*"/g, ' href="/"')}</div></main></html>`;

function serve(route: Route) {
  const { pathname } = new URL(route.request().url());
  if (pathname === "/text.css") return route.fulfill({ contentType: "text/css", body: `${styles}\n${frame}` });
  if (pathname.endsWith(".woff2")) return route.fulfill({ contentType: "font/woff2", body: font });
  if (pathname === "/image.svg")
    return route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  if (pathname !== "/") return route.fulfill({ status: 204 });
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
  return route.fulfill({ headers, body });
}

describe.skipIf(chromiumPath === undefined)("a text with every block", { timeout: 60_000 }, () => {
  let browser: Browser;
  /** Shared by all tests: a new one for each would start a process. */
  let page: Page;
  const messages: string[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
    page.on("console", (message) => messages.push(message.text()));
    await page.route("**/*", serve);
  });
  afterAll(() => closePages(browser));

  async function open(colorScheme: "light" | "dark", width: number): Promise<void> {
    messages.length = 0;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, media: null });
    await page.goto("http://127.0.0.1/");
  }

  test.each([
    ["light", 390],
    ["light", 1280],
    ["dark", 390],
    ["dark", 1280],
  ] as const)("is accessible in the %s scheme at %i px, without overflow and messages", async (scheme, width) => {
    await open(scheme, width);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(messages).toEqual([]);
    await takePicture(page, `text-${scheme}-${width}`, true);
  });

  test("has tabs that the keyboard switches without JavaScript, and parts that open", async () => {
    await open("light", 1280);
    const panels = page.locator(".tab-set").first().locator(".tab-panel");
    expect(await panels.evaluateAll((all) => all.map((one) => one.checkVisibility()))).toEqual([true, false]);
    await page.locator(".tab").first().focus();
    await page.keyboard.press("ArrowRight");
    expect(await panels.evaluateAll((all) => all.map((one) => one.checkVisibility()))).toEqual([false, true]);
    const details = page.locator("details.expandable").first();
    await details.locator("summary").click();
    expect(await details.evaluate((one) => one.hasAttribute("open"))).toBe(true);
    await page.emulateMedia({ media: "print" });
    expect(await panels.evaluateAll((all) => all.map((one) => one.checkVisibility()))).toEqual([true, true]);
  });
});
