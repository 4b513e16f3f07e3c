// The page of the structure of a site, over HTTP: entries are added, moved, changed and removed by its forms.
import { expect, test } from "vitest";
import { structurePage } from "#src/features/sites/pages/structure.ts";
import { addSection, addSiteSpace, schemaOf } from "#test/features/sites/factory.ts";
import { alertsIn, formsIn, siteFor } from "#test/features/sites/site-pages.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();
const { prisma } = app.database;

/** The structure as the page lists it. */
const structureIn = (body: string): string[] =>
  [...body.matchAll(/<li class="site-entry" id="(\w+)" data-kind="(\w+)"/g)].map(([, id, kind]) => `${kind} ${id}`);

const orderIn = (body: string) => ({
  order: /name="order" value="([^"]*)"/.exec(body)?.[1] ?? "",
  version: /name="version" value="(\d+)"/.exec(body)?.[1] ?? "",
});

test("entries of a structure are added, moved by buttons, and removed", async () => {
  const { organization, site, section, sectionGroup, siteSpace, path, own } = await siteFor(app, world, "creator");
  const { id: spaceId } = await world.insert((rows) => addSpace(rows, { organizationId: organization.id }));
  const page = `${path}/structure`;
  expect(structureIn((await own.read(page)).body)).toEqual([
    `group ${sectionGroup.id}`,
    `section ${section.id}`,
    `space ${siteSpace.id}`,
  ]);
  // The creator of a site has the role create, which includes review.
  expect(await own.send(page, "section", { spaceId, title: "API" })).toMatchObject({ status: 303, to: page });
  const [api] = await prisma.siteSection.findMany({ where: { siteId: site.id, title: "API" } });
  const [inApi] = await prisma.siteSpace.findMany({ where: { sectionId: api?.id ?? "" } });
  const { body } = await own.read(page);
  expect(body).toMatch(new RegExp(`id="down-${api?.id}"[^>]*disabled`));
  const up = await own.send(page, "order", { ...orderIn(body), move: `up ${api?.id}` });
  expect([up.status, up.to]).toEqual([303, page]);
  const after = (await own.read(page)).body;
  expect(orderIn(after).order).toContain(`inner ${api?.id}`);
  await own.send(page, "order", { ...orderIn(after), move: `up ${inApi?.id}` });
  expect(structureIn((await own.read(page)).body)).toEqual([
    `group ${sectionGroup.id}`,
    `section ${section.id}`,
    `space ${siteSpace.id}`,
    `space ${inApi?.id}`,
    `section ${api?.id}`,
  ]);
  expect((await own.send(page, "outOfGroup", { id: api?.id ?? "", group: sectionGroup.id })).status).toBe(303);
  expect((await own.send(page, "space", { spaceId, sectionId: api?.id ?? "" })).status).toBe(303);
  const grouped = await own.send(page, "group", { title: "Build", sectionId: [section.id, api?.id ?? ""] });
  expect(grouped.status).toBe(303);
  expect((await own.send(page, "removeGroup", { id: sectionGroup.id })).status).toBe(303);
  expect((await own.send(page, "removeSpace", { id: siteSpace.id })).status).toBe(303);
  expect((await own.send(page, "removeSection", { id: section.id })).status).toBe(303);
  const [build] = await prisma.siteSectionGroup.findMany({ where: { siteId: site.id } });
  const left = structureIn((await own.read(page)).body);
  expect(left).toEqual([`group ${build?.id}`, `section ${api?.id}`, expect.any(String), `space ${inApi?.id}`]);
});

test("a dragged order is stored, unless the structure has changed meanwhile", async () => {
  const { site, section, path, own, organization } = await siteFor(app, world, "admin");
  const page = `${path}/structure`;
  await world.insert((rows) => {
    const { id: spaceId } = addSpace(rows, { organizationId: organization.id });
    return times(2, () => addSiteSpace(rows, { siteId: site.id, sectionId: section.id, spaceId }));
  });
  const { order, version } = orderIn((await own.read(page)).body);
  const [group = "", inner = "", ...spaces] = order.split(",");
  const turned = [inner.replace("inner", "section"), ...spaces.toReversed(), group].join(",");
  expect((await own.send(page, "order", { order: turned, version })).status).toBe(303);
  expect(orderIn((await own.read(page)).body).order).toBe(turned);
  const late = await own.send(page, "order", { order, version });
  expect([late.status, alertsIn(late.body).length]).toEqual([409, 1]);
  const foreign = await own.send(page, "order", { order: `${turned},space ssp_01j00000000000000000000000` });
  expect([foreign.status, foreign.body.includes("which is not on the site")]).toEqual([409, true]);
  for (const hostile of ["", "x", "space", "group a,group a", `${turned},${turned}`])
    expect((await own.send(page, "order", { order: hostile, move: "up x" })).status).toBeLessThan(500);
});

test("an entry is renamed, gets a path and a condition, and is shown first; a refusal is beside it", async () => {
  const { site, section, sectionGroup, siteSpace, path, own, organization } = await siteFor(app, world, "admin");
  const page = `${path}/structure`;
  const second = await world.insert((rows) => {
    const { id: spaceId } = addSpace(rows, { organizationId: organization.id });
    return {
      section: addSection(rows, { siteId: site.id, path: "second", title: "Second" }),
      space: addSiteSpace(rows, { siteId: site.id, sectionId: section.id, spaceId, path: "guide" }),
    };
  });
  await prisma.site.update({ where: { id: site.id }, data: { adaptiveSchema: schemaOf("customer") } });
  const saved = {
    title: "Guides",
    path: "guides",
    icon: "rocket",
    description: "For all",
    condition: "visitor.claims.customer",
  };
  expect((await own.send(page, "editSection", { id: section.id, ...saved })).status).toBe(303);
  expect((await own.send(page, "editGroup", { id: sectionGroup.id, title: "Learn", icon: "book" })).status).toBe(303);
  expect((await own.send(page, "defaultSection", { id: second.section.id })).status).toBe(303);
  const first = { id: second.space.id, section: section.id };
  expect((await own.send(page, "firstInSection", first)).status).toBe(303);
  expect((await own.send(page, "intoGroup", { id: second.section.id, group: sectionGroup.id })).status).toBe(303);
  const { body } = await own.read(page);
  const { icon } = await prisma.siteSection.findUniqueOrThrow({ where: { id: section.id } });
  const group = await prisma.siteSectionGroup.findUniqueOrThrow({ where: { id: sectionGroup.id } });
  expect([icon, group.icon]).toEqual(["rocket", "book"]);
  const text = textOf(body);
  expect(text).toContain("Learn Group");
  expect(text).toContain("Guides /guides Section Only if visitor.claims.customer");
  expect(text).toContain("Second /second Section Shown first");
  expect(text).toMatch(/\/guide Shown first/);
  const kept = { title: "Mine", path: "guide", condition: "visitor.claims.unknown" };
  const refused = await own.send(page, "editSpace", { id: siteSpace.id, ...kept });
  expect([refused.status, alertsIn(refused.body).length]).toEqual([400, 1]);
  const row = refused.body.slice(refused.body.indexOf(`id="${siteSpace.id}"`));
  expect(row).toMatch(/^[^]*?<div class="entry-forms">[^]*?role="alert">[^]*?value="visitor.claims.unknown"/);
  const openIn = (page: string) => [...page.matchAll(/class="entry-forms"/g)].length;
  expect([openIn(body), openIn(refused.body)]).toEqual([0, 1]);
  expect(openIn((await own.read(`${page}?change=${section.id}`)).body)).toBe(1);
  const other = await world.insert((rows) => addSpace(rows, { organizationId: organization.id, title: "Other" }));
  expect((await own.send(page, "otherSpace", { id: siteSpace.id, spaceId: other.id })).status).toBe(303);
  expect((await own.read(page)).body).toContain(`<a href="/app/spaces/${other.id}">Other</a>`);
  const taken = await own.send(page, "editSpace", { id: siteSpace.id, title: "Mine", path: "guide" });
  expect([taken.status, alertsIn(taken.body).length]).toEqual([409, 1]);
});

test("the space of a site without sections that visitors see first is chosen", async () => {
  const { organization, space, admin } = await world.space();
  const own = await readerOf(app, admin);
  const list = `/app/orgs/${organization.id}/sites`;
  const path = (await own.send(list, "site", { title: "Docs", spaceId: space.id, visibility: "PUBLIC" })).to ?? "";
  const page = `${path}/structure`;
  const placed = await own.send(page, "space", { spaceId: space.id });
  expect([placed.status, alertsIn(placed.body)]).toEqual([303, []]);
  const [, second = ""] = structureIn((await own.read(page)).body).map((entry) => entry.split(" ")[1] ?? "");
  expect((await own.send(page, "firstOnSite", { id: second })).status).toBe(303);
  const { body } = await own.read(page);
  expect(body.slice(body.indexOf(`id="${second}"`))).toMatch(/^[^]*?Shown first/);
  const swapped = await own.send(page, "order", { ...orderIn(body), move: `up ${second}` });
  expect(swapped.status).toBe(303);
  expect(structureIn((await own.read(page)).body)[0]).toBe(`space ${second}`);
});

test("an admin finds every form of the structure on its page, the forms of an entry when the entry is open", async () => {
  const { site, organization, section, siteSpace, sectionGroup, path, own } = await siteFor(app, world, "admin");
  const bare = await world.insert((rows) => {
    const { id: spaceId } = addSpace(rows, { organizationId: organization.id });
    addSiteSpace(rows, { siteId: site.id, sectionId: section.id, spaceId });
    const second = addSection(rows, { siteId: site.id });
    return [second.id, addSiteSpace(rows, { siteId: site.id, sectionId: section.id, spaceId }).id];
  });
  const found = new Set<string>();
  for (const id of ["", section.id, siteSpace.id, sectionGroup.id, ...bare])
    for (const form of formsIn((await own.read(`${path}/structure?change=${id}`)).body)) found.add(form);
  // Of a site without sections.
  const expected = Object.keys(structurePage.forms ?? {}).filter((form) => form !== "firstOnSite");
  expect([...found].toSorted()).toEqual(expected.toSorted());
});
