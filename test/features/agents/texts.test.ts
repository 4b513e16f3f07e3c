// What agents read of a site as texts: the index, all texts, and each page, as their visitor sees them.
import { describe, expect, it } from "vitest";
import { giveTree } from "#test/features/content/factory.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { makeSiteForAgents, markdownFor, nobody } from "#test/features/agents/scene.ts";
import { useApp } from "#test/support/app.ts";
import { nextNumber } from "#test/support/rows.ts";

const { app, world } = await useApp();

async function read(address: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(address, { headers, redirect: "error" });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const setIncluded = (siteId: string, token: string, agentsContext: "INCLUDED" | "EXCLUDED") =>
  app
    .as(token)
    .query(`mutation { updateSite(input: { siteId: "${siteId}", agentsContext: ${agentsContext} }) { site { id } } }`);

describe("llms.txt", () => {
  it("lists the pages of the visitor below their section and space, with their addresses as Markdown", async () => {
    const { root, staff, spaces, admin } = await makeSiteForAgents(app, world);
    const page = newPage("A [page]", { description: "What *it* says", markdown: "Text" });
    await editAs(app.as(admin.token), { spaceId: spaces.guide.id }, page.edit);
    const { status, headers, text } = await read(`${root}/llms.txt`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(text).toBe(
      [
        "# Docs",
        "",
        `> The texts of all pages: [llms-full.txt](${root}/llms-full.txt)`,
        "",
        "## Docs / Guide",
        "",
        `- [Welcome](${root}/docs/guide/welcome.md)`,
        `- [Setup](${root}/docs/guide/setup.md)`,
        String.raw`- [A \[page\]](${root}/docs/guide/a-page.md): What *it* says`,
        "",
      ].join("\n"),
    );
    const ofStaff = (await read(`${root}/llms.txt`, staff)).text;
    expect(ofStaff).toContain("## Docs / Inside");
    expect(ofStaff).toContain("## Team / Notes");
  });

  it("leads to a text for each page", async () => {
    const { root, staff, siteId } = await makeSiteForAgents(app, world);
    const { text } = await read(`${root}/llms.txt`, staff);
    const addresses = [...text.matchAll(/\((\S+\.md)\)/g)].map(([, address = ""]) => address);
    expect(addresses).toHaveLength(8);
    for (const address of addresses) {
      const path = decodeURIComponent(address.slice(root.length + 1, -3));
      expect((await read(address, staff)).text).toBe(await markdownFor(app, { siteId, visitor: staff, path }));
    }
  });
});

describe("llms-full.txt", () => {
  it("contains the texts of the visitor", async () => {
    const { root, staff } = await makeSiteForAgents(app, world);
    const { text } = await read(`${root}/llms-full.txt`);
    const page = (title: string, path: string, body: string) =>
      `# ${title}\n\nSource: <${root}/docs/${path}.md>\n\n${body}\n`;
    const guide = "Text of guide";
    expect(text).toBe([page("Welcome", "guide/welcome", guide), page("Setup", "guide/setup", guide)].join("\n---\n\n"));
    const ofStaff = (await read(`${root}/llms-full.txt`, staff)).text;
    for (const name of ["guide", "inside", "notes", "internal"]) expect(ofStaff).toContain(`Text of ${name}\n`);
  });

  it("of a large site comes in parts, each with the address of the next", async () => {
    const { root, spaces } = await makeSiteForAgents(app, world);
    await giveTree(app.database, spaces.guide.revisionId, 130);
    const first = (await read(`${root}/llms-full.txt`)).text;
    const next = `${root}/llms-full.txt?skip=100`;
    expect(first.endsWith(`\n---\n\nFurther pages: <${next}>\n`)).toBe(true);
    const second = (await read(next)).text;
    const sources = [...`${first}${second}`.matchAll(/^Source: <(\S+)>$/gm)].map(([, address]) => address);
    expect(sources).toHaveLength(new Set(sources).size);
    expect(sources.length).toBeGreaterThanOrEqual(130);
    expect(second).not.toContain("Further pages");
    expect((await read(`${root}/llms-full.txt?skip=no`)).status).toBe(400);
  });
});

describe("a page as Markdown", () => {
  it("is byte for byte the text that its visitor sees, at its address with .md and by Accept", async () => {
    const { root, siteId, spaces, admin } = await makeSiteForAgents(app, world);
    const target = newPage("Target", { markdown: "Here — ✓" });
    const markdown = `See [there](page:${target.pageId}) and [nowhere](page:${spaces.inside.id}/${target.pageId}).\n`;
    const page = newPage("Straße", { markdown });
    await editAs(app.as(admin.token), { spaceId: spaces.guide.id }, target.edit, page.edit);
    const due = await markdownFor(app, { siteId, visitor: nobody, path: "docs/guide/straße" });
    expect(due).toBe(`See [there](${root}/docs/guide/target) and nowhere.\n`);
    const address = `${root}/docs/guide/${encodeURIComponent("straße")}`;
    const byPath = await read(`${address}.md`);
    const byType = await read(address, { accept: "text/markdown, text/html;q=0.9, */*;q=0.1" });
    for (const { status, text, headers } of [byPath, byType]) {
      expect([status, text]).toEqual([200, due]);
      expect(headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(headers.get("cache-control")).toBe("private, no-cache");
      expect(headers.get("vary")).toContain("accept");
    }
    const etag = byPath.headers.get("etag") ?? "";
    expect((await read(`${address}.md`, { "if-none-match": etag })).status).toBe(304);
  });

  it("is HTML for browsers and for clients that accept anything", async () => {
    const { root } = await makeSiteForAgents(app, world);
    for (const accept of ["*/*", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"]) {
      const { headers } = await read(`${root}/docs/guide/setup`, { accept });
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("vary")).toContain("accept");
    }
  });

  it("is the first page at the root", async () => {
    const { root } = await makeSiteForAgents(app, world);
    expect((await read(root, { accept: "text/markdown" })).text).toBe("Text of guide\n");
  });

  it("is NOT_FOUND for what a condition hides from the visitor", async () => {
    const { root, staff } = await makeSiteForAgents(app, world);
    const address = `${root}/api/internal/welcome.md`;
    expect((await read(address)).status).toBe(404);
    expect(await read(address, staff)).toMatchObject({ status: 200, text: "Text of internal\n" });
  });
});

describe("a site that excludes agents", () => {
  it("has no texts for agents, from the change on, and has them again when it includes agents", async () => {
    const { root, siteId, admin, staff } = await makeSiteForAgents(app, world);
    const asked = async () => {
      const answers = ["/llms.txt", "/llms-full.txt", "/docs/guide/setup.md", "/docs/guide/setup"].map((path) =>
        read(root + path, { ...staff, accept: "text/markdown" }),
      );
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await asked()).toEqual([200, 200, 200, 200]);
    await setIncluded(siteId, admin.token, "EXCLUDED");
    expect(await asked()).toEqual([404, 404, 404, 404]);
    expect((await read(`${root}/docs/guide/setup`)).status).toBe(200);
    await setIncluded(siteId, admin.token, "INCLUDED");
    expect(await asked()).toEqual([200, 200, 200, 200]);
  });
});

describe("a site that is not open to anybody", () => {
  it("by a link has texts below its key, whose links contain the key", async () => {
    const shareKey = `key-${nextNumber()}`;
    const { root, siteId } = await makeSiteForAgents(app, world, { visibility: "share_link", shareKey });
    for (const path of ["llms.txt", "docs/guide/setup.md", "wrong-key/llms.txt", "wrong-key/docs/guide/setup.md"])
      expect((await read(`${root}/${path}`)).status).toBe(404);
    const { text } = await read(`${root}/${shareKey}/llms.txt`);
    expect(text).toContain(`- [Setup](${app.url}/published/${siteId}/${shareKey}/docs/guide/setup.md)`);
    expect((await read(`${root}/${shareKey}/docs/guide/setup.md`)).text).toBe("Text of guide\n");
  });

  it("for visitors with a token has texts for them alone", async () => {
    const { root, staff } = await makeSiteForAgents(app, world, { visibility: "visitor_auth" });
    for (const path of ["llms.txt", "llms-full.txt", "docs/guide/setup.md"]) {
      expect((await read(`${root}/${path}`)).status).toBe(404);
      expect((await read(`${root}/${path}`, staff)).status).toBe(200);
    }
  });
});
