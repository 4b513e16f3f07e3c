// Rights on SAML providers: for admins of their organization. The ways to sign in are public.
import { onlyAnAdmin, organizationGuard } from "#src/features/organizations/access.ts";

export const mayListSamlProviders = organizationGuard(
  "admin",
  "Only an admin of the organization may see its SAML providers.",
);

export const mayReadSamlMetadata = onlyAnAdmin("samlProvider.readMetadata", "read the metadata of SAML providers");
export const mayCreateSamlProvider = onlyAnAdmin("samlProvider.create", "add SAML providers");
export const mayUpdateSamlProvider = onlyAnAdmin("samlProvider.update", "change SAML providers");
export const mayDeleteSamlProvider = onlyAnAdmin("samlProvider.delete", "delete SAML providers");
