// Where integrations are asked for: `integration`, `integrations`, and those of an organization.
import {
  namePattern,
  checkBlockDomains,
  checkIntegrationName,
} from "#src/features/integrations/model/manifest/names.ts";
import {
  integrations,
  integrationsOfOrganization,
  listedIntegrations,
  versionsOfIntegration,
} from "#src/features/integrations/reads.ts";
import { Integration, IntegrationVersion } from "#src/features/integrations/type/integration.ts";
import { IntegrationCategory, IntegrationScope, IntegrationTarget } from "#src/features/integrations/type/parts.ts";
import { organizations, publishers } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { OrganizationProfile } from "#src/features/organizations/type/profile.ts";
import { users } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

const nobody = "null when that is not known, and for those who share no organization with them.";

const filters = builder.args((t) => ({
  search: t.string({
    description:
      "Only those whose name contains this text, in any letter case; the list is looked through in its order.",
  }),
  category: t.field({ type: IntegrationCategory, description: "Only those of this category." }),
  blockDomains: t.stringList({
    extensions: limited({ items: { type: "string", pattern: namePattern } }),
    description: "Only those with a block for addresses of one of these hosts. INVALID_INPUT for what is no host.",
  }),
  hasBlocks: t.boolean({ description: "True lists only those with blocks, false only those without." }),
  hasContentSources: t.boolean({
    description: "True lists only those with content sources, false only those without.",
  }),
  scope: t.field({ type: IntegrationScope, description: "Only those that ask for this scope." }),
  target: t.field({ type: IntegrationTarget, description: "Only those with this target." }),
}));

/** The filter with checked hosts. */
function checked<Filter extends { readonly blockDomains?: readonly string[] | null | undefined }>(filter: Filter) {
  const { blockDomains } = filter;
  return { ...filter, blockDomains: blockDomains && checkBlockDomains(blockDomains) };
}

builder.queryFields((t) => ({
  integration: t.pick(
    listedIntegrations,
    "The integration of a name. INVALID_INPUT for what cannot be a name. NOT_FOUND when there is none that the viewer may see.",
    {
      args: builder.args((t) => ({
        name: t.string({ required: true, extensions: limited({ pattern: namePattern }), description: "Its name." }),
      })),
      key: ({ name }) => ({ name: checkIntegrationName(name) }),
    },
  ),
  integrations: t.list(
    listedIntegrations,
    "The integrations that the viewer finds, by name: public ones, and all of the organizations that they are members of.",
    {
      args: {
        ...filters,
        organizationId: t.arg.id({ description: "Only those that the organization of this id publishes." }),
      },
      filter: checked,
    },
  ),
}));

builder.prismaObjectField(Organization, "integrations", (t) =>
  t.list(integrationsOfOrganization, "The integrations that it publishes, by name. FORBIDDEN for guests.", {
    args: filters,
    filter: checked,
  }),
);

builder.prismaObjectFields(Integration, (t) => ({
  organization: t.rowOrNull(
    organizations,
    "organizationId",
    "The organization that publishes it; null for those outside it.",
  ),
  publisher: t.field({
    type: OrganizationProfile,
    description: "The organization that publishes it, as everybody who sees the integration is shown it.",
    select: { organizationId: true },
    resolve: ({ organizationId }, _args, { reader }, info) =>
      reader.found(publishers, organizationId, projectionOf(info)),
  }),
  versions: t.list(versionsOfIntegration, "All that was published of it, the latest first."),
  createdBy: t.rowOrNull(users, "createdById", `Who published it first; ${nobody}`),
}));

builder.prismaObjectFields(IntegrationVersion, (t) => ({
  integration: t.row(integrations, "integrationId", "The integration, as it is now."),
  createdBy: t.rowOrNull(users, "createdById", `Who published it; ${nobody}`),
}));
