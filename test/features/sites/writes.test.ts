// Writing sites, sections, groups and site spaces in GraphQL: what is made of what is given, what becomes of what is in
// something that goes, and what is refused.
import { describe, expect, it } from "vitest";
import { addSection, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { done } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

/** A site with sections "one" and "two" of a space each, spaces "Guide" and "Guide!", and an admin who does things. */
async function makeScene() {
  const scene = await world.organization();
  const organizationId = scene.organization.id;
  const { token } = scene.admin;
  const made = await world.insert((rows) => {
    const [guide, other] = ["Guide", "Guide!"].map((title) => addSpace(rows, { organizationId, title }).id);
    const siteId = addSite(rows, { organizationId, title: "Docs", basename: "docs", published: false }).id;
    const [one, two] = ["one", "two"].map((path) => addSection(rows, { siteId, path, title: `Section ${path}` }).id);
    const place = (sectionId = "") => addSiteSpace(rows, { siteId, sectionId, spaceId: guide ?? "", path: "guide" }).id;
    return { guide, other, siteId, one, two, inOne: place(one), inTwo: place(two) };
  });
  const does = <Answer>(name: string, input: Record<string, unknown>, answer = "__typename") =>
    done<Answer>(app, token, name, { ...input, answer });
  const refused = async (name: string, input: object) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const document = `mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`;
    const { errors } = await app.as(token).graphql(document, { input });
    return [errors?.[0]?.extensions.code, ...(errors?.[0]?.extensions.details?.map(({ path }) => path) ?? [])];
  };
  return { ...scene, organizationId, ...made, does, refused };
}

const whole = /* GraphQL */ `
  site {
    defaultSection {
      path
    }
    defaultSiteSpace {
      path
    }
    sectionGroups {
      nodes {
        title
        sections {
          nodes {
            path
          }
        }
      }
    }
    sections {
      nodes {
        path
        isDefault
        siteSpaces {
          nodes {
            path
            condition
            isDefault
          }
        }
      }
    }
    siteSpaces {
      nodes {
        path
        title
        sectionId
      }
    }
  }
`;

describe("createSite", () => {
  it("makes names of the title, numbers them where they are taken, and shows spaces in their order", async () => {
    const { organizationId, guide, other, admin, does } = await makeScene();
    const answer =
      "site { title type visibility basename published createdBy { id } siteSpaces { nodes { title path isDefault space { id } } } }";
    const spaceIds = [other, guide, guide];
    expect(await does("createSite", { organizationId, title: "Docs", spaces: { spaceIds } }, answer)).toEqual({
      site: {
        title: "Docs",
        type: "BASIC",
        visibility: "PUBLIC",
        basename: "docs-2",
        published: false,
        createdBy: { id: admin.id },
        siteSpaces: {
          nodes: [
            { title: "Guide!", path: "guide", isDefault: true, space: { id: other } },
            { title: "Guide", path: "guide-2", isDefault: false, space: { id: guide } },
            { title: "Guide", path: "guide-3", isDefault: false, space: { id: guide } },
          ],
        },
      },
    });
  });

  it("makes a space with it, or takes nothing at all", async () => {
    const { organizationId, does } = await makeScene();
    const answer = "site { title basename siteSpaceCount defaultSiteSpace { title space { title visibility } } }";
    const space = { title: "Manual", visibility: "PRIVATE" };
    expect(await does("createSite", { organizationId, title: "Manual", spaces: { newSpace: {} } }, answer)).toEqual({
      site: { title: "Manual", basename: "manual", siteSpaceCount: 1, defaultSiteSpace: { title: "Manual", space } },
    });
    expect(await does("createSite", { organizationId }, answer)).toEqual({
      site: { title: "Untitled site", basename: "untitled-site", siteSpaceCount: 0, defaultSiteSpace: null },
    });
  });
});

describe("updateSite", () => {
  it("changes what is given, and takes the proxy away by null", async () => {
    const { siteId, two, inTwo, does } = await makeScene();
    const answer =
      "site { title basename visibility agentsContext adaptiveContent { enabled } proxy { origin target } defaultSection { id } defaultSiteSpace { id } }";
    const given = {
      title: "Manual",
      basename: "manual",
      visibility: "SHARE_LINK",
      agentsContext: "INCLUDED",
      adaptiveContent: { enabled: true },
      defaultSiteSectionId: two,
      defaultSiteSpaceId: inTwo,
    };
    const site = {
      title: "Manual",
      basename: "manual",
      visibility: "SHARE_LINK",
      agentsContext: "INCLUDED",
      adaptiveContent: { enabled: true },
      proxy: { origin: "www.example.com", target: "/a/docs" },
      defaultSection: { id: two },
      defaultSiteSpace: { id: inTwo },
    };
    expect(await does("updateSite", { siteId, ...given, proxy: "www.example.com/a/docs" }, answer)).toEqual({ site });
    const { shareKey } = await app.database.prisma.site.findUniqueOrThrow({ where: { id: siteId } });
    expect(shareKey).toHaveLength(32);
    expect(await does("updateSite", { siteId, visibility: "SHARE_LINK" }, answer)).toEqual({ site });
    expect(await does("updateSite", { siteId, proxy: null }, answer)).toEqual({ site: { ...site, proxy: null } });
    expect((await app.database.prisma.site.findUniqueOrThrow({ where: { id: siteId } })).shareKey).toBe(shareKey);
  });

  it("refuses names of others, and defaults that are elsewhere", async () => {
    const { organizationId, siteId, two, inOne, inTwo, does, refused } = await makeScene();
    await does("createSite", { organizationId, title: "Other" });
    const { site } = await does<{ site: { id: string } }>(
      "createSite",
      { organizationId, title: "Third" },
      "site { id }",
    );
    await does("updateSite", { siteId: site.id, proxy: "example.com/third" });
    expect(await refused("updateSite", { siteId, basename: "other" })).toEqual(["CONFLICT", "basename"]);
    expect(await refused("updateSite", { siteId, proxy: "example.com/third" })).toEqual(["CONFLICT", "proxy"]);
    expect(await refused("updateSite", { siteId, proxy: "example" })).toEqual(["INVALID_INPUT", "proxy"]);
    expect(await refused("updateSite", { siteId, title: null })).toEqual(["INVALID_INPUT", "title"]);
    const elsewhere = { siteId, defaultSiteSectionId: two, defaultSiteSpaceId: inOne };
    expect(await refused("updateSite", elsewhere)).toEqual(["INVALID_INPUT", "defaultSiteSpaceId"]);
    expect(await refused("updateSite", { siteId: site.id, defaultSiteSectionId: two })).toEqual([
      "INVALID_INPUT",
      "defaultSiteSectionId",
    ]);
    expect(await refused("updateSite", { siteId: site.id, defaultSiteSpaceId: inTwo })).toEqual([
      "INVALID_INPUT",
      "defaultSiteSpaceId",
    ]);
  });
});

describe("deleteSite", () => {
  it("leaves the spaces, and is nobody's default content any more", async () => {
    const { organizationId, siteId, guide, does } = await makeScene();
    await does("updateOrganization", { organizationId, defaultContent: { type: "SITE", site: siteId } });
    const answer = "deletedId organization { id defaultContent { siteId } spaces { totalCount } sites { totalCount } }";
    expect(await does("deleteSite", { siteId }, answer)).toEqual({
      deletedId: siteId,
      organization: { id: organizationId, defaultContent: null, spaces: { totalCount: 2 }, sites: { totalCount: 0 } },
    });
    expect(await does("deleteSite", { siteId }, "deletedId organization { id }")).toEqual({
      deletedId: null,
      organization: null,
    });
    expect(guide).toBeDefined();
  });
});

describe("sections", () => {
  it("take the place of a root, which comes into the first of them", async () => {
    const { organizationId, guide, other, does } = await makeScene();
    const spaces = { spaceIds: [guide, other] };
    const { site } = await does<{ site: { id: string } }>(
      "createSite",
      { organizationId, title: "Root", spaces },
      "site { id }",
    );
    await does("createSiteSection", { siteId: site.id, spaceId: guide, title: "API" });
    expect(await does("updateSite", { siteId: site.id }, whole)).toMatchObject({
      site: {
        defaultSection: { path: "root" },
        defaultSiteSpace: { path: "guide" },
        sections: {
          nodes: [
            { path: "root", isDefault: true, siteSpaces: { nodes: [{ path: "guide" }, { path: "guide-2" }] } },
            { path: "api", isDefault: false, siteSpaces: { nodes: [{ path: "guide", isDefault: true }] } },
          ],
        },
      },
    });
  });

  it("give their site spaces and their condition to another one when they go, and the last one to the root", async () => {
    const { siteId, one, two, inTwo, does } = await makeScene();
    await does("updateSiteSection", { siteSectionId: two, condition: "a" });
    await does("updateSiteSpace", { siteSpaceId: inTwo, condition: "b" });
    expect(await does("deleteSiteSection", { siteSectionId: two }, `deletedId ${whole}`)).toMatchObject({
      deletedId: two,
      site: {
        sections: {
          nodes: [
            {
              path: "one",
              siteSpaces: {
                nodes: [
                  { path: "guide", condition: null, isDefault: true },
                  { path: "guide-2", condition: "(a) && (b)", isDefault: false },
                ],
              },
            },
          ],
        },
      },
    });
    expect(await does("deleteSiteSection", { siteSectionId: one }, whole)).toMatchObject({
      site: {
        defaultSection: null,
        defaultSiteSpace: { path: "guide" },
        sections: { nodes: [] },
        siteSpaces: {
          nodes: [
            { path: "guide", sectionId: null },
            { path: "guide-2", sectionId: null },
          ],
        },
      },
    });
    expect(await does("deleteSiteSection", { siteSectionId: one }, "deletedId site { id }")).toEqual({
      deletedId: null,
      site: null,
    });
    expect(await does("deleteSiteSection", { siteId, siteSectionId: one }, "deletedId site { id }")).toEqual({
      deletedId: null,
      site: { id: siteId },
    });
  });

  it("refuse conditions that are too long together, and a target that is no other section", async () => {
    const { one, two, inTwo, does, refused } = await makeScene();
    await does("updateSiteSection", { siteSectionId: two, condition: "a".repeat(600) });
    await does("updateSiteSpace", { siteSpaceId: inTwo, condition: "b".repeat(600) });
    expect(await refused("deleteSiteSection", { siteSectionId: two })).toEqual(["INVALID_INPUT", "siteSectionId"]);
    expect(await refused("deleteSiteSection", { siteSectionId: one, siteSpacesToId: one })).toEqual([
      "INVALID_INPUT",
      "siteSpacesToId",
    ]);
  });

  it("have paths of their own", async () => {
    const { siteId, guide, one, does, refused } = await makeScene();
    expect(await refused("updateSiteSection", { siteSectionId: one, path: "two" })).toEqual(["CONFLICT", "path"]);
    expect(await refused("updateSiteSection", { siteSectionId: one, path: "a/b" })).toEqual(["INVALID_INPUT", "path"]);
    expect(
      await does("createSiteSection", { siteId, spaceId: guide, title: "Two" }, "siteSection { title path }"),
    ).toEqual({ siteSection: { title: "Two", path: "two-2" } });
  });

  it("change nothing when they are given nothing", async () => {
    const { organizationId, one, inOne, does } = await makeScene();
    await does("updateSiteSection", { siteSectionId: one });
    await does("updateSiteSpace", { siteSpaceId: inOne, path: "guide" });
    expect(await app.eventsIn(organizationId)).toEqual([]);
  });
});

describe("groups", () => {
  it("stand before their sections in one order with all others, and leave them in their place", async () => {
    const { siteId, one, two, does } = await makeScene();
    const { siteSectionGroup } = await does<{ siteSectionGroup: { id: string } }>(
      "createSiteSectionGroup",
      { siteId, title: "Group", siteSectionIds: [one] },
      "siteSectionGroup { id }",
    );
    const siteSectionGroupId = siteSectionGroup.id;
    const paths = async () => {
      const { site } = await does<{ site: { sections: { nodes: { path: string }[] } } }>(
        "updateSite",
        { siteId },
        whole,
      );
      return site.sections.nodes.map(({ path }) => path);
    };
    expect(await paths()).toEqual(["two", "one"]);
    await does("moveSiteSectionGroup", { siteSectionGroupId, place: { beforeSiteSectionId: two } });
    expect(await paths()).toEqual(["one", "two"]);
    await does("addSectionToGroup", { siteSectionGroupId, siteSectionId: two });
    await does("moveSiteSection", { siteSectionId: two, place: { beforeSiteSectionId: one } });
    expect(
      await does("removeSectionFromGroup", { siteSectionGroupId, siteSectionId: two }, "removedId removed"),
    ).toEqual({
      removedId: two,
      removed: true,
    });
    expect(
      await does("removeSectionFromGroup", { siteSectionGroupId, siteSectionId: two }, "removedId removed"),
    ).toEqual({
      removedId: null,
      removed: false,
    });
    expect(await does("deleteSiteSectionGroup", { siteSectionGroupId }, `deletedId ${whole}`)).toMatchObject({
      deletedId: siteSectionGroupId,
      site: { sectionGroups: { nodes: [] }, sections: { nodes: [{ path: "one" }, { path: "two" }] } },
    });
  });
});

describe("site spaces", () => {
  it("come into the default section, and get numbers where their paths are taken", async () => {
    const { siteId, guide, two, inOne, inTwo, does, refused } = await makeScene();
    await does("updateSite", { siteId, defaultSiteSectionId: two });
    expect(
      await does("createSiteSpace", { siteId, spaceId: guide }, "siteSpace { title path isDefault section { path } }"),
    ).toEqual({ siteSpace: { title: "Guide", path: "guide-2", isDefault: false, section: { path: "two" } } });
    await does("moveSiteSpace", { siteSpaceId: inOne, place: { beforeSiteSpaceId: inTwo } });
    expect(await does("updateSite", { siteId }, whole)).toMatchObject({
      site: {
        // The section stays, empty; what was first in the default one is so no more, since none was chosen.
        sections: {
          nodes: [
            { path: "one", siteSpaces: { nodes: [] } },
            { path: "two", siteSpaces: { nodes: [{ path: "guide-3" }, { path: "guide" }, { path: "guide-2" }] } },
          ],
        },
        defaultSiteSpace: { path: "guide-3" },
      },
    });
    expect(await refused("updateSiteSpace", { siteSpaceId: inOne, path: "guide" })).toEqual(["CONFLICT", "path"]);
    expect(await refused("moveSiteSpace", { siteSpaceId: inOne, place: { afterSiteSpaceId: inOne } })).toEqual([
      "INVALID_INPUT",
      "place",
    ]);
  });

  it("show another space under the same path", async () => {
    const { other, inOne, does } = await makeScene();
    const answer = "siteSpace { title path space { id } }";
    expect(await does("updateSiteSpace", { siteSpaceId: inOne, spaceId: other }, answer)).toEqual({
      siteSpace: { title: "Guide!", path: "guide", space: { id: other } },
    });
    expect(await does("updateSiteSpace", { siteSpaceId: inOne, title: "Ours" }, answer)).toMatchObject({
      siteSpace: { title: "Ours" },
    });
  });
});

describe("publishSite", () => {
  it("notes when and by whom, once", async () => {
    const { siteId, admin, does } = await makeScene();
    const answer = "site { published publishedAt publishedBy { id } urls { published } }";
    const first = await does<{ site: { publishedAt: string } }>("publishSite", { siteId }, answer);
    expect(first).toMatchObject({ site: { published: true, publishedBy: { id: admin.id } } });
    expect(await does("publishSite", { siteId }, answer)).toEqual(first);
    expect(await does("unpublishSite", { siteId }, answer)).toEqual({
      site: { published: false, publishedAt: null, publishedBy: null, urls: { published: null } },
    });
  });
});
