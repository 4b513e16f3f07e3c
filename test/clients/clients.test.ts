// Applications with the usual clients, in a real browser with a real gateway on another origin: paged lists, and
// updates by the viewer and by others without refetching.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Built, build } from "#test/clients/build.ts";
import { applications } from "#test/clients/generate.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { type NetworkProxy, startNetworkProxy } from "#test/live/network-proxy.ts";
import { useApp } from "#test/support/app.ts";
import { chromiumPath, closePages, openBrowser, takePicture } from "#test/support/browser.ts";
import { times } from "#test/support/world.ts";

if (!chromiumPath) console.warn("Skipped: Chromium is not installed, and CHROMIUM_PATH is not set.");

const { app, world } = await useApp({ allowsLoopbackOrigins: true });
const { organization, editor, commenter } = await world.organization({ organization: { title: "Harbour" } });
/** Far more than a page takes on a busy machine. */
const patience = { timeout: 20_000 };

let built: Built | undefined;

beforeAll(async () => {
  const { body } = await app.as(null).rest<object>("GET", "/v1/openapi.json");
  built = await build(body);
}, 240_000); // two compilers and five bundles, on a machine that may be busy
afterAll(() => built?.[Symbol.asyncDispose]());

test("client applications and the code of frontends.md compile with the generated types", () => {
  expect(built.problems).toBe("");
});

test("each client application builds into a bundle", () => {
  expect(Object.keys(built.sizes)).toEqual(Object.keys(applications));
});

describe.skipIf(!chromiumPath)("in Chromium", { timeout: 60_000 }, () => {
  let browser: Browser;
  let proxy: NetworkProxy;
  let pages: string;
  beforeAll(async () => {
    const { hostname, port } = new URL(app.url);
    proxy = await startNetworkProxy({ host: hostname, port: Number(port) });
    const gateway = `http://127.0.0.1:${proxy.port}`;
    pages = await built.serve({ gateway, organization: organization.id, token: editor.token });
    browser = await openBrowser();
  }, 60_000);
  afterAll(async () => {
    await closePages(browser);
    await proxy.close();
  });

  const other = app.as(commenter.token);
  const writeTo = async (spaceId: string, text: string): Promise<string> => {
    const body = { body: { markdown: text } };
    const answer = await other.rest<{ id: string }>("POST", `/v1/spaces/${spaceId}/comments`, { body });
    expect(answer.status).toBe(200);
    return answer.body.id;
  };

  /** A page of an application, with its HTTP requests and console messages. */
  async function open(path: string) {
    const page = await browser.newPage();
    const asked: string[] = [];
    const said: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") asked.push(request.postData() ?? "");
    });
    page.on("console", (message) => {
      if (["warning", "error"].includes(message.type())) said.push(message.text());
    });
    page.on("pageerror", ({ message }) => said.push(message));
    await page.goto(`${pages}/${path}`);
    /** The number of requests during `work`. */
    const cost = async (work: () => Promise<void>): Promise<number> => {
      const before = asked.length;
      await work();
      return asked.length - before;
    };
    return { page, asked, said, cost };
  }

  /** Waits until a list shows exactly these texts, each with the other parts of its row. */
  async function shows(page: Page, list: string, texts: readonly string[]): Promise<void> {
    const rows = page.getByRole("list", { name: list }).getByRole("listitem");
    await expect
      .poll(() => rows.allInnerTexts(), patience)
      .toEqual(texts.map((text) => expect.stringContaining(text) as string));
  }

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

  /** A space with two pages, and three comments on one of them, which was edited after the first comment. */
  async function makeSpace(client: string) {
    const organizationId = organization.id;
    const space = await world.insert((rows) => addSpace(rows, { organizationId, title: `Handbook of ${client}` }));
    const [guide, faq] = [newPage("Guide", { markdown: "Cast off." }), newPage("FAQ", { markdown: "Ask us." })];
    await editAs(app.as(editor.token), { spaceId: space.id }, guide.edit, faq.edit);
    const on = { contentOf: { spaceId: space.id }, pageId: guide.pageId };
    const write = "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }";
    const comment = (markdown: string) => other.query(write, { input: { ...on, text: { markdown } } });
    await comment("First");
    const changed = { updatePage: { pageId: guide.pageId, markdown: "Cast off now." } };
    await editAs(app.as(editor.token), { spaceId: space.id }, changed);
    await comment("Second");
    await comment("Third");
    return space;
  }

  test.for(["apollo", "urql", "relay"])(
    "%s shows, pages, creates and deletes objects, and shows changes by others",
    async (client) => {
      const space = await makeSpace(client);
      await world.insert((rows) =>
        times(3, (index) => addSpace(rows, { organizationId: organization.id, title: `${client} ${index}` })),
      );
      const all = await spacesOf();
      const { page, asked, said, cost } = await open(client);

      await page.getByRole("heading", { name: "Harbour" }).waitFor();
      for (let shown = 2; shown < all.length + 1; shown += 2) {
        await shows(page, "Spaces", all.slice(0, shown));
        if (shown < all.length) await press(page, "More spaces");
      }
      expect(asked).toHaveLength(Math.ceil(all.length / 2));

      await press(page, space.title ?? "");
      await page.getByText("Cast off now.").waitFor();
      await shows(page, "Comments", ["Commenter: First (outdated)", "Commenter: Second Delete"]);
      expect(await cost(() => press(page, "Outline").then(() => shows(page, "Outline", ["Guide", "FAQ"])))).toBe(0);
      const rest = ["Commenter: First (outdated)", "Commenter: Second Delete", "Commenter: Third Delete"];
      expect(await cost(() => press(page, "More comments").then(() => shows(page, "Comments", rest)))).toBe(1);

      await page.getByRole("textbox", { name: "Comment" }).fill("Mine");
      const mine = [...rest, "Editor: Mine"];
      expect(await cost(() => press(page, "Write").then(() => shows(page, "Comments", mine)))).toBe(1);
      let theirs = "";
      const receive = async () => {
        theirs = await writeTo(space.id, "Live");
        await shows(page, "Comments", [...mine, "Commenter: Live"]);
      };
      expect(await cost(receive)).toBe(0);
      await takePicture(page, `client-${client}`);

      const remove = async () => {
        await page.getByRole("listitem").filter({ hasText: "Mine" }).getByRole("button", { name: "Delete" }).click();
        await shows(page, "Comments", [...rest, "Commenter: Live"]);
      };
      expect(await cost(remove)).toBe(1);
      const away = () =>
        other.rest("DELETE", `/v1/spaces/${space.id}/comments/${theirs}`).then(() => shows(page, "Comments", rest));
      expect(await cost(away)).toBe(0);

      const back = async () => {
        await press(page, "All spaces");
        await shows(page, "Spaces", all);
        await press(page, space.title ?? "");
        await shows(page, "Comments", rest);
      };
      expect(await cost(back)).toBe(0);
      if (client === "relay") {
        await press(page, "Read Guide again");
        await expect.poll(() => asked.at(-1), patience).toContain("mainTextAgainQuery");
        await page.getByText("Cast off now.").waitFor();
      }
      expect(said).toEqual([]);
      await page.close();
    },
  );

  async function spacesOf(): Promise<string[]> {
    const document = "query ($id: ID!) { organization(id: $id) { spaces { nodes { title } } } }";
    const data = await app
      .as(editor.token)
      .query<{ organization: { spaces: { nodes: { title: string }[] } } }>(document, { id: organization.id });
    return data.organization.spaces.nodes.map(({ title }) => title);
  }

  test("openapi-fetch lists, creates, updates and deletes objects over /v1", async () => {
    const space = await makeSpace("openapi-fetch");
    const { page, said } = await open(`openapi-fetch?space=${space.id}`);
    await expect
      .poll(() => page.getByRole("listitem").allInnerTexts(), patience)
      .toEqual([
        "Organization: Harbour",
        "Links: https://docs.example.com/",
        "Markdown: - [x] **Read** [this](https://docs.example.com/)",
        "Comments: First, Second, Third, Changed",
        "Comments: First, Second, Third",
        expect.stringMatching(/^Then: NOT_FOUND /),
      ]);
    await takePicture(page, "client-openapi-fetch");
    expect(said.filter((text) => !text.includes("404"))).toEqual([]);
    await page.close();
  });

  test("graphql-ws and graphql-sse resume after a broken connection without gaps or duplicates", async () => {
    const space = await makeSpace("live");
    const { page } = await open(`live?space=${space.id}`);
    const both = async (texts: readonly string[]) => {
      for (const list of ["graphql-ws", "graphql-sse"]) await shows(page, list, texts);
    };
    await both(["Ready"]);
    await writeTo(space.id, "One");
    await both(["Ready", "One"]);
    for (const time of [1, 2]) {
      proxy.disconnect();
      await writeTo(space.id, `While away ${time}`);
      await writeTo(space.id, `Still away ${time}`);
      proxy.reconnect();
      await page.getByText(`Still away ${time}`).nth(1).waitFor();
    }
    await writeTo(space.id, "Last");
    await page.getByText("Last").nth(1).waitFor();
    const expected = ["One", "While away 1", "Still away 1", "While away 2", "Still away 2", "Last"];
    for (const list of ["graphql-ws", "graphql-sse"]) {
      const rows = await page.getByRole("list", { name: list }).getByRole("listitem").allInnerTexts();
      expect(rows.filter((text) => text !== "Ready")).toEqual(expected);
    }
    await takePicture(page, "client-live");
    await page.close();
  });
});
