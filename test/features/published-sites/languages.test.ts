// The languages of published pages: translations that the visitor sees on the same site.
import { expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTranslation } from "#test/features/translations/factory.ts";
import { useApp } from "#test/support/app.ts";
import { targetPageId } from "#src/features/translations/model/target-pages.ts";

const { app, world } = await useApp();

const document = `query ($id: ID!, $path: String!) { publishedSite(by: { id: $id }) {
  page(path: $path) { languages { language page { path } } } } }`;

/** A site with a guide in English and in Spanish, which visitors see under a condition if one is given. */
async function makeTranslated(condition: string | null = null) {
  const made = await makePublished(app, world);
  const { siteId, organizationId, creator, admin, sections, spaces } = made;
  const { translation, result } = await world.insert((rows) => {
    const { id: resultSpaceId } = addSpace(rows, { organizationId, title: "Guía", visibility: "private" });
    addSiteSpace(rows, { siteId, sectionId: sections.docs, spaceId: resultSpaceId, path: "guia", condition });
    const of = { organizationId, sourceSpaceId: spaces.guide.id, createdById: creator.id, resultSpaceId };
    return { translation: addTranslation(rows, of).id, result: resultSpaceId };
  });
  const source = newPage("Harbour", { markdown: "Text" });
  await editAs(app.as(admin.token), { spaceId: spaces.guide.id }, source.edit);
  const pageId = targetPageId(translation, source.pageId);
  await editAs(
    app.as(admin.token),
    { spaceId: result },
    { createPage: { pageId, title: "Puerto", markdown: "Texto" } },
  );
  const languagesOf = async (path: string) => {
    const { publishedSite } = await app
      .as(null)
      .query<{ publishedSite: { page: { languages: unknown[] } } }>(document, { id: siteId, path });
    return publishedSite.page.languages;
  };
  return { root: `/published/${siteId}`, languagesOf };
}

test("a page has the languages that it is translated into, from each of them", async () => {
  const { languagesOf } = await makeTranslated();
  const both = [
    { language: "en", page: { path: "docs/guide/harbour" } },
    { language: "es", page: { path: "docs/guia/puerto" } },
  ];
  expect(await languagesOf("docs/guide/harbour")).toEqual(both);
  expect(await languagesOf("docs/guia/puerto")).toEqual(both);
  expect(await languagesOf("docs/guide/setup")).toEqual([{ language: "en", page: { path: "docs/guide/setup" } }]);
});

test("a translation that a condition hides is not a language of its page", async () => {
  const { languagesOf } = await makeTranslated("visitor.claims.staff");
  expect(await languagesOf("docs/guide/harbour")).toEqual([]);
});

test("the reader switches between languages, and search engines find them", async () => {
  const { root } = await makeTranslated();
  const body = await (await fetch(`${app.url}${root}/docs/guia/puerto`)).text();
  expect(body).toContain('<html lang="es">');
  expect(body).toMatch(new RegExp(`<a\\s+href="${root}/docs/guide/harbour"\\s+hreflang="en"\\s+lang="en"`));
  expect(body).toContain('aria-label="Language: español"');
  const alternates = [...body.matchAll(/rel="alternate" hreflang="([^"]+)" href="([^"]+)"/g)].map(([, of, to]) => [
    of,
    to,
  ]);
  expect(alternates).toEqual([
    ["en", `${app.url}${root}/docs/guide/harbour`],
    ["es", `${app.url}${root}/docs/guia/puerto`],
    ["x-default", `${app.url}${root}/docs/guide/harbour`],
  ]);
});
