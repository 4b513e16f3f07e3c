// Where sites are asked for: `site`, and from organizations.
import type { Viewer } from "#src/access/viewer.ts";
import { found } from "#src/base/errors.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { sites, sitesOfOrganization } from "#src/features/sites/reads/sites.ts";
import { Site } from "#src/features/sites/type/site.ts";
import { builder } from "#src/graph/builder.ts";
import { wanted } from "#src/graph/selection.ts";

const oneArguments = builder.args((t) => ({
  id: t.id({ required: true, description: "Id of the site." }),
  shareKey: t.string({ description: "Secret key of the link, which opens a published share-link site." }),
}));

/** The viewer with the key of a link, which opens one site to them. */
const withKey = (viewer: Viewer, { shareKey }: { shareKey?: string | null | undefined }): Viewer =>
  shareKey == null ? viewer : { ...viewer, shareKey };

builder.queryField("site", (t) =>
  t.field({
    type: Site,
    nullable: true,
    description: "A site. NOT_FOUND when there is none with this id that the viewer may see.",
    args: {
      ...oneArguments,
      organization: t.arg.id({ description: "Id of an organization: only when the site belongs to it." }),
    },
    resolve: async (_root, { id, organization, ...key }, { reader, viewer }, info) => {
      const opened = key.shareKey == null ? reader : reader.as(withKey(viewer, key));
      if (organization == null) return opened.found(sites, id, wanted(info));
      const site = opened.pick(sitesOfOrganization, { id: organization }, { key: { id }, wanted: wanted(info) });
      return found(await site, "site");
    },
  }),
);

builder.prismaObjectFields(Organization, (t) => ({
  sites: t.list(sitesOfOrganization, "Its sites that the viewer may see, oldest first.", {
    args: {
      space: t.arg.id({ description: "Only sites that show the space of this id." }),
      title: t.arg.string({ description: "Only sites with this text in their title, in any letter case." }),
      published: t.arg.boolean({ description: "True lists those that are published, false the others." }),
    },
  }),
  site: t.pick(
    sitesOfOrganization,
    "One of its sites. NOT_FOUND when there is none with this id that the viewer may see.",
    {
      args: oneArguments,
      key: ({ id }) => ({ id }),
      scope: withKey,
    },
  ),
}));

builder.prismaObjectField(Site, "organization", (t) =>
  t.rowOrNull(organizations, "organizationId", "The owning organization; null for those outside it."),
);
