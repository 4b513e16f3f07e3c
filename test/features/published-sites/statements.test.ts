// SQL statements of a published site: the same for any size of its structure.
import { expect, it } from "vitest";
import { giveContent } from "#test/features/content/factory.ts";
import { addSection, addSectionGroup, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

/** A published site with `size` groups of one section each, with `size` site spaces in it, which show two spaces. */
async function makeSite(size: number) {
  const { organization, outsider } = await world.organization();
  const organizationId = organization.id;
  const made = await world.insert((rows) => {
    const siteId = addSite(rows, { organizationId }).id;
    const [space, other] = [addSpace(rows, { organizationId }), addSpace(rows, { organizationId })];
    times(size, (index) => {
      const sectionGroupId = addSectionGroup(rows, { siteId }).id;
      const sectionId = addSection(rows, { siteId, sectionGroupId, path: `section-${index}` }).id;
      times(size, (place) =>
        addSiteSpace(rows, { siteId, sectionId, spaceId: place % 2 ? other.id : space.id, path: `space-${place}` }),
      );
    });
    return { siteId, space, other };
  });
  const titles = times(size, (index) => `Page ${index}`);
  await giveContent(app.database, made.space.revisionId, titles, `First content of ${made.siteId}`);
  await giveContent(app.database, made.other.revisionId, [...titles, "Last"], `Second content of ${made.siteId}`);
  return { siteId: made.siteId, token: outsider.token };
}

const structure = `query ($id: ID!) { publishedSite(by: { id: $id }) {
  site { title siteSpaceCount } structure { type structure { title } }
  entries { __typename } sectionGroups { title sections { title siteSpaces { title urls { published } } } }
  siteSpaces { title siteSection { title } } defaultSiteSpace { title }
} }`;
const page = `query ($id: ID!, $path: String!) { publishedSite(by: { id: $id }) { page(path: $path) {
  title markdown document breadcrumbs { title } previous { title } next { title path } siteSpace { title pages { title } }
} } }`;
const siteMap = `query ($id: ID!) { publishedSite(by: { id: $id }) { siteMap { path updatedAt } } }`;

it("reading the structure of a published site takes one statement, and two with all of its pages", async () => {
  for (const size of [2, 20]) {
    const { siteId: id, token } = await makeSite(size);
    expect(await app.as(token).statements(structure, { id })).toBe(2);
    expect(await app.as(token).statements(structure, { id })).toBe(1); // it is kept
    expect(await app.as(token).statements(siteMap, { id })).toBe(2);
  }
});

it("the structure of a published site is read again after each change of a value in it", async () => {
  const { siteId: id, token } = await makeSite(2);
  const { siteSection, siteSectionGroup, siteSpace, space, revision } = app.database.prisma;
  const [one, two] = await siteSection.findMany({ where: { siteId: id }, orderBy: { id: "asc" } });
  const [group] = await siteSectionGroup.findMany({ where: { siteId: id } });
  const [placed] = await siteSpace.findMany({
    where: { siteId: id, sectionId: one?.id ?? "" },
    include: { space: true },
  });
  if (!one || !two || !group || !placed) throw new Error("The site is incomplete.");
  const { revisionId } = placed.space;
  const ofGroup = (data: object) => siteSectionGroup.update({ where: { id: group.id }, data });
  const ofSection = (data: object) => siteSection.update({ where: { id: one.id }, data });
  const ofPlace = (data: object) => siteSpace.update({ where: { id: placed.id }, data });
  const ofSpace = (data: object) => space.update({ where: { id: placed.spaceId }, data });
  const changes = [
    ...[{ title: "Other" }, { icon: "star" }, { position: "zz" }].map((data) => () => ofGroup(data)),
    ...[{ title: "Other" }, { description: "New" }, { path: "other" }, { icon: "star" }].map(
      (to) => () => ofSection(to),
    ),
    ...[{ condition: "true" }, { isDefault: true }, { position: "zz" }].map((data) => () => ofSection(data)),
    () => ofSection({ sectionGroupId: null }),
    ...[{ title: "Other" }, { path: "other" }, { condition: "true" }].map((data) => () => ofPlace(data)),
    ...[{ isDefault: true }, { position: "zz" }, { sectionId: two.id }].map((data) => () => ofPlace(data)),
    () => ofSpace({ emoji: "1f600" }),
    () => revision.update({ where: { id: revisionId }, data: { treeHash: null } }),
    () => ofSpace({ deletedAt: new Date() }),
    () => ofSpace({ deletedAt: null }),
    () => siteSection.delete({ where: { id: one.id } }),
  ];
  let last = "";
  for (const change of changes) {
    await change();
    expect(await app.as(token).statements(structure, { id }), String(change)).toBe(2);
    expect(await app.as(token).statements(structure, { id }), String(change)).toBe(1);
    last = JSON.stringify(await app.as(token).query(structure, { id }));
  }
  expect(last).toContain('"title":"Other"');
  expect(last).toContain('"siteSpaceCount":3');
});

it("reading a page of a published site by its path takes three statements", async () => {
  for (const size of [2, 20]) {
    const { siteId: id, token } = await makeSite(size);
    await app.as(token).query(structure, { id }); // it is kept from here on
    const last = `section-${size - 1}/space-${size - 1}/page-${size - 1}`;
    expect(await app.as(token).statements(page, { id, path: last })).toBe(3);
    expect(await app.as(token).statements(page, { id, path: last })).toBe(2); // the tree is cached
  }
});
