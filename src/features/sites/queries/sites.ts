// Where sites are asked for: `site`, and from organizations.
import { found } from "#src/base/errors.ts";
import { findOrganization } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { findSite, findSiteIn, pageSites } from "#src/features/sites/reads/sites.ts";
import { Site, SiteConnection } from "#src/features/sites/type/site.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

const oneArguments = builder.args((t) => ({
  id: t.id({ required: true, description: "Id of the site." }),
  shareKey: t.string({ description: "Secret key of the link, which opens a published share-link site." }),
}));

builder.queryField("site", (t) =>
  t.field({
    type: Site,
    nullable: true,
    description: "A site. NOT_FOUND when there is none with this id that the viewer may see.",
    args: {
      ...oneArguments,
      organization: t.arg.id({ description: "Id of an organization: only when the site belongs to it." }),
    },
    resolve: async (_root, { id, shareKey = null, organization }, context, info) => {
      const wanted = wantedRows(info, "Site");
      const site =
        organization == null
          ? findSite(context, id, wanted, shareKey)
          : findSiteIn(context, organization, { id, shareKey }, wanted);
      return found(await site, "site");
    },
  }),
);

builder.objectFields(Organization, (t) => ({
  sites: t.field({
    type: SiteConnection,
    description: "Its sites that the viewer may see, oldest first.",
    args: {
      ...pageArguments,
      space: t.arg.id({ description: "Only sites that show the space of this id." }),
      title: t.arg.string({ description: "Only sites with this text in their title, in any letter case." }),
      published: t.arg.boolean({ description: "True lists those that are published, false the others." }),
    },
    columns: ["id"],
    resolve: (organization, { space = null, title = null, published = null, ...page }, context, info) =>
      pageSites(context, organization, { ...page, space, title, published }, wantedRows(info, "Site")),
  }),
  site: t.field({
    type: Site,
    nullable: true,
    description: "One of its sites. NOT_FOUND when there is none with this id that the viewer may see.",
    args: oneArguments,
    columns: ["id"],
    resolve: async (organization, { id, shareKey = null }, context, info) =>
      found(await findSiteIn(context, organization.id, { id, shareKey }, wantedRows(info, "Site")), "site"),
  }),
}));

builder.objectField(Site, "organization", (t) =>
  t.field({
    type: Organization,
    nullable: true,
    description: "The owning organization; null for those outside it.",
    columns: ["organizationId"],
    resolve: ({ organizationId }, _args, context, info) =>
      findOrganization(context, organizationId, wantedRows(info, "Organization")),
  }),
);
