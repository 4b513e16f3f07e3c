// Reads of API tokens: everybody sees their own, admins those of their organization, and nobody the hash.
import { byTime } from "#src/db/reading/orders.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import { mayListServiceTokens } from "#src/features/tokens/access.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { ApiTokenModel } from "#src/generated/prisma/models.ts";

export type ApiTokenRow = Omit<Stored<ApiTokenModel>, "hash">;

const { hash: _secret, ...columns } = Prisma.ApiTokenScalarFieldEnum;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    ApiToken: ApiTokenRow;
  }
}

/** A token for one organization sees only those of its user's tokens that are limited to it, too. */
export const tokens = entity<ApiTokenRow, Viewer>({
  kind: "ApiToken",
  stored: columns,
  visible: ({ userId, onlyIn, adminOf }) => {
    const own = sql`t."userId" = ${userId}`;
    return sql`(${onlyIn === null ? own : sql`${own} and t."organizationId" = ${onlyIn}`}
      or (t."isService" and t."organizationId" = any(${adminOf}::text[])))`;
  },
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

/** The tokens that the organization owns, by the same rules. */
export const serviceTokensOfOrganization: PageList<ApiTokenRow, Viewer> = {
  entity: tokens,
  parent: sql`t."organizationId" = p.id`,
  policy: mayListServiceTokens,
  visible: "by its own rule",
  order: byTime("createdAt", "desc"),
  where: () => sql`t."isService" and t."revokedAt" is null`,
};
