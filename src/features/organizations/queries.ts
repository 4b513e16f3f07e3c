// Where organizations are asked for: `organization`, `organizations` and `organizationsByEmailDomain`.
import { found } from "#src/base/errors.ts";
import {
  findOrganization,
  findOrganizationsByEmailDomain,
  pageOrganizations,
} from "#src/features/organizations/reads.ts";
import { Organization, OrganizationConnection } from "#src/features/organizations/type/organization.ts";
import { OrganizationProfile } from "#src/features/organizations/type/profile.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.queryFields((t) => ({
  organization: t.field({
    type: Organization,
    nullable: true,
    description: "An organization that the viewer is in. NOT_FOUND for any other.",
    args: { id: t.arg.id({ required: true, description: "Id of the organization." }) },
    resolve: async (_root, { id }, context, info) =>
      found(await findOrganization(context, id, wantedRows(info, "Organization")), "organization"),
  }),
  organizations: t.field({
    type: OrganizationConnection,
    description: "The organizations that the viewer is in, by title.",
    args: pageArguments,
    resolve: (_root, args, context, info) => pageOrganizations(context, args, wantedRows(info, "Organization")),
  }),
  organizationsByEmailDomain: t.field({
    type: [OrganizationProfile],
    description:
      "The organizations with this e-mail domain, by title: those that the viewer is in, and a preview of the others when the viewer's own e-mail address is of the domain. Nobody finds an organization in which their membership is switched off.",
    args: { domain: t.arg.string({ required: true, description: "The domain, in any letter case." }) },
    resolve: (_root, { domain }, context, info) =>
      findOrganizationsByEmailDomain(context, domain, wantedRows(info, "Organization")),
  }),
}));
