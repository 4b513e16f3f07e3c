// Rights on OpenID providers: for admins of their organization.
import { onlyAnAdmin, organizationGuard } from "#src/features/organizations/access.ts";

export const mayListOidcProviders = organizationGuard(
  "admin",
  "Only an admin of the organization may see its OpenID providers.",
);

export const mayCreateOidcProvider = onlyAnAdmin("oidcProvider.create", "add OpenID providers");
export const mayUpdateOidcProvider = onlyAnAdmin("oidcProvider.update", "change OpenID providers");
export const mayDeleteOidcProvider = onlyAnAdmin("oidcProvider.delete", "delete OpenID providers");
