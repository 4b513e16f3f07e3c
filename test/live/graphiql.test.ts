// GraphiQL and the other pages in a real browser: examples run, and events arrive live, with the token of this machine
// or an entered one, without requests to other hosts.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newToken } from "#src/access/tokens.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { chromiumPath, closePages, openBrowser, takePicture } from "#test/support/browser.ts";
import { createWorld } from "#test/support/world.ts";

if (!chromiumPath) console.warn("Skipped: Chromium is not installed, and CHROMIUM_PATH is not set.");

/** A proxy in front of an application that can cut WebSocket connections. */
async function openProxy(port: number) {
  const [all, webSockets] = [new Set<Socket>(), new Set<Socket>()];
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [socket, peer] of [
      [near, far],
      [far, near],
    ] as const) {
      all.add(socket.pipe(peer));
      socket.on("error", () => peer.destroy());
      socket.on("close", () => all.delete(socket));
    }
    near.on("data", (chunk) => /^upgrade: websocket\r$/im.test(chunk.toString("latin1")) && webSockets.add(near));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    cutWebSockets() {
      for (const socket of webSockets) socket.resetAndDestroy();
      webSockets.clear();
    },
    close() {
      server.close();
      for (const socket of all) socket.destroy();
    },
  };
}

describe.skipIf(!chromiumPath)("in Chromium", { timeout: 60_000 }, () => {
  const { token, hash } = newToken();
  const other = newToken();
  let app: TestApp;
  let proxy: Awaited<ReturnType<typeof openProxy>>;
  let browser: Browser;
  let context: BrowserContext;
  /** GraphiQL, which loads slowly: tests share it, each in its own GraphiQL tab. */
  let graphiql: Page;
  /** The page of a test. */
  let page: Page;
  const [asked, wrong]: [string[], string[]] = [[], []];
  let spaceId: string;
  let names: { readonly editor: string; readonly reader: string };

  beforeAll(async () => {
    app = await testApp({ demoToken: token });
    const world = createWorld(app.database);
    const { editor, reader, space } = await world.space();
    await world.insert((rows) => addToken(rows, { userId: editor.id, hash }));
    await world.insert((rows) => addToken(rows, { userId: reader.id, hash: other.hash }));
    spaceId = space.id;
    const people = await app.database.prisma.user.findMany({ where: { id: { in: [editor.id, reader.id] } } });
    const nameOf = (id: string) => people.find((person) => person.id === id)?.displayName ?? "";
    names = { editor: nameOf(editor.id), reader: nameOf(reader.id) };
    proxy = await openProxy(Number(new URL(app.url).port));
    browser = await openBrowser();
    context = await browser.newContext();
    context.on("page", watch);
    graphiql = await context.newPage();
    await graphiql.goto(`${proxy.url}/graphql`);
  }, 60_000);
  afterAll(async () => {
    await closePages(browser);
    proxy.close();
    await app.close();
  });
  afterEach(async () => {
    for (const each of context.pages()) if (each !== graphiql) await each.close();
    const elsewhere = asked.splice(0).filter((url) => !/^(http|ws):\/\/127\.0\.0\.1:\d+\//.test(url));
    const problems = [...wrong.splice(0), ...elsewhere];
    if (problems.length > 0) throw new Error(problems.join("\n"));
  });

  function watch(opened: Page): void {
    opened.on("request", (request) => request.url().startsWith("data:") || asked.push(request.url()));
    opened.on("websocket", (socket) => asked.push(socket.url()));
    opened.on("pageerror", (error) => wrong.push(String(error)));
    opened.on("console", (line) => line.text().includes("Content Security Policy") && wrong.push(line.text()));
  }

  async function open(path: string, options: { colorScheme?: "dark" } = {}): Promise<void> {
    page = await context.newPage();
    await page.emulateMedia(options);
    await page.goto(`${proxy.url}${path}`);
  }

  async function type(editor: string, text: string): Promise<void> {
    await page.locator(`${editor} .view-lines:visible`).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
  }

  const picture = (name: string, fullPage = false): Promise<void> => takePicture(page, name, fullPage);
  const run = () => page.getByRole("button", { name: "Execute query" }).click();
  const shows = (text: string) => page.locator(".graphiql-response", { hasText: text }).waitFor();
  const lists = (text: string) => page.locator("#messages li", { hasText: text }).waitFor();
  const says = (text: string) => page.locator("#who [role=status]", { hasText: text }).waitFor();
  const post = (text: string) =>
    app.as(token).rest("POST", `/v1/spaces/${spaceId}/comments`, { body: { body: { markdown: text } } });
  const use = async (secret: string) => {
    await page.getByLabel("API token").fill(secret);
    await page.getByRole("button", { name: "Use", exact: true }).click();
  };
  /** On one line: the editor closes brackets at line ends. */
  const subscription = () =>
    `subscription { commentEvents(of: { spaceId: "${spaceId}" }) { __typename ... on CommentPosted { actor { displayName } comment { body { markdown } } } } }`;

  describe("GraphiQL", () => {
    beforeEach(async () => {
      page = graphiql;
      const [stop, forget] = [/stop query/i, "Forget the token"].map((name) => page.getByRole("button", { name }));
      if (await stop?.isVisible()) await stop?.click();
      if (await forget?.isVisible()) await forget?.click();
      const tabs = await page.locator(".graphiql-tab").count();
      await page.getByRole("button", { name: /new tab/i }).click();
      await page.locator(".graphiql-tab").nth(tabs).waitFor();
    });

    test("the first tab contains an operation, and running an empty tab reports that it is empty", async () => {
      await run();
      await shows("Write an operation first.");
      await page.locator(".graphiql-tab-button").first().click();
      await page.locator(".graphiql-query-editor .view-lines", { hasText: "organizations" }).waitFor();
    });

    test("lists the messages of a subscription, newest first", async () => {
      await says(names.editor);
      await type(".graphiql-query-editor", subscription());
      await run();
      await shows('"Ready"');
      for (const text of ["One for the page", "Another one"]) {
        expect((await post(text)).status).toBe(200);
        await shows(`"markdown": "${text}"`);
      }
      const messages = await page.locator("#messages li").allTextContents();
      expect(messages.map((text) => /"(Ready|One for the page|Another one)"/.exec(text)?.[1])).toEqual([
        "Another one",
        "One for the page",
        "Ready",
      ]);
      expect(await page.locator("#messages [data-count]").textContent()).toBe("3 messages · live");
      await page.getByRole("button", { name: "Prettify" }).click();
      await picture("graphiql-subscription");
      await page.getByRole("button", { name: "Clear" }).click();
      expect(await page.locator("#messages li").count()).toBe(0);
      await post("After the clearing");
      await lists("After the clearing");
      expect(await page.locator("#messages [data-count]").textContent()).toBe("1 message · live");
    });

    test("a subscription shows an error when its connection is lost and works when run again", async () => {
      await type(".graphiql-query-editor", subscription());
      await run();
      await shows('"Ready"');
      proxy.cutWebSockets();
      await shows("The connection was lost");
      await run();
      await shows('"Ready"');
      await post("After the break");
      await shows('"markdown": "After the break"');
    });

    test("uses the token that was entered, also on WebSockets, in this tab only", async () => {
      await use(other.token);
      await says(names.reader);
      await type(".graphiql-query-editor", "{ viewer { displayName } }");
      await run();
      await shows(names.reader);
      await type(".graphiql-query-editor", "subscription { viewerEvents { __typename } }");
      await run();
      await shows('"Ready"');
      await page.reload();
      await says(names.reader);
      const beside = await context.newPage();
      await beside.goto(proxy.url); // the bar is the same on all pages
      await beside.locator("#who [role=status]", { hasText: names.editor }).waitFor();
      expect(await beside.evaluate("JSON.stringify({ ...localStorage })")).not.toContain(other.token);
      await page.getByRole("button", { name: "Forget the token" }).click();
      await says(names.editor);
    });

    test("reports and forgets an invalid token; an operation that is still missing is not an error", async () => {
      await use("dg_wrong");
      await page.locator("#who[data-refused]", { hasText: "no longer valid" }).waitFor();
      await type(".graphiql-query-editor", "{ viewer { displayName } }");
      await run();
      await shows('"UNAUTHENTICATED"');
      await type(".graphiql-query-editor", subscription());
      await run();
      await shows('"UNAUTHENTICATED"');
      await page.getByRole("button", { name: "Forget the token" }).click();
      await says(names.editor);
      await run();
      await shows('"Ready"');
    });

    test("a tab whose token no longer exists says what to do", async () => {
      const { apiToken } = app.database.prisma;
      const { id } = await apiToken.update({ where: { hash }, data: { hash: newToken().hash } });
      await type(".graphiql-query-editor", "{ viewer { displayName } }");
      await run();
      await shows('"UNAUTHENTICATED"');
      await says("open it again");
      await apiToken.update({ where: { id }, data: { hash } });
    });
  });

  test("the home page runs its examples, live events included", async () => {
    await open("/");
    await says(names.editor);
    const answer = (id: string, text: string) => page.locator(`#${id} .answer`, { hasText: text }).waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await answer("query", '"changeRequests"');
    await page.getByRole("button", { name: "Start" }).click();
    await answer("subscription", '"Ready"');
    await page.getByRole("button", { name: "Post the comment" }).click();
    await answer("mutation", `"displayName": "${names.editor}"`);
    await answer("subscription", '"CommentPosted"');
    await page.evaluate("scrollTo(0, 0)");
    await picture("start", true);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator("#subscription [role=status]", { hasText: "stopped" }).waitFor();
    expect(await page.locator(".copied code").textContent()).toBe(token);
    for (const [name, width, colorScheme] of [
      ["start-dark", 1280, "dark"],
      ["start-phone", 390, "light"],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await picture(name);
    }
  });

  test("REST operations can be tried with the token of the page", async () => {
    await open("/reference/rest", { colorScheme: "dark" });
    await page.locator("#operations-tag-organizations").click();
    await page.locator(".opblock-summary-control", { hasText: "/v1/orgs" }).first().click();
    await page.getByRole("button", { name: "Execute" }).click();
    await page.locator(".live-responses-table", { hasText: '"items"' }).waitFor();
    await picture("reference-rest");
  });

  test("the GraphQL reference links to types and operations in the explorer", async () => {
    await open("/reference/graphql");
    await picture("reference-graphql");
    expect(await page.locator("#Space a").first().getAttribute("href")).toBe("/graphql#docs=Space");
    await page.goto(`${proxy.url}/reference/graphql/Mutation#createComment`); // as it was once linked to
    await page.locator("#createComment a").click();
    await page.locator(".graphiql-doc-explorer-title", { hasText: "createComment" }).waitFor(); // by way of its type
    await picture("graphiql-explorer");
  });
});
