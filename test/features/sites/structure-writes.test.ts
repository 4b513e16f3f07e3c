// Writing sections, groups and site spaces in GraphQL: what happens to their contents, generated paths, and refusals.
import { describe, expect, it } from "vitest";
import { makeScene as sceneOf, whole } from "#test/features/sites/scene.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const makeScene = () => sceneOf(app, world);

describe("sections of a site", () => {
  it("replace the root, whose site spaces move into the first section", async () => {
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

  it("move their site spaces and condition to another section when deleted, the last one to the root", async () => {
    const { siteId, one, two, inTwo, does } = await makeScene();
    await does("updateSiteSection", { siteSectionId: two, condition: "true" });
    await does("updateSiteSpace", { siteSpaceId: inTwo, condition: "false" });
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
                  { path: "guide-2", condition: "(true) && (false)", isDefault: false },
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

  it("refuse conditions that are too long when joined, and a target that is not another section", async () => {
    const { one, two, inTwo, does, refused } = await makeScene();
    await does("updateSiteSection", { siteSectionId: two, condition: `${"!".repeat(400)}true` });
    await does("updateSiteSpace", { siteSpaceId: inTwo, condition: `${"!".repeat(400)}false` });
    expect(await refused("deleteSiteSection", { siteSectionId: two })).toEqual(["INVALID_INPUT", "siteSectionId"]);
    expect(await refused("deleteSiteSection", { siteSectionId: one, toSiteSectionId: one })).toEqual([
      "INVALID_INPUT",
      "toSiteSectionId",
    ]);
  });

  it("have unique paths", async () => {
    const { siteId, guide, one, does, refused } = await makeScene();
    expect(await refused("updateSiteSection", { siteSectionId: one, path: "two" })).toEqual(["CONFLICT", "path"]);
    expect(await refused("updateSiteSection", { siteSectionId: one, path: "a/b" })).toEqual(["INVALID_INPUT", "path"]);
    expect(
      await does("createSiteSection", { siteId, spaceId: guide, title: "Two" }, "siteSection { title path }"),
    ).toEqual({ siteSection: { title: "Two", path: "two-2" } });
  });

  it("are unchanged by an empty update", async () => {
    const { organizationId, one, inOne, does } = await makeScene();
    await does("updateSiteSection", { siteSectionId: one });
    await does("updateSiteSpace", { siteSpaceId: inOne, path: "guide" });
    expect(await app.eventsIn(organizationId)).toEqual([]);
  });
});

describe("section groups of a site", () => {
  it("precede their sections in one order, and leave them in place when deleted", async () => {
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
    expect(await does("removeSectionFromGroup", { siteSectionGroupId, siteSectionId: two }, "removedId")).toEqual({
      removedId: two,
    });
    expect(await does("removeSectionFromGroup", { siteSectionGroupId, siteSectionId: two }, "removedId")).toEqual({
      removedId: null,
    });
    expect(await does("deleteSiteSectionGroup", { siteSectionGroupId }, `deletedId ${whole}`)).toMatchObject({
      deletedId: siteSectionGroupId,
      site: { sectionGroups: { nodes: [] }, sections: { nodes: [{ path: "one" }, { path: "two" }] } },
    });
  });
});

describe("site spaces of a site", () => {
  it("are added to the default section, with numbered paths if taken", async () => {
    const { siteId, guide, two, inOne, inTwo, does, refused } = await makeScene();
    await does("updateSite", { siteId, defaultSiteSectionId: two });
    expect(
      await does(
        "createSiteSpace",
        { siteId, spaceId: guide },
        "siteSpace { title path isDefault siteSection { path } }",
      ),
    ).toEqual({ siteSpace: { title: "Guide", path: "guide-2", isDefault: false, siteSection: { path: "two" } } });
    await does("moveSiteSpace", { siteSpaceId: inOne, place: { beforeSiteSpaceId: inTwo } });
    expect(await does("updateSite", { siteId }, whole)).toMatchObject({
      site: {
        // The empty section stays; the first of the default section no longer is the default, since none was chosen.
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

  it("can show another space under the same path", async () => {
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
