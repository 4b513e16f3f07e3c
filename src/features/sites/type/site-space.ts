// The GraphQL type SiteSpace.
import { siteSpaces } from "#src/features/sites/reads/site-spaces.ts";
import { publishedAddress, shareKeyArgument, SiteSpaceUrls } from "#src/features/sites/type/urls.ts";
import { defineNode } from "#src/graph/nodes.ts";

export const SiteSpace = defineNode("SiteSpace", siteSpaces, {
  description: "A space as it is placed on a site.",
  resource: "site-space",
  fields: (t) => ({
    title: t.exposeString("title", { description: "Title on the site." }),
    path: t.exposeString("path", { description: "Path in its section, or on the site when it is in none." }),
    isDefault: t.exposeBoolean("isDefault", {
      description: "Whether it is the default of its section, or of the site when it is in none.",
    }),
    condition: t.exposeString("condition", {
      nullable: true,
      description: "Expression that decides whether a visitor is shown it; null shows it to all.",
    }),
    hasAdvancedCustomizationFeature: t.exposeBoolean("hasAdvancedCustomizationFeature", {
      description: "Whether advanced customization is on for it.",
    }),
    siteId: t.exposeID("siteId", { description: "Id of its site." }),
    sectionId: t.exposeID("sectionId", {
      nullable: true,
      description: "Id of the section that it is in; null at the root of the site.",
    }),
    urls: t.field({
      type: SiteSpaceUrls,
      description: "Links.",
      args: shareKeyArgument,
      select: { path: true, sectionPath: true, publishedSite: true },
      resolve: ({ path, sectionPath, publishedSite }, { shareKey }, { publicUrl }) => {
        const parts = sectionPath === null ? [path] : [sectionPath, path];
        return { published: publishedAddress(publishedSite, { publicUrl, shareKey }, parts) };
      },
    }),
  }),
});
