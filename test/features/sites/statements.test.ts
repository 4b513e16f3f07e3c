// SQL statements of sites: one per level, for any page size and number of parents.
import { expect, it } from "vitest";
import { addSection, addSectionGroup, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { Rows } from "#test/support/rows.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

/** A site with `size` groups, a section in each, a space in each of these and one more at the root. */
function addWholeSite(rows: Rows, organizationId: string, size: number) {
  const site = addSite(rows, { organizationId });
  const siteId = site.id;
  times(size, () => {
    const sectionGroupId = addSectionGroup(rows, { siteId }).id;
    const sectionId = addSection(rows, { siteId, sectionGroupId }).id;
    addSiteSpace(rows, { siteId, sectionId, spaceId: addSpace(rows, { organizationId }).id });
    addSiteSpace(rows, { siteId, spaceId: addSpace(rows, { organizationId }).id });
  });
  return site;
}

const everything = `query ($id: ID!, $sites: Int, $first: Int) { organization(id: $id) { sites(first: $sites) {
  totalCount
  nodes {
    id title siteSpaceCount urls { published } organization { title }
    sections(first: $first) { totalCount nodes { title urls { published } siteSectionGroup { title } siteSpaces { nodes { title space { title } } } siteSpaceList { id } } }
    sectionGroups(first: $first) { nodes { title sections { totalCount nodes { title site { title } } } sectionList { id } } }
    siteSpaces(first: $first) { totalCount nodes { title urls { published } siteSection { title } site { title } space { title commentCount } } }
  }
} } }`;

it("sites take as many statements for 2 as for 20, each with 2 and 20 of everything", async () => {
  const { organization, reader } = await world.organization();
  const { id } = organization;
  await world.insert((rows) => times(20, () => addWholeSite(rows, id, 20)));
  const client = app.as(reader.token);
  const one = await client.statements(everything, { id, sites: 1, first: 1 });
  expect(await client.statements(everything, { id, sites: 2, first: 2 })).toBe(one);
  expect(await client.statements(everything, { id, sites: 2, first: 20 })).toBe(one);
  expect(await client.statements(everything, { id, sites: 20, first: 2 })).toBe(one);
  expect(await client.statements(everything, { id, sites: 20, first: 20 })).toBe(one);
});

it("sites take one statement per level", async () => {
  const { organization, reader, outsider } = await world.organization();
  const { id: organizationId } = organization;
  const site = await world.insert((rows) => addWholeSite(rows, organizationId, 3));
  const cost = (document: string, token = reader.token) => app.as(token).statements(document, { id: site.id });
  expect(await cost(`query ($id: ID!) { site(id: $id) { title siteSpaceCount urls { published } } }`)).toBe(1);
  expect(await cost(`query ($id: ID!) { site(id: $id, organizationId: "${organizationId}") { title } }`)).toBe(1);
  expect(await cost(`query ($id: ID!) { site(id: $id, shareKey: "x") { title } }`, outsider.token)).toBe(1);
  const nested = `query ($id: ID!) { site(id: $id) { sections { nodes { urls { published } siteSpaces { nodes { title } } } } } }`;
  expect(await cost(nested)).toBe(3);
});
