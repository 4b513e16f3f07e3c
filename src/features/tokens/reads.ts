// Reading API tokens: everybody sees their own, and never the hash.
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/database.ts";
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import type { Page, PageArguments } from "#src/db/reader.ts";
import type { Context } from "#src/domain/context.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { ApiTokenModel } from "#src/generated/prisma/models.ts";

export type ApiTokenRow = Omit<Stored<ApiTokenModel>, "hash">;

const { hash: _secret, ...columns } = Prisma.ApiTokenScalarFieldEnum;

const tokens = entity<ApiTokenRow, Viewer>({
  kind: "ApiToken",
  stored: columns,
  visible: (viewer) => sql`t."userId" = ${viewer.userId}`,
});

/** Those that still work or expired by themselves; revoked ones are out of the list. */
const tokensOfViewer: PageList<ApiTokenRow, Viewer, object> = {
  name: "Query.apiTokens",
  entity: tokens,
  parent: sql`t."userId" = p.id`,
  visible: "by its own rule",
  order: () => ({ name: "createdAt", key: sql`t."createdAt"`, type: "timestamptz", direction: "desc" }),
  where: () => sql`t."revokedAt" is null`,
};

export function findToken(context: Context, id: string, wanted: Wanted): Promise<ApiTokenRow | null> {
  return context.reader.row(tokens, id, wanted);
}

export function pageTokens(context: Context, page: PageArguments, wanted: Wanted): Promise<Page<ApiTokenRow>> {
  return context.reader.page(tokensOfViewer, context.viewer.userId, { page, args: {}, wanted });
}
