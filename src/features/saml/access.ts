// Who may do what with SAML providers: admins of their organization. How to sign in by one is open to everybody.
import { onOrganization, organizationGuard } from "#src/features/organizations/access.ts";

export const mayListSamlProviders = organizationGuard(
  "admin",
  "Only an admin of the organization may see its SAML providers.",
);

export const mayReadSamlMetadata = onOrganization(
  "admin",
  "samlProvider.readMetadata",
  "Only an admin of the organization may read the metadata of SAML providers.",
);

export const mayCreateSamlProvider = onOrganization(
  "admin",
  "samlProvider.create",
  "Only an admin of the organization may add SAML providers.",
);

export const mayUpdateSamlProvider = onOrganization(
  "admin",
  "samlProvider.update",
  "Only an admin of the organization may change SAML providers.",
);

export const mayDeleteSamlProvider = onOrganization(
  "admin",
  "samlProvider.delete",
  "Only an admin of the organization may delete SAML providers.",
);
