// Reading translations: seen by those with a role on their source.
import { canAccessSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import { withRoleOnSpace } from "#src/features/spaces/access.ts";
import type { TranslationModel } from "#src/generated/prisma/models.ts";

export type TranslationRow = Stored<TranslationModel>;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    Translation: TranslationRow;
  }
}

export const translations = entity<TranslationRow, Viewer>({
  kind: "Translation",
  visible: (viewer) => canAccessSpace(viewer, sql`t."sourceSpaceId"`),
});

/** Oldest first. */
export const translationsOfOrganization: PageList<TranslationRow, Viewer> = {
  entity: translations,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: byTime("createdAt"),
};

/** Those of which the space is the source, oldest first. */
export const translationsOfSpace: PageList<TranslationRow, Viewer, object, { isAccessible: boolean }> = {
  entity: translations,
  parent: sql`t."sourceSpaceId" = p.id`,
  policy: withRoleOnSpace,
  visible: "with parent",
  order: byTime("createdAt"),
};
