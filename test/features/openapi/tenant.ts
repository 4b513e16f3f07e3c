// Tenant table entry: an OpenAPI specification of the tenant.
import { addProcessedSpec } from "#test/features/openapi/factory.ts";
import type { MakeTenantPart } from "#test/support/access/tenants.ts";

/** All tenants have one with this slug. */
export const slugOfTenants = "readings";

export const part: MakeTenantPart = (rows, { organization, admin }) => {
  const given = { organizationId: organization.id, createdById: admin.id, slug: slugOfTenants };
  const { spec, version } = addProcessedSpec(rows, given);
  return { OpenApiSpec: spec.id, OpenApiSpecVersion: version.id };
};
