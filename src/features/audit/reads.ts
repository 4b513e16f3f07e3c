// Reads of the audit log, which only admins of an organization see.
import { byTime } from "#src/db/reading/orders.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Optional } from "#src/domain/input.ts";
import { organizationGuard } from "#src/features/organizations/access.ts";
import type { AuditEntryModel } from "#src/generated/prisma/models.ts";

type AuditEntryRow = Stored<AuditEntryModel>;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    AuditEntry: AuditEntryRow;
  }
}

export const auditEntries = entity<AuditEntryRow, Viewer>({
  kind: "AuditEntry",
  visible: ({ adminOf }) => sql`t."organizationId" = any(${adminOf}::text[])`,
});

export const auditLog: PageList<AuditEntryRow, Viewer, Optional<{ type: string; actorId: string }>> = {
  entity: auditEntries,
  parent: sql`t."organizationId" = p.id`,
  policy: organizationGuard("admin", "Only admins of the organization may read its audit log."),
  visible: "by its own rule",
  order: byTime("createdAt", "desc"),
  where: ({ type, actorId }) => {
    const ofType = type == null ? sql`true` : sql`t.type = ${type}`;
    return actorId == null ? ofType : sql`${ofType} and t."actorId" = ${actorId}`;
  },
};
