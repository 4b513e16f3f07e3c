// Where section groups are asked for: from sites and sections.
import { found } from "#src/base/errors.ts";
import { findSectionGroupIn, groupOfSection, pageSectionGroups } from "#src/features/sites/reads/groups.ts";
import { namedSite } from "#src/features/sites/reads/sites.ts";
import { SiteSection, SiteSectionGroup, SiteSectionGroupConnection } from "#src/features/sites/type/section.ts";
import { Site } from "#src/features/sites/type/site.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.objectFields(Site, (t) => ({
  sectionGroups: t.field({
    type: SiteSectionGroupConnection,
    description: "Its section groups, in their order.",
    args: pageArguments,
    columns: ["id"],
    resolve: (site, args, context, info) =>
      pageSectionGroups(context, site, args, wantedRows(info, "SiteSectionGroup")),
  }),
  sectionGroup: t.field({
    type: SiteSectionGroup,
    nullable: true,
    description: "One of its section groups. NOT_FOUND when there is none with this id.",
    args: { id: t.arg.id({ required: true, description: "Id of the section group." }) },
    columns: ["id"],
    resolve: async (site, { id }, context, info) =>
      found(await findSectionGroupIn(context, site, id, wantedRows(info, "SiteSectionGroup")), "section group"),
  }),
}));

builder.objectField(SiteSection, "sectionGroup", (t) =>
  t.field({
    type: SiteSectionGroup,
    nullable: true,
    description: "The group that it is in; null when it is in none.",
    columns: ["sectionGroupId"],
    resolve: (section, _args, context, info) => groupOfSection(context, section, wantedRows(info, "SiteSectionGroup")),
  }),
);

builder.objectField(SiteSectionGroup, "site", (t) =>
  t.field({
    type: Site,
    description: "Its site.",
    columns: ["siteId"],
    resolve: (group, _args, context, info) => namedSite(context, group, wantedRows(info, "Site")),
  }),
);
