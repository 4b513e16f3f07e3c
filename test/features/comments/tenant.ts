// Tenant table entry: a mention of the tenant's admin.
import type { MakeTenantPart } from "#test/support/access/tenants.ts";
import { addMention } from "#test/features/comments/factory.ts";

export const part: MakeTenantPart = (rows, { space, admin, comment }) => ({
  Mention: addMention(rows, { userId: admin.id, spaceId: space.id, commentId: comment.id }).id,
});
