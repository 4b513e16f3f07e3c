// Tenant table entry: an import of the tenant.
import { addImport } from "#test/features/imports/factory.ts";
import type { MakeTenantPart } from "#test/support/access/tenants.ts";

export const part: MakeTenantPart = (rows, { space, admin }) => ({
  ContentImport: addImport(rows, { spaceId: space.id, createdById: admin.id }).id,
});
