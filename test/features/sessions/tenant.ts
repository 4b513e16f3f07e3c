// Tenant table entry: a session of the tenant's user.
import { addSession } from "#test/features/sessions/factory.ts";
import type { MakeTenantPart } from "#test/support/access/tenants.ts";

export const part: MakeTenantPart = (rows, { admin }) => ({ Session: addSession(rows, { userId: admin.id }).id });
