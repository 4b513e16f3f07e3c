// Links in the texts of published pages: they lead to pages of the site, and nowhere else within docgraph.
import { expect, it } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const document = `query ($id: ID!, $path: String!) { publishedSite(by: { id: $id }) { page(path: $path) { markdown document } } }`;

interface Read {
  readonly publishedSite: { readonly page: { readonly markdown: string; readonly document: unknown } };
}

it("a published text links to pages that the visitor sees, and keeps the text of other links", async () => {
  const made = await makePublished(app, world);
  const { guide, inside } = made.spaces;
  const as = app.as(made.admin.token);
  const target = newPage("Target", { markdown: "# Part" });
  const secret = newPage("Secret", { markdown: "Nothing" });
  await editAs(as, { spaceId: inside.id }, secret.edit);
  const markdown = [
    `A [page](page:${target.pageId}#part "Title"), [by path](./target.md), [**bold**](page:${guide.id}/${target.pageId}) and [the guide](space:${guide.id}).`,
    `Not [a *secret*](page:${inside.id}/${secret.pageId}), [gone](page:${secret.pageId}), [inside](space:${inside.id}) or [Ada](user:${made.admin.id}).`,
    `Stays: [here](#part), [file](file:fil_00000000000000000000000000), [web](https://example.com/a_(b)), \`[code](page:${target.pageId})\`.`,
    `By [reference][one] and [two].`,
    `[one]: page:${target.pageId}\n[two]: page:${secret.pageId}`,
  ].join("\n\n");
  const page = newPage("Links", { markdown });
  await editAs(as, { spaceId: guide.id }, target.edit, page.edit);
  const read = await app.as(null).query<Read>(document, { id: made.siteId, path: "docs/guide/links" });
  const address = `${app.url}/published/${made.siteId}/docs/guide`;
  expect(read.publishedSite.page.markdown.split("\n\n")).toEqual([
    `A [page](${address}/target#part "Title"), [by path](${address}/target), [**bold**](${address}/target) and [the guide](${address}).`,
    "Not a *secret*, gone, inside or Ada.",
    `Stays: [here](#part), [file](file:fil_00000000000000000000000000), [web](https://example.com/a_(b)), \`[code](page:${target.pageId})\`.`,
    "By [reference][one] and [two].",
    `[one]: ${address}/target\n[two]: #`,
  ]);
  const json = JSON.stringify(read.publishedSite.page.document);
  for (const hidden of [secret.pageId, inside.id, made.admin.id]) expect(json).not.toContain(hidden);
  expect(json).toContain(`"ref":{"kind":"url","url":"${address}/target#part"}`);
  expect(json).toContain("secret");
});

it("a published text has more links for visitors who see more, and none for members before the site is published", async () => {
  const made = await makePublished(app, world, { published: false });
  const { guide, inside } = made.spaces;
  const as = app.as(made.admin.token);
  const target = newPage("Target");
  await editAs(as, { spaceId: inside.id }, target.edit);
  const markdown = `[There](page:${inside.id}/${target.pageId}) and [here](./setup)`;
  await editAs(as, { spaceId: guide.id }, newPage("Links", { markdown }).edit);
  const read = async () =>
    (await as.query<Read>(document, { id: made.siteId, path: "docs/guide/links" })).publishedSite.page.markdown;
  expect(await read()).toBe("There and [here](./setup)");
  await app.database.prisma.site.update({ where: { id: made.siteId }, data: { published: true } });
  await app.database.prisma.siteSpace.update({ where: { id: made.siteSpaces.inside }, data: { condition: null } });
  const address = `${app.url}/published/${made.siteId}/docs`;
  expect(await read()).toBe(`[There](${address}/inside/target) and [here](${address}/guide/setup)`);
});
