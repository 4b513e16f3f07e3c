// An invitation of a tenant: to its admin, who may accept and decline it, too.
import { addInvitation } from "#test/features/invitations/factory.ts";
import type { MakeTenantPart } from "#test/support/access/tenants.ts";

export const part: MakeTenantPart = (rows, { organization, admin }) => ({
  Invitation: addInvitation(rows, { organizationId: organization.id, email: admin.email, createdById: admin.id }).id,
});
