// The HTML of published pages: links of the site, files, anchors, and nothing of the source.
import { expect, it } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { pngFile, uploadAs } from "#test/features/content/uploads.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const document = `query ($id: ID!, $path: String!) {
  publishedSite(by: { id: $id }) { page(path: $path) { html outline { anchor title level } section(anchor: "code-here") { html } } }
}`;

interface Read {
  readonly publishedSite: {
    readonly page: {
      readonly html: string;
      readonly outline: readonly object[];
      readonly section: object | null;
    };
  };
}

it("links in HTML lead to pages that the visitor sees, and other links within docgraph are their texts", async () => {
  const made = await makePublished(app, world);
  const { guide, inside } = made.spaces;
  const as = app.as(made.admin.token);
  const target = newPage("Target", { markdown: "# Part" });
  const secret = newPage("Secret", { markdown: "Nothing" });
  await editAs(as, { spaceId: inside.id }, secret.edit);
  const markdown = [
    `A [page](page:${target.pageId}#part "Title"), [by path](./target.md), [the guide](space:${guide.id}).`,
    `Not a [secret](page:${inside.id}/${secret.pageId}), [Ada](user:${made.admin.id}), [missing](./missing.md).`,
    `[here](#part), [file](file:fil_00000000000000000000000000), [web](https://example.com/a_(b)).`,
  ].join("\n\n");
  const page = newPage("Links", { markdown });
  await editAs(as, { spaceId: guide.id }, target.edit, page.edit);
  const read = await app.as(null).query<Read>(document, { id: made.siteId, path: "docs/guide/links" });
  const address = `${app.url}/published/${made.siteId}/docs/guide`;
  expect(read.publishedSite.page.html.split("\n")).toEqual([
    `<p>A <a href="${address}/target#part" title="Title">page</a>, <a href="${address}/target">by path</a>, <a href="${address}">the guide</a>.</p>`,
    "<p>Not a <a>secret</a>, <a>Ada</a>, <a>missing</a>.</p>",
    `<p><a href="#part">here</a>, <a>file</a>, <a href="https://example.com/a_(b)">web</a>.</p>`,
  ]);
  expect(read.publishedSite.page.html).not.toContain(secret.pageId);
});

it("headings in HTML have the anchors of the outline and of search", async () => {
  const made = await makePublished(app, world);
  const markdown =
    "# Set up\n\nText\n\n## Set up\n\n> ## Quoted\n\nOther `code` _here_ {#code-here}\n---\n\n## 日本語 & more";
  const page = newPage("Outline", { markdown });
  await editAs(app.as(made.admin.token), { spaceId: made.spaces.guide.id }, page.edit);
  const read = await app.as(null).query<Read>(document, { id: made.siteId, path: "docs/guide/outline" });
  const { html, outline, section } = read.publishedSite.page;
  expect(section).toEqual({ html: expect.stringMatching(/^<h2 id="code-here">[^]*<\/h2>\n$/) as string });
  expect(outline).toEqual([
    { anchor: "set-up", title: "Set up", level: 1 },
    { anchor: "set-up-2", title: "Set up", level: 2 },
    { anchor: "code-here", title: "Other code here", level: 2 },
    { anchor: "日本語-more", title: "日本語 & more", level: 2 },
  ]);
  const ids = Array.from(html.matchAll(/<h\d id="([^"]*)"/g), ([, id]) => id);
  expect(ids).toEqual(["set-up", "set-up-2", "code-here", "日本語-more"]);
});

it("a text that many visitors read at once is converted for one of them, and each gets it", async () => {
  const made = await makePublished(app, world);
  const page = newPage("Shared", { markdown: `# Shared\n\n${"Text *of* many. ".repeat(500)}` });
  await editAs(app.as(made.admin.token), { spaceId: made.spaces.guide.id }, page.edit);
  const variables = { id: made.siteId, path: "docs/guide/shared" };
  const reads = await Promise.all(Array.from({ length: 8 }, () => app.as(null).query<Read>(document, variables)));
  const texts = new Set(reads.map(({ publishedSite }) => publishedSite.page.html));
  expect(texts.size).toBe(1);
  expect([...texts][0]).toContain("<em>of</em>");
});

it("images of a private space load for visitors of the published site, and not after the site is unpublished", async () => {
  const made = await makePublished(app, world);
  const as = app.as(made.admin.token);
  const spaceId = made.spaces.guide.id;
  const { file } = await uploadAs(as, { spaceId, file: pngFile("a.png", { width: 40, height: 30 }) });
  await editAs(as, { spaceId }, newPage("Image", { markdown: `![A](file:${file.id})` }).edit);
  const read = await app.as(null).query<Read>(document, { id: made.siteId, path: "docs/guide/image" });
  const [, url = ""] = /<img src="([^"]+)" width="40" height="30"/.exec(read.publishedSite.page.html) ?? [];
  expect((await fetch(url)).status).toBe(200);
  await app.database.prisma.site.update({ where: { id: made.siteId }, data: { published: false } });
  expect((await fetch(url)).status).toBe(404);
});

it("reading the HTML, outline and Markdown of a page takes as many statements for 2 images as for 20", async () => {
  const made = await makePublished(app, world);
  const as = app.as(made.admin.token);
  const spaceId = made.spaces.guide.id;
  const names = Array.from({ length: 20 }, (_, index) => `${index}.png`);
  const files: string[] = [];
  for (const name of names)
    files.push((await uploadAs(as, { spaceId, file: pngFile(name, { width: 4, height: 3 }) })).file.id);
  const images = (count: number) => files.slice(0, count).map((id) => `![A](file:${id})`);
  const pages = [2, 20].map((count) => newPage(`Images ${count}`, { markdown: images(count).join("\n\n") }).edit);
  await editAs(as, { spaceId }, ...pages);
  const all = document.replace("html", "html markdown");
  const statements = (count: number) => as.statements(all, { id: made.siteId, path: `docs/guide/images-${count}` });
  await statements(2); // keeps the tree of pages
  expect([await statements(2), await statements(20)]).toEqual([3, 3]);
});
