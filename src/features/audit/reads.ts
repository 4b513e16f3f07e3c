// Reads of the audit log, which only admins of an organization see.
import { allOf, since, until, whenGiven } from "#src/db/reading/filters.ts";
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

type AuditFilter = Optional<{
  type: string;
  actorId: string;
  subjectId: string;
  createdSince: Date;
  createdUntil: Date;
}>;

export const auditLog: PageList<AuditEntryRow, Viewer, AuditFilter> = {
  entity: auditEntries,
  parent: sql`t."organizationId" = p.id`,
  policy: organizationGuard("admin", "Only admins of the organization may read its audit log."),
  visible: "by its own rule",
  order: byTime("createdAt", "desc"),
  where: ({ type, actorId, subjectId, createdSince, createdUntil }) =>
    allOf(
      whenGiven(type, (given) => sql`t.type = ${given}`),
      whenGiven(actorId, (given) => sql`t."actorId" = ${given}`),
      whenGiven(subjectId, (given) => sql`t."subjectId" = ${given}`),
      whenGiven(createdSince, (instant) => since(sql`t."createdAt"`, instant)),
      whenGiven(createdUntil, (instant) => until(sql`t."createdAt"`, instant)),
    ),
};
