// The query fields of SAML providers, and of the ways to sign in to an organization.
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { readSamlMetadata } from "#src/features/saml/commands/providers.ts";
import { findClosedMemberships, findSsoLogins, samlProvidersOfOrganization } from "#src/features/saml/reads.ts";
import { ClosedMembership, SamlMetadata, SamlProvider, SsoLogin } from "#src/features/saml/type.ts";
import { teams } from "#src/features/teams/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { openToVisitors } from "#src/graph/run/visitors.ts";

builder.prismaObjectFields(Organization, (t) => ({
  samlProviders: t.list(
    samlProvidersOfOrganization,
    "Its SAML providers, oldest first. FORBIDDEN unless you administer the organization.",
  ),
  samlProvider: t.pick(
    samlProvidersOfOrganization,
    "One of its SAML providers by its id. NOT_FOUND if it does not exist; FORBIDDEN unless you administer the organization.",
  ),
}));

builder.prismaObjectFields(SamlProvider, (t) => ({
  organization: t.row(organizations, "organizationId", "The organization."),
  defaultTeam: t.rowOrNull(
    teams,
    "defaultTeamId",
    "The team that new users join at their first sign-in; null without one.",
  ),
}));

builder.queryField("ssoLogins", (t) =>
  t.field({
    type: [SsoLogin],
    nullable: true,
    description:
      "The single sign-on options of an organization, oldest first. Public, since login pages need them before a sign-in. NOT_FOUND for outsiders if the organization has none.",
    args: { organizationId: t.arg.id({ required: true, description: "Id of the organization." }) },
    extensions: openToVisitors,
    resolve: (_root, { organizationId }, context) => findSsoLogins(context, organizationId),
  }),
);

builder.queryField("closedMemberships", (t) =>
  t.field({
    type: [ClosedMembership],
    nullable: true,
    description:
      "The organizations of the viewer that this session or token cannot access, since they require single sign-on: at most 100, by title, with the ways to sign in. `removeMember` leaves one.",
    resolve: (_root, _args, context) => findClosedMemberships(context),
  }),
);

const SamlMetadataSource = builder.inputType("SamlMetadataSource", {
  description: "The source of the metadata of an identity provider: set exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    url: t.string({ description: "Address to fetch it from." }),
    xml: t.string({ description: "The metadata itself." }),
  }),
});

builder.queryField("samlProviderFromMetadata", (t) =>
  t.field({
    type: SamlMetadata,
    nullable: true,
    description:
      "Reads the metadata of an identity provider, for `createSamlProvider` and `updateSamlProvider`; nothing is stored. For admins of the organization. INVALID_INPUT, with the fault, if it cannot be fetched, is not valid metadata, or was changed after it was signed.",
    args: {
      organizationId: t.arg.id({ required: true, description: "Id of the organization." }),
      from: t.arg({ type: SamlMetadataSource, required: true, description: "Source of the metadata." }),
    },
    resolve: (_root, { organizationId, from }, context) => readSamlMetadata(context, organizationId, from),
  }),
);
