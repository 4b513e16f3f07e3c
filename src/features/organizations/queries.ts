// Where organizations are asked for: `organization`, `organizations` and `organizationsByEmailDomain`.
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
  organization: t.find(organizations, "An organization that the viewer is in. NOT_FOUND for any other."),
  organizations: t.list(organizationsOfViewer, "The organizations that the viewer is in, by title.", {
    args: {
      title: t.arg.string(titleFilter),
      orderBy: t.arg({
        type: OrganizationOrder,
        description: "How they are sorted; by title with capital letters before small ones when left out.",
      }),
    },
  }),
  organizationsByEmailDomain: t.field({
    type: [OrganizationProfile],
    description:
      "The organizations with this e-mail domain, by title: those that the viewer is in, and a preview of the one for which the domain counts when the viewer's own e-mail address is of it. Nobody finds an organization in which their membership is switched off.",
    args: { domain: t.arg.string({ required: true, description: "The domain, in any letter case." }) },
    resolve: (_root, { domain }, context, info) => findOrganizationsByEmailDomain(context, domain, projectionOf(info)),
  }),
}));
