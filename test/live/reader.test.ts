// The reader of a published site in a real browser, over the texts of a book: every page on a phone and on a desktop,
// in both colour schemes, its links, its search, and changes that appear while it is open. At the small size pages are
// looked at in some of these windows.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { chromiumPath, closePages, openBrowser, takePicture, violationsOf } from "#test/support/browser.ts";
import { inTurn, isFullSize } from "#test/support/runs.ts";
import { readBook } from "#test/support/samples.ts";
import { createWorld } from "#test/support/world.ts";

if (!chromiumPath) console.warn("Skipped: Chromium is not installed, and CHROMIUM_PATH is not set.");

const windows = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;
const schemes = ["light", "dark"] as const;

/** A page with every kind of block, and words that are wider than a phone. */
const blocks = [
  "# First part\n\nText with `code`, **bold**, a [link](./plain.md) and [another](https://www.example.com).",
  `\`\`\`ts title="a.ts"\nconst ${"veryLong".repeat(20)}: string = "text";\n\`\`\``,
  `| A | B | C |\n| - | - | - |\n| ${"wide ".repeat(30)} | ${"Word".repeat(30)} | 3 |`,
  '{% hint style="warning" %}\nTake care.\n{% endhint %}',
  '{% tabs %}\n{% tab title="One" %}\nFirst\n{% endtab %}\n{% tab title="Two" %}\nSecond\n{% endtab %}\n{% endtabs %}',
  `## Second part\n\n${"Unbroken".repeat(30)}\n\n- [ ] open\n- [x] done`,
  "> [!NOTE]\n> A note.\n\n$$\na^2 + b^2 = \\sqrt{c}\n$$\n\nA note[^1].\n\n[^1]: Below.",
  "<details>\n<summary>More</summary>\n\nHidden\n\n</details>",
  `## Third part\n\n${"A paragraph of some length.\n\n".repeat(30)}`,
].join("\n\n");

describe.skipIf(!chromiumPath)("the reader in Chromium", { timeout: 180_000 }, () => {
  let app: TestApp;
  let browser: Browser;
  /** The page of the tests, in their windows: a new one for each would start a process. */
  let shared: Page;
  let root: string;
  let paths: string[];
  let edit: (...edits: Parameters<typeof editAs>[2][]) => Promise<string>;
  let pageId: string;

  beforeAll(async () => {
    app = await testApp();
    const made = await makeSite(app);
    ({ edit, pageId } = made);
    root = `/published/${made.siteId}`;
    const map = await (await fetch(`${app.url}${root}/sitemap.xml`)).text();
    paths = [...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, at = ""]) => new URL(at).pathname);
    browser = await openBrowser();
    shared = await browser.newPage();
  }, 120_000);
  afterAll(async () => {
    await closePages(browser);
    await app.close();
  });

  const openWindow = async (viewport: (typeof windows)[number], colorScheme: (typeof schemes)[number]) => {
    const [page, wrong]: [Page, string[]] = [shared, []];
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    page.removeAllListeners();
    page.on("console", (line) => wrong.push(`${page.url()}: ${line.text()}`));
    page.on("pageerror", (error) => wrong.push(`${page.url()}: ${String(error)}`));
    return { page, wrong };
  };

  test.each(windows.flatMap((size) => schemes.map((scheme) => [size.width, scheme, size] as const)))(
    "each page fits a window of %i pixels in the %s scheme, without console messages",
    async (width, scheme, size) => {
      const { page, wrong } = await openWindow(size, scheme);
      const opened = inTurn(isFullSize ? paths : paths.slice(0, 6), schemes.indexOf(scheme));
      for (const path of [...opened, `${root}?q=the`]) {
        await page.goto(app.url + path);
        const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        if (over > 0) wrong.push(`${path}: is ${over} pixels wider than the window`);
      }
      await page.goto(`${app.url}${root}/guide/blocks`);
      await takePicture(page, `reader-${width}-${scheme}`, true);
      expect(wrong).toEqual([]);
    },
  );

  test.each(schemes)("pages have no violation that axe-core finds in the %s scheme", async (scheme) => {
    const wrong: string[] = [];
    for (const [index, size] of windows.entries()) {
      const { page } = await openWindow(size, scheme);
      const turn = (index + schemes.indexOf(scheme)) % 2;
      for (const path of inTurn(["/guide/blocks", "?q=text", "/none", ""], turn)) {
        await page.goto(app.url + root + path);
        wrong.push(...(await violationsOf(page)).map((one) => `${size.width} ${path}: ${one}`));
      }
    }
    expect(wrong).toEqual([]);
  });

  test("every link within the site leads to a page", async () => {
    const found = new Set<string>();
    for (const path of paths.slice(0, isFullSize ? paths.length : 10)) {
      const text = await (await fetch(app.url + path)).text();
      for (const [, href = ""] of text.matchAll(/<a\b[^>]*?href="([^"]+)"/g)) {
        const url = new URL(href.replaceAll("&#38;", "&"), app.url + path);
        if (url.origin === app.url) found.add(url.pathname);
      }
    }
    expect(found.size).toBeGreaterThan(5);
    const statuses = await Promise.all([...found].map(async (path) => [(await fetch(app.url + path)).status, path]));
    expect(statuses.filter(([status]) => status !== 200)).toEqual([]);
  });

  test("a search shows results as one types, and the keyboard leads to them", async () => {
    const { page, wrong } = await openWindow(windows[0], "light");
    await page.goto(app.url + root);
    await page.keyboard.press("/");
    await page.keyboard.type("unbr");
    await page.waitForSelector(".found .hit");
    await page.keyboard.press("ArrowDown");
    await Promise.all([page.waitForURL(/\/blocks/), page.keyboard.press("Enter")]);
    expect(wrong).toEqual([]);
  });

  test("the menu and the outline open on a phone, and the colour scheme can be chosen", async () => {
    const { page, wrong } = await openWindow(windows[1], "light");
    await page.goto(`${app.url}${root}/guide/blocks`);
    await page.click(".menu-button");
    await page.waitForSelector(".side:popover-open");
    await takePicture(page, "reader-menu");
    await page.click(".side .close");
    await page.click(".outline-button");
    await page.click(".outline a >> nth=1");
    expect(new URL(page.url()).hash).toBe("#second-part");
    await page.click("[data-scheme-switch]");
    expect(await page.evaluate("document.documentElement.dataset.scheme")).toBe("dark");
    await page.reload();
    expect(await page.evaluate("document.documentElement.dataset.scheme")).toBe("dark");
    await page.evaluate("localStorage.clear()"); // of the next tests, too
    expect(wrong).toEqual([]);
  });

  test("a change appears while a page is open, and the reader keeps their place", async () => {
    const { page, wrong } = await openWindow(windows[0], "light");
    const isListening = page.waitForResponse((answer) => answer.url().endsWith("?changes"));
    await page.goto(`${app.url}${root}/guide/blocks`);
    await isListening;
    await page.evaluate("document.querySelector('main details').open = true; scrollTo(0, 700)");
    await edit({ updatePage: { pageId, markdown: `${blocks}\n\nAdded meanwhile.` } });
    await page.waitForSelector("main >> text=Added meanwhile.");
    expect(await page.evaluate("[scrollY, document.querySelector('main details').open]")).toEqual([700, true]);
    expect(wrong).toEqual([]);
  });

  test("a page works without scripts", async () => {
    const page = await browser.newPage({ javaScriptEnabled: false, viewport: windows[1] });
    await page.goto(app.url + root);
    await page.click(".menu-button");
    await page.click(".tree a >> text=Blocks");
    expect(await page.textContent("h1")).toBe("Blocks");
    await page.goto(`${app.url}${root}?q=unbroken`);
    expect(await page.textContent("#results")).toContain("Blocks");
    await page.close();
  });
});

/** A public site of one section with the chapters of a book, and a page of all blocks. */
async function makeSite(app: TestApp) {
  const world = createWorld(app.database);
  const { organization, admin } = await world.organization();
  const organizationId = organization.id;
  const made = await world.insert((rows) => {
    const siteId = addSite(rows, { organizationId, title: "Harbour" }).id;
    const { id: spaceId } = addSpace(rows, { organizationId, title: "Guide" });
    addSiteSpace(rows, { siteId, spaceId, path: "guide" });
    return { siteId, spaceId };
  });
  const edit = (...edits: Parameters<typeof editAs>[2][]) =>
    editAs(app.as(admin.token), { spaceId: made.spaceId }, ...edits);
  const page = newPage("Blocks", { description: "Everything at once", markdown: blocks });
  const book = readBook().filter(([path]) => path.endsWith(".md"));
  const chapters = book
    .slice(0, 30)
    .map(([path, text]) => newPage(path.replace(/^.*\/|\.md$/g, ""), { markdown: text }));
  await edit(page.edit, newPage("Plain", { markdown: "Text" }).edit, ...chapters.map((one) => one.edit));
  return { ...made, edit, pageId: page.pageId };
}
