// Tenant table entry: a SAML provider of the tenant.
import { addSamlProvider } from "#test/features/saml/factory.ts";
import type { MakeTenantPart } from "#test/support/access/tenants.ts";

export const part: MakeTenantPart = (rows, { organization }) => ({
  SamlProvider: addSamlProvider(rows, { organizationId: organization.id }).id,
});
