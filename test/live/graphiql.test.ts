// GraphiQL in a real browser: what happens arrives on the page while somebody looks, with the token of its headers,
// from this machine alone.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newToken } from "#src/access/tokens.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { artifacts, chromiumPath, openBrowser } from "#test/support/browser.ts";
import { createWorld } from "#test/support/world.ts";

if (!chromiumPath) console.warn("GraphiQL is not tested: no Chromium is installed, and CHROMIUM_PATH names none.");

describe.skipIf(!chromiumPath)("a subscription in GraphiQL", { timeout: 60_000 }, () => {
  const { token, hash } = newToken();
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let asked: string[];
  let spaceId: string;

  beforeAll(async () => {
    app = await testApp({ demoToken: token });
    const world = createWorld(app.database);
    const { editor, space } = await world.space();
    await world.insert((rows) => addToken(rows, { userId: editor.id, hash }));
    spaceId = space.id;
    browser = await openBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
  });
  afterEach(() => page.close());

  async function openGraphiql(url = app.url): Promise<void> {
    page = await browser.newPage();
    asked = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("websocket", (socket) => asked.push(socket.url()));
    await page.goto(`${url}/graphql`);
  }

  async function type(editor: string, text: string): Promise<void> {
    await page.locator(`${editor} .view-lines:visible`).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
  }

  const run = () => page.getByRole("button", { name: "Execute query" }).click();
  const shows = (text: string) => page.locator(".graphiql-response", { hasText: text }).waitFor();
  const post = (text: string) =>
    app.as(token).rest("POST", `/v1/spaces/${spaceId}/comments`, { body: { body: { markdown: text } } });
  /** On one line: the editor closes brackets by itself where a line ends. */
  const subscription = () =>
    `subscription { commentEvents(of: { spaceId: "${spaceId}" }) { __typename ... on CommentPosted { actor { displayName } comment { body { markdown } } } } }`;

  test("shows what is posted through REST, and asks nobody else", async () => {
    await openGraphiql();
    await type(".graphiql-query-editor", subscription());
    await run();
    await shows('"Ready"');
    for (const text of ["One for the page", "Another one"]) {
      expect((await post(text)).status).toBe(200);
      await shows(`"markdown": "${text}"`);
    }
    await page.getByRole("button", { name: "Prettify" }).click();
    await page.screenshot({ path: `${artifacts}/graphiql-subscription.png` });
    const elsewhere = asked.filter((url) => !url.startsWith(app.url) && !url.startsWith(`blob:${app.url}`));
    expect(elsewhere).toEqual([]);
  });

  test("ends with an error when its connection is lost, and is there again when it is run again", async () => {
    const sockets: Socket[] = [];
    const line = createServer((near) => {
      const far = connect(Number(new URL(app.url).port), "127.0.0.1");
      near.on("error", () => far.destroy());
      sockets.push(near.pipe(far).pipe(near));
    });
    await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve));
    await openGraphiql(`http://127.0.0.1:${(line.address() as AddressInfo).port}`); // it listens on TCP
    await type(".graphiql-query-editor", subscription());
    await run();
    await shows('"Ready"');
    for (const socket of sockets) socket.resetAndDestroy();
    await shows('"network error"');
    await run();
    await shows('"Ready"');
    await post("After the break");
    await shows('"markdown": "After the break"');
    line.close();
  });

  test("has the token of its headers and no other, and shows why it is refused", async () => {
    await openGraphiql();
    await type(".graphiql-query-editor", subscription());
    await type(".graphiql-editor-tool", "");
    await run();
    await shows('"UNAUTHENTICATED"');
  });
});
