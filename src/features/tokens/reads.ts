// Reading API tokens: everybody sees their own, and never the hash.
import { byTime } from "#src/db/orders.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { ApiTokenModel } from "#src/generated/prisma/models.ts";

export type ApiTokenRow = Omit<Stored<ApiTokenModel>, "hash">;

const { hash: _secret, ...columns } = Prisma.ApiTokenScalarFieldEnum;

declare module "#src/db/entity.ts" {
  interface Rows {
    ApiToken: ApiTokenRow;
  }
}

export const tokens = entity<ApiTokenRow, Viewer>({
  kind: "ApiToken",
  stored: columns,
  visible: (viewer) => sql`t."userId" = ${viewer.userId}`,
});

/** Valid and expired ones; revoked ones are not listed. */
export const tokensOfViewer: PageList<ApiTokenRow, Viewer, object, object> = {
  entity: tokens,
  under: ({ userId }) => userId,
  parent: sql`t."userId" = p.id`,
  visible: "by its own rule",
  order: byTime("createdAt", "desc"),
  where: () => sql`t."revokedAt" is null`,
};
