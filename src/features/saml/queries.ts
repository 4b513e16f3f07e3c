// Where SAML providers are asked for, and how people can sign in to an organization.
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
    "Its SAML providers, oldest first. FORBIDDEN for all but its admins.",
  ),
  samlProvider: t.pick(
    samlProvidersOfOrganization,
    "One of its SAML providers. NOT_FOUND when there is none of this id, FORBIDDEN for all but its admins.",
  ),
}));

builder.prismaObjectFields(SamlProvider, (t) => ({
  organization: t.row(organizations, "organizationId", "The organization."),
  defaultTeam: t.rowOrNull(
    teams,
    "defaultTeamId",
    "The team that those join who come by it for the first time; null for none.",
  ),
}));

builder.queryField("ssoLogins", (t) =>
  t.field({
    type: [SsoLogin],
    nullable: true,
    description:
      "How people can sign in to an organization by single sign-on, oldest first: for everybody, also before anybody is signed in. Outside the organization NOT_FOUND if it has none.",
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
      "The organizations that the viewer is in, but that this session or token does not open, since they want single sign-on: at most 100, by title, with where to sign in. `removeMember` leaves one.",
    resolve: (_root, _args, context) => findClosedMemberships(context),
  }),
);

const SamlMetadataSource = builder.inputType("SamlMetadataSource", {
  description: "Where the metadata of an identity provider is: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    url: t.string({ description: "Its address, from which it is fetched." }),
    xml: t.string({ description: "The metadata itself." }),
  }),
});

builder.queryField("samlProviderFromMetadata", (t) =>
  t.field({
    type: SamlMetadata,
    nullable: true,
    description:
      "Reads the metadata of an identity provider, for `createSamlProvider` and `updateSamlProvider`; nothing is kept. For admins of the organization. INVALID_INPUT, with the fault, if it cannot be fetched, is not metadata, or was changed after it was signed.",
    args: {
      organizationId: t.arg.id({ required: true, description: "Id of the organization." }),
      from: t.arg({ type: SamlMetadataSource, required: true, description: "Where the metadata is." }),
    },
    resolve: (_root, { organizationId, from }, context) => readSamlMetadata(context, organizationId, from),
  }),
);
