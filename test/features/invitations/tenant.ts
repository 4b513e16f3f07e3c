// Tenant table entry: an invitation to the tenant's admin, who may also accept and decline it.
import { addInvitation } from "#test/features/invitations/factory.ts";
import type { MakeTenantPart } from "#test/support/access/tenants.ts";

export const part: MakeTenantPart = (rows, { organization, admin }) => ({
  Invitation: addInvitation(rows, { organizationId: organization.id, email: admin.email, createdById: admin.id }).id,
});
