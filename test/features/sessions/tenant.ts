// A session of a tenant, for the test that no tenant reaches another.
import { addSession } from "#test/features/sessions/factory.ts";
import type { MakeTenantPart } from "#test/support/access/tenants.ts";

export const part: MakeTenantPart = (rows, { admin }) => ({ Session: addSession(rows, { userId: admin.id }).id });
