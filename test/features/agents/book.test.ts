// What agents read of a site of two imported books, of which a condition hides one: byte for byte what their visitor
// may read, by every way, and nothing else.
import { beforeAll, describe, expect, it } from "vitest";
import { clients } from "#test/features/agents/clients.ts";
import { makeSiteForAgents, nobody } from "#test/features/agents/scene.ts";
import { importAs } from "#test/features/imports/importing.ts";
import { useApp } from "#test/support/app.ts";
import { isFullSize, sized, someOf } from "#test/support/runs.ts";
import { bookHistory, partOfBook, readBook } from "#test/support/samples.ts";

const { app, world } = await useApp();

/** A text of the hidden book alone. */
const secret = "Only the staff reads this: quetzalcoatlus.";

/** At least. */
const pagesOfBook = sized(20, 100);

interface Page {
  readonly title: string;
  readonly path: string;
  readonly markdown: string;
}

type Visitor = Readonly<Record<string, string>>;

describe.skipIf(!bookHistory)("two books", () => {
  let made: Awaited<ReturnType<typeof makeSiteForAgents>>;

  beforeAll(async () => {
    made = await makeSiteForAgents(app, world);
    const as = app.as(made.admin.token);
    const whole = Object.fromEntries(readBook());
    const files = isFullSize ? whole : partOfBook(whole);
    const secretFiles = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, `${text}\n\n${secret}\n`]),
    );
    await importAs(as, files, { spaceId: made.spaces.guide.id });
    await importAs(as, { ...secretFiles, "SUMMARY.md": files["SUMMARY.md"] ?? "" }, { spaceId: made.spaces.inside.id });
  }, 60_000);

  /** The pages that a visitor may read, by GraphQL. */
  async function pagesFor(visitor: Visitor): Promise<Page[]> {
    const { publishedSite } = await app.as(null).query<{ publishedSite: { siteMap: Page[] } }>(
      `query ($id: ID!, $visitorToken: String) {
        publishedSite(by: { id: $id }, visitorToken: $visitorToken) { siteMap { title path markdown } }
      }`,
      { id: made.siteId, visitorToken: visitor["x-visitor-token"] },
    );
    return publishedSite.siteMap;
  }

  async function textsFor(visitor: Visitor): Promise<string> {
    let all = "";
    for (let next: string | undefined = `${made.root}/llms-full.txt`; next !== undefined;) {
      const text = await (await fetch(next, { headers: visitor })).text();
      all += text;
      next = /^Further pages: <(\S+)>\n$/m.exec(text)?.[1];
    }
    return all;
  }

  const addressOf = ({ path }: Page) => `${made.root}/${path.split("/").map(encodeURIComponent).join("/")}.md`;

  it.each(["nobody", "staff"] as const)(
    "are read by an agent of %s as their visitor reads them",
    async (name) => {
      const visitor = name === "staff" ? made.staff : nobody;
      const pages = await pagesFor(visitor);
      expect(pages.length).toBeGreaterThan((name === "staff" ? 2 : 1) * pagesOfBook);
      const sources = (await textsFor(visitor)).matchAll(/^Source: <(\S+)>\n\n/gm);
      expect(Array.from(sources, ([, address]) => address)).toEqual(pages.map(addressOf));
      const index = await (await fetch(`${made.root}/llms.txt`, { headers: visitor })).text();
      expect(Array.from(index.matchAll(/\((\S+\.md)\)/g), ([, address]) => address)).toEqual(pages.map(addressOf));
      await using agent = await clients[0][1](`${made.root}/mcp`, visitor);
      expect((await agent.resources()).map(({ uri }) => uri)).toEqual(pages.map(addressOf));
      for (const page of someOf(pages)) {
        const bytes = Buffer.from(await (await fetch(addressOf(page), { headers: visitor })).arrayBuffer());
        expect(bytes.equals(Buffer.from(page.markdown)), page.path).toBe(true);
        expect((await agent.call("read_page", { path: page.path })).texts[1]).toBe(page.markdown);
      }
    },
    60_000,
  );

  it("do not show the hidden one to an agent of nobody", async () => {
    await using agent = await clients[1][1](`${made.root}/mcp`, nobody);
    const listed = await agent.call("list_pages");
    const searched = await agent.call("search_pages", { query: "quetzalcoatlus" });
    expect(searched.texts).toEqual(["Matching pages: 0"]);
    const texts = await textsFor(nobody);
    const index = await (await fetch(`${made.root}/llms.txt`)).text();
    expect([...listed.texts, texts, index].join()).not.toContain("docs/inside");
    expect(texts).not.toContain(secret);
    const hidden = (await pagesFor(made.staff)).filter(({ path }) => path.startsWith("docs/inside/"));
    expect(hidden.length).toBeGreaterThan(pagesOfBook);
    for (const page of hidden.slice(0, sized(3, 10))) {
      expect((await fetch(addressOf(page))).status).toBe(404);
      expect(await agent.call("read_page", { path: page.path })).toMatchObject({ isError: true });
      await expect(agent.read(addressOf(page))).rejects.toThrow("NOT_FOUND");
    }
    await using ofStaff = await clients[1][1](`${made.root}/mcp`, made.staff);
    expect((await ofStaff.call("search_pages", { query: "quetzalcoatlus" })).texts.join()).toContain("docs/inside/");
  });
});
