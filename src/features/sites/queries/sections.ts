// Where sections are asked for: from sites, section groups and site spaces.
import { pageSize } from "#src/db/page.ts";
import { namedSections, sectionsOfGroup, sectionsOfSite } from "#src/features/sites/reads/sections.ts";
import { namedSites } from "#src/features/sites/reads/sites.ts";
import { SiteSection, SiteSectionGroup } from "#src/features/sites/type/section.ts";
import { SiteSpace } from "#src/features/sites/type/site-space.ts";
import { Site } from "#src/features/sites/type/site.ts";
import { builder } from "#src/graph/builder.ts";

builder.prismaObjectFields(Site, (t) => ({
  sections: t.list(sectionsOfSite, "Its sections, in their order, whether in a group or not."),
  section: t.pick(sectionsOfSite, "One of its sections. NOT_FOUND when there is none with this id."),
}));

builder.prismaObjectFields(SiteSectionGroup, (t) => ({
  sections: t.list(sectionsOfGroup, "The sections in it, in their order."),
  sectionList: t.rows(sectionsOfGroup, `The same as a plain list, without pages: the first ${pageSize.max}.`),
}));

builder.prismaObjectField(SiteSection, "site", (t) => t.row(namedSites, "siteId", "Its site."));

builder.prismaObjectField(SiteSpace, "section", (t) =>
  t.rowOrNull(namedSections, "sectionId", "The section that it is in; null at the root of the site."),
);
