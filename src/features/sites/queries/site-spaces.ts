// Where site spaces are asked for: from sites and sections; and the way from them to the space that they show.
import { found } from "#src/base/errors.ts";
import { pageSize } from "#src/db/reader.ts";
import {
  findSiteSpaceIn,
  pageSiteSpacesOfSection,
  pageSiteSpacesOfSite,
} from "#src/features/sites/reads/site-spaces.ts";
import { namedSite } from "#src/features/sites/reads/sites.ts";
import { SiteSection } from "#src/features/sites/type/section.ts";
import { SiteSpace, SiteSpaceConnection } from "#src/features/sites/type/site-space.ts";
import { Site } from "#src/features/sites/type/site.ts";
import { findSpace } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.objectFields(Site, (t) => ({
  siteSpaces: t.field({
    type: SiteSpaceConnection,
    description: "The spaces placed on it, in their order, whether in a section or not.",
    args: {
      ...pageArguments,
      default: t.arg.boolean({
        description: "True lists only the default ones (`isDefault`), false only the others.",
      }),
    },
    columns: ["id"],
    resolve: (site, { default: isDefault = null, ...page }, context, info) =>
      pageSiteSpacesOfSite(context, site, { ...page, isDefault }, wantedRows(info, "SiteSpace")),
  }),
  siteSpace: t.field({
    type: SiteSpace,
    nullable: true,
    description: "One of the spaces placed on it. NOT_FOUND when there is none with this id.",
    args: { id: t.arg.id({ required: true, description: "Id of the site space." }) },
    columns: ["id"],
    resolve: async (site, { id }, context, info) =>
      found(await findSiteSpaceIn(context, site, id, wantedRows(info, "SiteSpace")), "site space"),
  }),
}));

builder.objectFields(SiteSection, (t) => ({
  siteSpaces: t.field({
    type: SiteSpaceConnection,
    description: "The spaces placed in it, in their order.",
    args: pageArguments,
    columns: ["id"],
    resolve: (section, args, context, info) =>
      pageSiteSpacesOfSection(context, section, args, wantedRows(info, "SiteSpace")),
  }),
  siteSpaceList: t.field({
    type: [SiteSpace],
    description: `The same as a plain list, without pages: the first ${pageSize.max}.`,
    columns: ["id"],
    resolve: async (section, _args, context, info) => {
      const page = { first: pageSize.max };
      return [...(await pageSiteSpacesOfSection(context, section, page, wantedRows(info, "SiteSpace"))).nodes];
    },
  }),
}));

builder.objectFields(SiteSpace, (t) => ({
  site: t.field({
    type: Site,
    description: "Its site.",
    columns: ["siteId"],
    resolve: (siteSpace, _args, context, info) => namedSite(context, siteSpace, wantedRows(info, "Site")),
  }),
  space: t.field({
    type: Space,
    nullable: true,
    description: "The space that it shows; null when it is deleted, and for those who may not see that space.",
    columns: ["spaceId"],
    resolve: ({ spaceId }, _args, context, info) => findSpace(context, spaceId, wantedRows(info, "Space")),
  }),
}));
