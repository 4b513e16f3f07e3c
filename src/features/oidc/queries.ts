// The query fields of OpenID providers.
import { oidcProvidersOfOrganization } from "#src/features/oidc/reads.ts";
import "#src/features/oidc/type.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { builder } from "#src/graph/schema/builder.ts";

builder.prismaObjectFields(Organization, (t) => ({
  oidcProviders: t.list(
    oidcProvidersOfOrganization,
    "Its OpenID providers, oldest first. FORBIDDEN unless you administer the organization.",
  ),
  oidcProvider: t.pick(
    oidcProvidersOfOrganization,
    "One of its OpenID providers by its id. NOT_FOUND if it does not exist; FORBIDDEN unless you administer the organization.",
  ),
}));
