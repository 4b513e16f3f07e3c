// A SAML provider of a tenant, for the test that no tenant reaches another.
import { addSamlProvider } from "#test/features/saml/factory.ts";
import type { MakeTenantPart } from "#test/support/access/tenants.ts";

export const part: MakeTenantPart = (rows, { organization }) => ({
  SamlProvider: addSamlProvider(rows, { organizationId: organization.id }).id,
});
