// Where sections are asked for: from sites, section groups and site spaces.
import { found } from "#src/base/errors.ts";
import { pageSize } from "#src/db/reader.ts";
import {
  findSectionIn,
  pageSectionsOfGroup,
  pageSectionsOfSite,
  sectionOfSiteSpace,
} from "#src/features/sites/reads/sections.ts";
import { namedSite } from "#src/features/sites/reads/sites.ts";
import { SiteSection, SiteSectionConnection, SiteSectionGroup } from "#src/features/sites/type/section.ts";
import { SiteSpace } from "#src/features/sites/type/site-space.ts";
import { Site } from "#src/features/sites/type/site.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.objectFields(Site, (t) => ({
  sections: t.field({
    type: SiteSectionConnection,
    description: "Its sections, in their order, whether in a group or not.",
    args: pageArguments,
    columns: ["id"],
    resolve: (site, args, context, info) => pageSectionsOfSite(context, site, args, wantedRows(info, "SiteSection")),
  }),
  section: t.field({
    type: SiteSection,
    nullable: true,
    description: "One of its sections. NOT_FOUND when there is none with this id.",
    args: { id: t.arg.id({ required: true, description: "Id of the section." }) },
    columns: ["id"],
    resolve: async (site, { id }, context, info) =>
      found(await findSectionIn(context, site, id, wantedRows(info, "SiteSection")), "section"),
  }),
}));

builder.objectFields(SiteSectionGroup, (t) => ({
  sections: t.field({
    type: SiteSectionConnection,
    description: "The sections in it, in their order.",
    args: pageArguments,
    columns: ["id"],
    resolve: (group, args, context, info) => pageSectionsOfGroup(context, group, args, wantedRows(info, "SiteSection")),
  }),
  sectionList: t.field({
    type: [SiteSection],
    description: `The same as a plain list, without pages: the first ${pageSize.max}.`,
    columns: ["id"],
    resolve: async (group, _args, context, info) => {
      const page = { first: pageSize.max };
      return [...(await pageSectionsOfGroup(context, group, page, wantedRows(info, "SiteSection"))).nodes];
    },
  }),
}));

builder.objectField(SiteSection, "site", (t) =>
  t.field({
    type: Site,
    description: "Its site.",
    columns: ["siteId"],
    resolve: (section, _args, context, info) => namedSite(context, section, wantedRows(info, "Site")),
  }),
);

builder.objectField(SiteSpace, "section", (t) =>
  t.field({
    type: SiteSection,
    nullable: true,
    description: "The section that it is in; null at the root of the site.",
    columns: ["sectionId"],
    resolve: (siteSpace, _args, context, info) =>
      sectionOfSiteSpace(context, siteSpace, wantedRows(info, "SiteSection")),
  }),
);
