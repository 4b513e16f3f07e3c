// Tenant table entry: an OpenID provider of the tenant.
import { addOidcProvider } from "#test/features/oidc/factory.ts";
import type { MakeTenantPart } from "#test/support/access/tenants.ts";

export const part: MakeTenantPart = (rows, { organization }) => ({
  OidcProvider: addOidcProvider(rows, { organizationId: organization.id }).id,
});
