// Tenant table entry: an entry of the audit log.
import { newId } from "#src/base/ids.ts";
import type { MakeTenantPart } from "#test/support/access/tenants.ts";
import { nextInstant } from "#test/support/rows.ts";

export const part: MakeTenantPart = (rows, { organization }) => {
  const entry = { organizationId: organization.id, type: "member.updated", createdAt: nextInstant() };
  return { AuditEntry: rows.add("AuditEntry", { id: newId("AuditEntry"), ...entry }).id };
};
