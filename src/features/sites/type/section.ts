// The GraphQL types SiteSection and SiteSectionGroup.
import { findSiteSectionGroup, type SiteSectionGroupRow } from "#src/features/sites/reads/groups.ts";
import { findSiteSection, type SiteSectionRow } from "#src/features/sites/reads/sections.ts";
import { publishedAddress, shareKeyArgument, SiteSectionUrls } from "#src/features/sites/type/urls.ts";
import { builder, Node, Resource } from "#src/graph/builder.ts";
import { connectionOf } from "#src/graph/connections.ts";
import { findNodesBy } from "#src/graph/nodes.ts";

export const SiteSection = builder.objectRef<SiteSectionRow>("SiteSection").implement({
  description: "A section of a site, with spaces in it.",
  interfaces: [Node, Resource],
  fields: (t) => ({
    object: t.string({ description: "Always `site-section`.", columns: [], resolve: () => "site-section" }),
    title: t.exposeString("title", { description: "Title, 2 to 128 characters." }),
    description: t.exposeString("description", { nullable: true, description: "Description, at most 256 characters." }),
    isDefault: t.exposeBoolean("isDefault", { description: "Whether it is the default section of its site." }),
    path: t.exposeString("path", { description: "Path on the site, unique there." }),
    condition: t.exposeString("condition", {
      nullable: true,
      description: "Expression that decides whether a visitor is shown it; null shows it to all.",
    }),
    icon: t.exposeString("icon", { nullable: true, description: "Name of an icon." }),
    siteId: t.exposeID("siteId", { description: "Id of its site." }),
    sectionGroupId: t.exposeID("sectionGroupId", {
      nullable: true,
      description: "Id of the group that it is in; null when it is in none.",
    }),
    urls: t.field({
      type: SiteSectionUrls,
      description: "Links.",
      args: shareKeyArgument,
      columns: ["path", "publishedSite"],
      resolve: ({ path, publishedSite }, { shareKey }, { publicUrl }) => ({
        published: publishedAddress(publishedSite, { publicUrl, shareKey }, [path]),
      }),
    }),
  }),
});

export const SiteSectionGroup = builder.objectRef<SiteSectionGroupRow>("SiteSectionGroup").implement({
  description: "A group of sections of a site.",
  interfaces: [Node, Resource],
  fields: (t) => ({
    object: t.string({ description: "Always `site-section-group`.", columns: [], resolve: () => "site-section-group" }),
    title: t.exposeString("title", { description: "Title, at most 100 characters." }),
    icon: t.exposeString("icon", { nullable: true, description: "Name of an icon." }),
    siteId: t.exposeID("siteId", { description: "Id of its site." }),
  }),
});

export const SiteSectionConnection = connectionOf(SiteSection);
export const SiteSectionGroupConnection = connectionOf(SiteSectionGroup);

findNodesBy("SiteSection", findSiteSection);
findNodesBy("SiteSectionGroup", findSiteSectionGroup);
