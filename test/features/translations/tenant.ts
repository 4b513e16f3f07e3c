// Tenant table entry: a translation of the tenant.
import { addTerm, addTranslation } from "#test/features/translations/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import type { MakeTenantPart } from "#test/support/access/tenants.ts";

export const part: MakeTenantPart = (rows, { organization, space, admin }) => ({
  Translation: addTranslation(rows, {
    organizationId: organization.id,
    sourceSpaceId: space.id,
    resultSpaceId: addSpace(rows, { organizationId: organization.id }).id,
    createdById: admin.id,
  }).id,
  GlossaryTerm: addTerm(rows, { organizationId: organization.id }).id,
});
