// Writing sites in GraphQL: results, refusals, and the time and user of publication.
import { describe, expect, it } from "vitest";
import { makeScene as sceneOf } from "#test/features/sites/scene.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const makeScene = () => sceneOf(app, world);

describe("createSite", () => {
  it("makes names from the title, numbered if taken, and adds spaces in order", async () => {
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

  it("creates a space with the site, or an empty site without input", async () => {
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
  it("changes the given fields, and removes the proxy by null", async () => {
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

  it("sets an icon of either form or none, and refuses other forms", async () => {
    const { siteId, does, refused } = await makeScene();
    const icon = async (given: object | null) =>
      (await does<{ site: { icon: object | null } }>("updateSite", { siteId, icon: given }, iconAnswer)).site.icon;
    const light = "https://example.com/light.png";
    expect(await icon({ images: { light } })).toEqual({ emoji: null, images: { light, dark: null } });
    expect(await icon({ images: { light, dark: null } })).toEqual({ emoji: null, images: { light, dark: null } });
    expect(await icon({ emoji: "🦊" })).toEqual({ emoji: "🦊", images: null });
    expect(await icon(null)).toBeNull();
    const changes = (await app.eventsOf(siteId)).map(({ payload }) => (payload as { changes: object[] }).changes);
    expect(changes).toEqual([
      [{ field: "icon.images.light", before: null, after: light }],
      [
        { field: "icon.emoji", before: null, after: "🦊" },
        { field: "icon.images.light", before: light, after: null },
      ],
      [{ field: "icon.emoji", before: "🦊", after: null }],
    ]);
    for (const [given, at] of [
      [{ emoji: "" }, "icon/emoji"],
      [{ images: {} }, "icon/images"],
      [{ images: { dark: "javascript:alert(1)" } }, "icon/images/dark"],
    ] as const)
      expect(await refused("updateSite", { siteId, icon: given })).toEqual(["INVALID_INPUT", at]);
  });

  it("refuses names of other sites, and defaults that are not part of the site", async () => {
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

const iconAnswer = "site { icon { emoji images { light dark } } }";

describe("deleteSite", () => {
  it("keeps the spaces, and resets default content of organizations", async () => {
    const { organizationId, siteId, guide, does } = await makeScene();
    await does("updateOrganization", { organizationId, opensOn: { siteId } });
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

describe("publishSite", () => {
  it("records time and user once", async () => {
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
