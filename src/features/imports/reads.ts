// Reads of imports from URLs, which are visible to viewers with a role on the space.
import { canAccessSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import { withRoleOnSpace } from "#src/features/spaces/access.ts";
import type { ContentImportModel } from "#src/generated/prisma/models.ts";

export type ContentImportRow = Stored<ContentImportModel>;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    ContentImport: ContentImportRow;
  }
}

export const contentImports = entity<ContentImportRow, Viewer>({
  kind: "ContentImport",
  visible: (viewer) => canAccessSpace(viewer, sql`t."spaceId"`),
});

export const importsOfSpace: PageList<ContentImportRow, Viewer, object, { isAccessible: boolean }> = {
  entity: contentImports,
  parent: sql`t."spaceId" = p.id`,
  policy: withRoleOnSpace,
  visible: "with parent",
  order: byTime("createdAt", "desc"),
};
