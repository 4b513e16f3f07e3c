// Former paths of pages: which page an old link leads to, for whom, and until when.
import { expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const document = `query ($siteId: ID!, $path: String!) {
  publishedSite(by: { id: $siteId }) { formerPage(path: $path) { title path urls { published } } }
}`;

interface Answer {
  readonly publishedSite: { readonly formerPage: { readonly path: string } | null };
}

async function makeSite() {
  const made = await makePublished(app, world);
  const { siteId, admin, outsider, spaces } = made;
  const spaceId = spaces.guide.id;
  const chapter = newPage("Chapter", { markdown: "Text" });
  const page = newPage("Page", { parentId: chapter.pageId, markdown: "Text" });
  const edit = (...edits: Parameters<typeof editAs>[2][]) => editAs(app.as(admin.token), { spaceId }, ...edits);
  await edit(chapter.edit, page.edit);
  /** The path of the page that had a path in the guide before, for a visitor. */
  const former = async (path: string) => {
    const variables = { siteId, path: `docs/guide/${path}` };
    return (await app.as(outsider.token).query<Answer>(document, variables)).publishedSite.formerPage?.path ?? null;
  };
  const rename = (pageId: string, slug: string) => edit({ updatePage: { pageId, slug } });
  return { ...made, spaceId, chapter: chapter.pageId, page: page.pageId, edit, rename, former };
}

test("a former path leads to the page, however often it has moved", async () => {
  const { rename, edit, former, page } = await makeSite();
  await rename(page, "second");
  await rename(page, "third");
  await edit({ movePage: { pageId: page, parentId: null } });
  for (const path of ["chapter/page", "chapter/second", "chapter/third"])
    expect([path, await former(path)]).toEqual([path, "docs/guide/third"]);
  expect(await former("third")).toBeNull();
  expect(await former("chapter/fourth")).toBeNull();
});

test("pages below a renamed page have former paths, too", async () => {
  const { rename, former, chapter } = await makeSite();
  await rename(chapter, "part");
  expect(await former("chapter")).toBe("docs/guide/part");
  expect(await former("chapter/page")).toBe("docs/guide/part/page");
});

test("a page at the path comes before one that had it", async () => {
  const { rename, edit, former, page, chapter } = await makeSite();
  await rename(page, "second");
  const other = newPage("Page", { parentId: chapter, slug: "page", markdown: "Other" });
  await edit(other.edit);
  expect(await former("chapter/page")).toBeNull();
  await edit({ deletePage: { pageId: other.pageId } });
  expect(await former("chapter/page")).toBe("docs/guide/chapter/second");
  await edit({ deletePage: { pageId: page } });
  expect(await former("chapter/page")).toBeNull();
});

test("of two pages that had a path, the last one has it", async () => {
  const { rename, edit, former, page, chapter } = await makeSite();
  await rename(page, "second");
  const other = newPage("Other", { parentId: chapter, slug: "page", markdown: "Other" });
  await edit(other.edit);
  await rename(other.pageId, "other");
  expect(await former("chapter/page")).toBe("docs/guide/chapter/other");
});

test("writes a former path only for pages whose path changes, and removes them with the space", async () => {
  const { rename, edit, page, chapter, spaceId } = await makeSite();
  await edit({ updatePage: { pageId: page, markdown: "New", title: "New" } });
  const { prisma } = app.database;
  expect(await prisma.formerPath.count({ where: { spaceId } })).toBe(0);
  await rename(page, "second");
  expect(await prisma.formerPath.findMany({ where: { spaceId } })).toEqual([
    { spaceId, path: "chapter/page", pageId: page },
  ]);
  await rename(chapter, "p".repeat(100));
  expect(await prisma.formerPath.count({ where: { spaceId } })).toBe(3);
  await prisma.siteSpace.deleteMany({ where: { spaceId } });
  await prisma.space.delete({ where: { id: spaceId } });
  expect(await prisma.formerPath.count({ where: { spaceId } })).toBe(0);
});

test("does not remember paths that are too long for an index", async () => {
  const { edit, chapter, rename, former, spaceId } = await makeSite();
  const long = Array.from({ length: 10 }, () => newPage("Page", { slug: "\u6df1".repeat(100), markdown: "Text" }));
  const edits = long.map(({ edit: { createPage }, pageId }, at) => ({
    createPage: { ...createPage, pageId, parentId: long[at - 1]?.pageId ?? chapter },
  }));
  await edit(...edits);
  await rename(chapter, "part");
  expect(await former("chapter")).toBe("docs/guide/part");
  const { prisma } = app.database;
  // The chapter, its page, and the first six of the ten levels, of 301 bytes each.
  expect(await prisma.formerPath.count({ where: { spaceId } })).toBe(8);
});

test("a visitor who may not see the site space is not led to its pages", async () => {
  const { siteId, spaces, admin, outsider } = await makePublished(app, world);
  const page = newPage("Page", { markdown: "Text" });
  const as = app.as(admin.token);
  const spaceId = spaces.inside.id;
  await editAs(as, { spaceId }, page.edit);
  await editAs(as, { spaceId }, { updatePage: { pageId: page.pageId, slug: "second" } });
  const variables = { siteId, path: "docs/inside/page" };
  expect((await app.as(outsider.token).query<Answer>(document, variables)).publishedSite.formerPage).toBeNull();
});

test("former paths of sections and site spaces lead to their pages, also to pages that have moved since", async () => {
  const { siteId, sections, siteSpaces, creator, former, outsider, rename, page } = await makeSite();
  const change = (mutation: string, input: object) =>
    app
      .as(creator.token)
      .query(
        `mutation ($input: ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { __typename } }`,
        { input },
      );
  const at = async (path: string) => {
    const { publishedSite } = await app.as(outsider.token).query<Answer>(document, { siteId, path });
    return publishedSite.formerPage?.path ?? null;
  };
  await change("updateSiteSpace", { siteSpaceId: siteSpaces.guide, path: "manual" });
  expect(await former("chapter/page")).toBe("docs/manual/chapter/page");
  await change("updateSiteSection", { siteSectionId: sections.docs, path: "documents" });
  await rename(page, "second");
  expect(await former("chapter/page")).toBe("documents/manual/chapter/second");
  expect(await at("docs/manual/chapter/page")).toBe("documents/manual/chapter/second");
  expect(await at("documents/guide/chapter")).toBe("documents/manual/chapter");
  expect(await at("docs")).toBe("documents/manual/welcome");
  expect(await at("docs/other/chapter")).toBeNull();
  expect(await at("documents/manual/chapter")).toBeNull();
  expect(await at("")).toBeNull();
});

test("a site space that was at the root is found in the section that it has moved to", async () => {
  const { siteId, outsider, creator, admin, organizationId } = await makePublished(app, world);
  const made = await world.insert((rows) => {
    const site = addSite(rows, { organizationId, createdById: creator.id }).id;
    const space = addSpace(rows, { organizationId }).id;
    addSiteSpace(rows, { siteId: site, spaceId: space, path: "guide" });
    return { site, space };
  });
  expect(made.site).not.toBe(siteId);
  await editAs(app.as(admin.token), { spaceId: made.space }, newPage("Start", { markdown: "Text" }).edit);
  await app
    .as(admin.token)
    .query(`mutation ($input: CreateSiteSectionInput!) { createSiteSection(input: $input) { __typename } }`, {
      input: { siteId: made.site, spaceId: made.space, title: "API" },
    });
  const variables = { siteId: made.site, path: "guide/start" };
  const { publishedSite } = await app.as(outsider.token).query<Answer>(document, variables);
  expect(publishedSite.formerPage?.path).toMatch(/^[\w-]+\/guide\/start$/);
});
