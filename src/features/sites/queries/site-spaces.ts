// Where site spaces are asked for: from sites and sections; and the way from them to the space that they show.
import { pageSize } from "#src/db/page.ts";
import { siteSpacesOfSection, siteSpacesOfSite } from "#src/features/sites/reads/site-spaces.ts";
import { namedSites } from "#src/features/sites/reads/sites.ts";
import { SiteSection } from "#src/features/sites/type/section.ts";
import { SiteSpace } from "#src/features/sites/type/site-space.ts";
import { Site } from "#src/features/sites/type/site.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { builder } from "#src/graph/builder.ts";

builder.prismaObjectFields(Site, (t) => ({
  siteSpaces: t.list(siteSpacesOfSite, "The spaces placed on it, in their order, whether in a section or not.", {
    args: {
      default: t.arg.boolean({
        description: "True lists only the default ones (`isDefault`), false only the others.",
      }),
    },
  }),
  siteSpace: t.pick(siteSpacesOfSite, "One of the spaces placed on it. NOT_FOUND when there is none with this id."),
}));

builder.prismaObjectFields(SiteSection, (t) => ({
  siteSpaces: t.list(siteSpacesOfSection, "The spaces placed in it, in their order."),
  siteSpaceList: t.rows(siteSpacesOfSection, `The same as a plain list, without pages: the first ${pageSize.max}.`),
}));

builder.prismaObjectFields(SiteSpace, (t) => ({
  site: t.row(namedSites, "siteId", "Its site."),
  space: t.rowOrNull(
    spaces,
    "spaceId",
    "The space that it shows; null when it is deleted, and for those who may not see that space.",
  ),
}));
