// Reads of sessions: everybody sees their own, never the hash; viewers limited to one organization see only those of
// its provider.
import { byTime } from "#src/db/reading/orders.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SessionModel } from "#src/generated/prisma/models.ts";

type SessionRow = Omit<Stored<SessionModel>, "hash">;

const { hash: _secret, ...columns } = Prisma.SessionScalarFieldEnum;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    Session: SessionRow;
  }
}

export const sessions = entity<SessionRow, Viewer>({
  kind: "Session",
  stored: columns,
  visible: ({ userId, onlyIn }) =>
    onlyIn === null ? sql`t."userId" = ${userId}` : sql`t."userId" = ${userId} and t."organizationId" = ${onlyIn}`,
});

export const sessionsOfViewer: PageList<SessionRow, Viewer, object, object> = {
  entity: sessions,
  under: ({ userId }) => userId,
  parent: sql`t."userId" = p.id`,
  visible: "by its own rule",
  order: byTime("createdAt", "desc"),
  where: () => sql`t."endedAt" is null and t."expiresAt" > now()`,
};
