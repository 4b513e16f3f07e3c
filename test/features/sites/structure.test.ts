// Sections, section groups and site spaces in GraphQL: fields, order, filters, pages and the edges between them.
import { describe, expect, it } from "vitest";
import { addSection, addSectionGroup, addSiteSpace } from "#test/features/sites/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const sectionFields = `object id title description isDefault path condition icon siteId siteSectionGroupId urls { published }`;
const groupFields = `object id title icon siteId`;
const siteSpaceFields = `object id title path isDefault condition siteId siteSectionId urls { published }`;

describe("the structure of a site", () => {
  it("has every field on each path to it", async () => {
    const { reader, site, sectionGroup, section, siteSpace } = await world.site({
      site: { hostname: "docs.tree.example" },
    });
    await app.database.pool.query(
      `update "SiteSection" set description = 'All of it', condition = 'visitor.ok', icon = 'book' where id = $1`,
      [section.id],
    );
    const wantedSection = {
      object: "site-section",
      id: section.id,
      title: section.title,
      description: "All of it",
      isDefault: true,
      path: section.path,
      condition: "visitor.ok",
      icon: "book",
      siteId: site.id,
      siteSectionGroupId: sectionGroup.id,
      urls: { published: `https://docs.tree.example/${section.path}` },
    };
    const wantedGroup = {
      object: "site-section-group",
      id: sectionGroup.id,
      title: sectionGroup.title,
      icon: null,
      siteId: site.id,
    };
    const wantedSiteSpace = {
      object: "site-space",
      id: siteSpace.id,
      title: siteSpace.title,
      path: siteSpace.path,
      isDefault: true,
      condition: null,
      siteId: site.id,
      siteSectionId: section.id,
      urls: { published: `https://docs.tree.example/${section.path}/${siteSpace.path}` },
    };
    const client = app.as(reader.token);
    const document = `query ($site: ID!, $section: ID!, $group: ID!, $siteSpace: ID!) {
      site(id: $site) {
        section(id: $section) { ${sectionFields} }
        sectionGroup(id: $group) { ${groupFields} }
        siteSpace(id: $siteSpace) { ${siteSpaceFields} }
        sections { nodes { ${sectionFields} siteSectionGroup { ${groupFields} } siteSpaces { nodes { ${siteSpaceFields} } } siteSpaceList { id } } }
        sectionGroups { nodes { ${groupFields} sections { nodes { id } } sectionList { ${sectionFields} } site { id } } }
        siteSpaces { nodes { ${siteSpaceFields} siteSection { ${sectionFields} } site { id } } }
      }
      ofSection: node(id: $section) { ... on SiteSection { ${sectionFields} site { id } } }
      ofGroup: node(id: $group) { ... on SiteSectionGroup { ${groupFields} } }
      ofSiteSpace: node(id: $siteSpace) { ... on SiteSpace { ${siteSpaceFields} } }
      resources: node(id: $section) { ... on Resource { object } }
    }`;
    const variables = { site: site.id, section: section.id, group: sectionGroup.id, siteSpace: siteSpace.id };
    expect(await client.query(document, variables)).toEqual({
      site: {
        section: wantedSection,
        sectionGroup: wantedGroup,
        siteSpace: wantedSiteSpace,
        sections: {
          nodes: [
            {
              ...wantedSection,
              siteSectionGroup: wantedGroup,
              siteSpaces: { nodes: [wantedSiteSpace] },
              siteSpaceList: [{ id: siteSpace.id }],
            },
          ],
        },
        sectionGroups: {
          nodes: [
            {
              ...wantedGroup,
              sections: { nodes: [{ id: section.id }] },
              sectionList: [wantedSection],
              site: { id: site.id },
            },
          ],
        },
        siteSpaces: { nodes: [{ ...wantedSiteSpace, siteSection: wantedSection, site: { id: site.id } }] },
      },
      ofSection: { ...wantedSection, site: { id: site.id } },
      ofGroup: wantedGroup,
      ofSiteSpace: wantedSiteSpace,
      resources: { object: "site-section" },
    });
  });

  it("is sorted by position, whatever the age, and paginated in both directions", async () => {
    const { reader, site, siteSpace, space } = await world.site();
    const siteId = site.id;
    await world.insert((rows) => {
      const at = (position: string) => addSiteSpace(rows, { siteId, spaceId: space.id, position, title: position });
      return ["a5", "Zz", "a2", "a1V", "a3"].map(at);
    });
    const document = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { site(id: $id) {
      siteSpaces(first: $first, after: $after, last: $last, before: $before) {
        totalCount nodes { title } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
    interface Answer {
      site: {
        siteSpaces: {
          totalCount: number;
          nodes: { title: string }[];
          pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
        };
      };
    }
    const page = async (variables: Record<string, unknown>) => {
      const { site: answer } = await app.as(reader.token).query<Answer>(document, { id: siteId, ...variables });
      const { nodes, ...rest } = answer.siteSpaces;
      return { titles: nodes.map(({ title }) => title), ...rest };
    };
    const all = ["Zz", siteSpace.title, "a1V", "a2", "a3", "a5"];
    expect(await page({})).toMatchObject({ titles: all, totalCount: 6 });
    const first = await page({ first: 2 });
    expect(first).toMatchObject({ titles: all.slice(0, 2), pageInfo: { hasNextPage: true, hasPreviousPage: false } });
    const rest = await page({ first: 9, after: first.pageInfo.endCursor });
    expect(rest).toMatchObject({ titles: all.slice(2), pageInfo: { hasNextPage: false, hasPreviousPage: true } });
    const back = await page({ last: 3, before: rest.pageInfo.endCursor });
    expect(back).toMatchObject({ titles: all.slice(2, 5), pageInfo: { hasNextPage: true, hasPreviousPage: true } });
  });

  it("lists the default site spaces, the others, or all", async () => {
    const { reader, site, siteSpace, section, space } = await world.site();
    const siteId = site.id;
    const [root, other] = await world.insert((rows) => [
      addSiteSpace(rows, { siteId, spaceId: space.id, isDefault: true }),
      addSiteSpace(rows, { siteId, spaceId: space.id, sectionId: section.id }),
    ]);
    const document = `query ($id: ID!, $default: Boolean) {
      site(id: $id) { siteSpaces(default: $default) { totalCount nodes { id siteSection { id } } } }
    }`;
    const by = (value: boolean | null) => app.as(reader.token).query(document, { id: siteId, default: value });
    const inSection = { siteSection: { id: section.id } };
    expect(await by(true)).toEqual({
      site: {
        siteSpaces: {
          totalCount: 2,
          nodes: [
            { id: siteSpace.id, ...inSection },
            { id: root.id, siteSection: null },
          ],
        },
      },
    });
    expect(await by(false)).toEqual({
      site: { siteSpaces: { totalCount: 1, nodes: [{ id: other.id, ...inSection }] } },
    });
    expect(await by(null)).toMatchObject({ site: { siteSpaces: { totalCount: 3 } } });
  });

  it("lists only the contents of a section or group", async () => {
    const { reader, site, section, sectionGroup, space } = await world.site();
    const siteId = site.id;
    const [lone, empty] = await world.insert((rows) => [
      addSection(rows, { siteId }),
      addSectionGroup(rows, { siteId }),
      times(3, () => addSiteSpace(rows, { siteId, spaceId: space.id })),
    ]);
    const document = `query ($id: ID!) { site(id: $id) {
      sections { nodes { id siteSectionGroup { id } siteSpaces { totalCount } } }
      sectionGroups { nodes { id sections { totalCount nodes { id } } sectionList { id } } }
    } }`;
    expect(await app.as(reader.token).query(document, { id: siteId })).toEqual({
      site: {
        sections: {
          nodes: [
            { id: section.id, siteSectionGroup: { id: sectionGroup.id }, siteSpaces: { totalCount: 1 } },
            { id: lone.id, siteSectionGroup: null, siteSpaces: { totalCount: 0 } },
          ],
        },
        sectionGroups: {
          nodes: [
            {
              id: sectionGroup.id,
              sections: { totalCount: 1, nodes: [{ id: section.id }] },
              sectionList: [{ id: section.id }],
            },
            { id: empty.id, sections: { totalCount: 0, nodes: [] }, sectionList: [] },
          ],
        },
      },
    });
  });

  it("does not find anything of another site", async () => {
    const { reader, site } = await world.site();
    const other = await world.site();
    const client = app.as(reader.token);
    for (const [field, { id }] of Object.entries({
      section: other.section,
      sectionGroup: other.sectionGroup,
      siteSpace: other.siteSpace,
    })) {
      const document = `query ($site: ID!, $id: ID!) { site(id: $site) { ${field}(id: $id) { id } } }`;
      expect(await client.refusal(document, { site: site.id, id })).toBe("NOT_FOUND");
    }
  });
});
