// Every page of the product in a real browser, signed in and signed out: its styles load, and no resource is refused,
// missing or reported in the console. Pages of the application fit phones and desktops and pass axe-core in both
// schemes. Pages come from the routing tables, so that new ones are included. At the small size pages that look the
// same signed in and signed out are opened once, and some of the documentation; half of the pages of the application
// have their contrasts measured, which takes longer than all other rules: colours come from one style sheet.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readNavigation } from "#src/base/documentation.ts";
import { features } from "#src/features/index.ts";
import { makeContractFixture, type ContractFixture } from "#test/contract/requests.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { exampleCertificate } from "#test/features/saml/example-certificate.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { addressesOf, makeBusyWorld } from "#test/support/app-pages.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { chromiumPath, closePages, loadAxe, openBrowser, violationsOf } from "#test/support/browser.ts";
import { isFullSize, sized, someOf } from "#test/support/runs.ts";
import { createWorld } from "#test/support/world.ts";

if (!chromiumPath) console.warn("Skipped: Chromium is not installed, and CHROMIUM_PATH is not set.");

/**
 * At the small size: pages with the same sign-in prompt, except that of a space, and pages that show the user. Those of
 * the application have a test of their own.
 */
const [isRefusedAlike, isForSomebody] = [
  /^\/app\/(?!spaces\/[^/]+$|none$)/,
  /^\/($|app\/none|published|invitations|sign-in)/,
];

/** The windows that pages of the application are looked at in: at the small size one of the first two, in turn. */
const looks = [
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
  { width: 1280, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
] as const;

/** A page, and the page it redirects to when nobody is signed in: usually itself. */
interface PagePath {
  readonly path: string;
  readonly leadsTo: string;
}

describe.skipIf(!chromiumPath)("in Chromium", { timeout: 120_000 }, () => {
  let app: TestApp;
  let browser: Browser;
  /** Shared by all tests, so that scripts are compiled once. */
  let page: Page;
  let fixture: ContractFixture;
  let paths: readonly PagePath[];
  let providerId: string;

  beforeAll(async () => {
    app = await testApp();
    fixture = await makeContractFixture(app.database);
    const open = await createWorld(app.database).space({ space: { visibility: "public" } });
    providerId = (await createWorld(app.database).insert((rows) => providerIn(rows, fixture))).id;
    browser = await openBrowser();
    page = await browser.newPage();
    paths = await pagesOf(open.space.id);
  }, 60_000);
  afterAll(async () => {
    await closePages(browser);
    await app.close();
  });

  const providerIn = (rows: Parameters<typeof addSamlProvider>[0], { organization }: ContractFixture) =>
    addSamlProvider(rows, {
      organizationId: organization.id,
      entityID: "https://idp.example.com/metadata",
      ssoURL: "https://idp.example.com/sso",
      certificate: exampleCertificate,
    });

  /** The values of `:name` in paths of pages. */
  const idsFor = (path: string): Readonly<Record<string, string>> => ({
    org: fixture.organization.id,
    site: fixture.site.id,
    collection: fixture.collection.id,
    space: fixture.space.id,
    revision: fixture.space.revisionId,
    page: path.includes("change-requests") ? fixture.proposedPageId : fixture.pageId,
    changeRequest: fixture.changeRequest.id,
    spec: fixture.spec.id,
    name: fixture.integration.name,
    installation: fixture.installation.id,
    user: fixture.editor.id,
    key: fixture.inviteLink.key,
  });

  /** All pages, and some missing ones. */
  async function pagesOf(openSpaceId: string): Promise<PagePath[]> {
    const { pages: docs } = await readNavigation();
    const ofApp = features
      .flatMap(({ pages = [], appPages = [] }) => [
        ...pages.map(({ path }) => path),
        ...appPages.map(({ path }) => path.replace(/^\/app\/?/, "")),
      ])
      .map((path) => path.replaceAll(/:(\w+)/g, (_match, name: string) => idsFor(path)[name] ?? `no-${name}`));
    const below: Readonly<Record<string, readonly string[]>> = {
      "/app/": [...ofApp, "none"],
      "/app/invites/": [fixture.inviteLink.key, "none"],
      "/published/": [fixture.site.id, fixture.space.id, openSpaceId, "none"],
      "/emails/": [`${fixture.admin.id}/mention/none`],
      "/oidc/": ["none/start"],
      "/saml/": [`${providerId}/logout`, "none/start"],
      "/reference/graphql/": ["Space", "None"],
      "/docs/": someOf(docs).map(({ name }) => name ?? "none"),
      // Not pages: programs and foreign pages load them.
      "/v1/": [],
      "/files/": [],
      "/openapi/": [],
      "/integrations/": [],
      "/assets/": [],
    };
    const all = app.places.flatMap((place) => {
      if (place === "/" || !place.endsWith("/")) return place;
      const examples = below[place];
      if (!examples) throw new Error(`Say which pages there are below ${place}.`);
      return examples.map((path) => `${place}${path}`);
    });
    const types = await Promise.all(
      [...all, "/none", "/docs?q=space", "/reference/graphql?q=space"].map(async (path) => {
        const answer = await fetch(`${app.url}${path}`, { headers: { accept: "text/html" }, redirect: "manual" });
        const { pathname } = new URL(answer.headers.get("location") ?? path, app.url);
        return { path, leadsTo: pathname, type: answer.headers.get("content-type") ?? "", status: answer.status };
      }),
    );
    // Redirects are followed: to the sign-in page.
    return types.filter(({ type, status }) => type.startsWith("text/html") || status === 303);
  }

  /** Opens pages one after the other, and returns the problems of each. */
  async function wrongOn(opened: readonly PagePath[]): Promise<string[]> {
    const wrong: string[] = [];
    watch((text) => wrong.push(`${new URL(page.url()).pathname}: ${text}`));
    for (const { path } of opened) {
      await page.goto(`${app.url}${path}`);
      if (!(await hasStyle())) wrong.push(`${path}: has no style`);
    }
    page.removeAllListeners();
    return wrong;
  }

  /** Collects everything the browser reports, except the error status of the page itself. */
  function watch(report: (text: string) => void): void {
    page.on("console", (line) => {
      const isOwnStatus = /status of (4\d\d|503)/.test(line.text()) && line.location().url === page.url();
      if (!isOwnStatus) report(`${line.type()}: ${line.text()}`);
    });
    page.on("pageerror", (error) => report(String(error)));
    page.on("requestfailed", (request) => report(`${request.url()}: ${request.failure()?.errorText}`));
    page.on("response", (answer) => {
      if (answer.status() >= 400 && !answer.request().isNavigationRequest())
        report(`${answer.url()}: ${answer.status()}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith("data:") && !request.url().startsWith(app.url)) report(`asks ${request.url()}`);
    });
  }

  /** Whether our styles apply: the default font of browsers has serifs. */
  const hasStyle = (): Promise<boolean> =>
    page.evaluate(`/sans-serif|system-ui/.test(getComputedStyle(document.body).fontFamily)`);

  async function enter(userId: string): Promise<void> {
    const { cookie } = await signIn(app, { userId, at: new Date() });
    const [name = "", value = ""] = cookie.split("=");
    await page.context().addCookies([{ name, value, url: app.url }]);
  }

  test("each page and its links load their styles without console errors when signed out", async () => {
    expect(paths.length).toBeGreaterThan(25);
    const targets = paths.map(({ leadsTo }) => leadsTo);
    const others = paths.filter(({ path, leadsTo }, index) => path.includes("?") || targets.indexOf(leadsTo) === index);
    expect(await wrongOn(others.filter(({ path }) => isFullSize || !isRefusedAlike.test(path)))).toEqual([]);
  });

  test("each page loads its styles without console errors when signed in", async () => {
    await enter(fixture.admin.id);
    expect(await wrongOn(paths.filter(({ path }) => isFullSize || isForSomebody.test(path)))).toEqual([]);
    await page.context().clearCookies();
  });

  test("each page of the application fits its window and passes axe-core", { timeout: 480_000 }, async () => {
    const world = await makeBusyWorld(app.database, { size: sized(2, 3) });
    await enter(world.admin.id);
    await loadAxe(page);
    const wrong: string[] = [];
    watch((text) => wrong.push(`${new URL(page.url()).pathname}: ${text}`));
    const shown = addressesOf(world).filter(({ path }) => !path.endsWith("/pdf")); // which is downloaded
    for (const [number, { row, path }] of shown.entries()) {
      await page.goto(app.url + path);
      if (!(await hasStyle())) wrong.push(`${row}: has no style`);
      await page.evaluate(`for (const one of document.querySelectorAll("main details")) one.open = true`);
      const except = isFullSize || number % 4 < 2 ? [] : ["color-contrast"];
      for (const look of looks.filter((_look, index) => isFullSize || index === number % 2))
        wrong.push(
          ...(await faultsIn(look, except)).map((fault) => `${row} at ${look.width} ${look.colorScheme}: ${fault}`),
        );
    }
    page.removeAllListeners();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.context().clearCookies();
    expect(wrong).toEqual([]);
  });

  /** What is wrong with the open page in a window of this width and scheme, by all rules of axe-core but some. */
  async function faultsIn({ width, colorScheme }: (typeof looks)[number], except: readonly string[]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 800 });
    const scrolled = await page.evaluate<number>("document.documentElement.scrollWidth");
    const found = await violationsOf(page, except);
    const widest = await page.evaluate<string>(
      `[...document.querySelectorAll("main *")].find((one) => one.getBoundingClientRect().right > ${width})?.outerHTML ?? ""`,
    );
    return [...(scrolled > width ? [`is ${scrolled} pixels wide: ${widest.slice(0, 300)}`] : []), ...found];
  }

  test("each page that accepts or refuses a form loads its styles without console errors", async () => {
    const wrong: string[] = [];
    for (const [action, fields] of [
      ["/sign-in", { email: "somebody@example.com" }],
      ["/sign-in/link", { secret: "none" }],
      ["/invitations", { answer: "accept" }],
      [`/saml/${providerId}/acs`, { SAMLResponse: "none" }],
    ] as const) {
      await page.goto(`${app.url}/sign-in`);
      watch((text) => wrong.push(`${action}: ${text}`));
      // The policy of the page does not allow HTML from texts.
      const submit = `const form = document.body.appendChild(document.createElement("form"));
        Object.assign(form, { method: "post", action: ${JSON.stringify(action)} });
        for (const [name, value] of ${JSON.stringify(Object.entries(fields))})
          form.append(Object.assign(document.createElement("input"), { name, value }));
        form.submit()`;
      await Promise.all([page.waitForNavigation(), page.evaluate(submit)]);
      if (!(await hasStyle())) wrong.push(`${action}: has no style`);
      page.removeAllListeners();
    }
    expect(wrong).toEqual([]);
  });
});
