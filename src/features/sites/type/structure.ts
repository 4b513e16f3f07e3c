// The GraphQL types SiteSection, SiteSectionGroup and SiteSpace.
import { ofLength } from "#src/graph/schema/rest-forms.ts";
import { groups, sections, siteSpaces } from "#src/features/sites/reads.ts";
import { publishedAddress, shareKeyArgument, SiteSectionUrls, SiteSpaceUrls } from "#src/features/sites/type/urls.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";

const positionInStructure = {
  description:
    "Sort key among the sections and groups of the site, compared byte by byte: a group comes right before its sections.",
};
const condition = {
  extensions: ofLength({ min: 1, max: 1024 }),
  nullable: true,
  description: "Expression that decides which visitors see it; null shows it to all.",
} as const;
const icon = { extensions: ofLength({ max: 50 }), nullable: true, description: "Name of an icon." } as const;

export const SiteSection = defineNode("SiteSection", sections, {
  description: "A section of a site, with spaces in it.",
  resource: "site-section",
  fields: (t) => ({
    title: t.exposeString("title", {
      extensions: ofLength({ min: 2, max: 128 }),
      description: "Title, 2 to 128 characters.",
    }),
    description: t.exposeString("description", {
      extensions: ofLength({ max: 256 }),
      nullable: true,
      description: "Description, at most 256 characters.",
    }),
    isDefault: t.exposeBoolean("isDefault", {
      description: "Whether it is the default section of its site: the chosen one, or else the first.",
    }),
    path: t.exposeString("path", {
      extensions: ofLength({ min: 1, max: 100 }),
      description: "Path on the site, unique there.",
    }),
    position: t.exposeString("position", positionInStructure),
    condition: t.exposeString("condition", condition),
    icon: t.exposeString("icon", icon),
    siteId: t.exposeID("siteId", { description: "Id of its site." }),
    siteSectionGroupId: t.exposeID("sectionGroupId", {
      nullable: true,
      description: "Id of the group that contains it; null without one.",
    }),
    urls: t.field({
      type: SiteSectionUrls,
      description: "Links.",
      args: shareKeyArgument,
      select: { path: true, publishedSite: true },
      resolve: ({ path, publishedSite }, { shareKey }, { links }) => ({
        published: publishedAddress(publishedSite, { links, shareKey }, [path]),
      }),
    }),
  }),
});

export const SiteSectionGroup = defineNode("SiteSectionGroup", groups, {
  description: "A group of sections of a site.",
  resource: "site-section-group",
  fields: (t) => ({
    title: t.exposeString("title", {
      extensions: ofLength({ min: 1, max: 100 }),
      description: "Title, at most 100 characters.",
    }),
    icon: t.exposeString("icon", icon),
    position: t.exposeString("position", positionInStructure),
    siteId: t.exposeID("siteId", { description: "Id of its site." }),
  }),
});

export const SiteSpace = defineNode("SiteSpace", siteSpaces, {
  description: "A space as it is placed on a site.",
  resource: "site-space",
  fields: (t) => ({
    title: t.exposeString("title", { description: "Title on the site." }),
    path: t.exposeString("path", {
      extensions: ofLength({ min: 1, max: 100 }),
      description: "Path in its section, or on the site if it has no section.",
    }),
    isDefault: t.exposeBoolean("isDefault", {
      description:
        "Whether it is the default of its section, or of the root of the site: the chosen one, or else the first.",
    }),
    position: t.exposeString("position", {
      description:
        "Sort key among the site spaces of the site, compared byte by byte: first the root, then each section.",
    }),
    condition: t.exposeString("condition", condition),
    siteId: t.exposeID("siteId", { description: "Id of its site." }),
    siteSectionId: t.exposeID("sectionId", {
      nullable: true,
      description: "Id of the section that contains it; null at the root of the site.",
    }),
    urls: t.field({
      type: SiteSpaceUrls,
      description: "Links.",
      args: shareKeyArgument,
      select: { path: true, sectionPath: true, publishedSite: true },
      resolve: ({ path, sectionPath, publishedSite }, { shareKey }, { links }) => {
        const parts = sectionPath === null ? [path] : [sectionPath, path];
        return { published: publishedAddress(publishedSite, { links, shareKey }, parts) };
      },
    }),
  }),
});
