// Where section groups are asked for: from sites and sections.
import { groupsOfSite, namedGroups } from "#src/features/sites/reads/groups.ts";
import { namedSites } from "#src/features/sites/reads/sites.ts";
import { SiteSection, SiteSectionGroup } from "#src/features/sites/type/section.ts";
import { Site } from "#src/features/sites/type/site.ts";
import { builder } from "#src/graph/builder.ts";

builder.prismaObjectFields(Site, (t) => ({
  sectionGroups: t.list(groupsOfSite, "Its section groups, in their order."),
  sectionGroup: t.pick(groupsOfSite, "One of its section groups. NOT_FOUND when there is none with this id."),
}));

builder.prismaObjectField(SiteSection, "sectionGroup", (t) =>
  t.rowOrNull(namedGroups, "sectionGroupId", "The group that it is in; null when it is in none."),
);

builder.prismaObjectField(SiteSectionGroup, "site", (t) => t.row(namedSites, "siteId", "Its site."));
