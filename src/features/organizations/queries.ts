// The queries of organizations: `organization`, `organizations` and `organizationsByEmailDomain`.
import { titleFilter } from "#src/features/organizations/type/enums.ts";
import {
  findOrganizationsByEmailDomain,
  organizationsOfViewer,
  organizations,
} from "#src/features/organizations/reads.ts";
import { OrganizationOrder } from "#src/features/organizations/type/organization.ts";
import { OrganizationProfile } from "#src/features/organizations/type/profile.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

builder.queryFields((t) => ({
  organization: t.find(
    organizations,
    "An organization of the viewer by its id. NOT_FOUND if you are not in an organization with this id.",
  ),
  organizations: t.list(organizationsOfViewer, "The organizations of the viewer, by title.", {
    args: {
      title: t.arg.string(titleFilter),
      orderBy: t.arg({
        type: OrganizationOrder,
        description: "Sort order; by default by title, uppercase before lowercase letters.",
      }),
    },
  }),
  organizationsByEmailDomain: t.field({
    type: [OrganizationProfile],
    description:
      "The organizations with this e-mail domain, by title: those of the viewer, and a preview of the one that has verified the domain if the viewer's own e-mail address has it. Without organizations in which the viewer's membership is disabled.",
    args: { domain: t.arg.string({ required: true, description: "The domain, case-insensitive." }) },
    resolve: (_root, { domain }, context, info) => findOrganizationsByEmailDomain(context, domain, projectionOf(info)),
  }),
}));
