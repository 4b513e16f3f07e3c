// Reading the glossary of an organization: its members see it.
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { GlossaryTermModel } from "#src/generated/prisma/models.ts";

export type GlossaryTermRow = Stored<GlossaryTermModel>;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    GlossaryTerm: GlossaryTermRow;
  }
}

export const glossaryTerms = entity<GlossaryTermRow, Viewer>({
  kind: "GlossaryTerm",
  visible: (viewer) => sql`t."organizationId" = any(${viewer.memberOf}::text[])`,
});

/** Oldest first. */
export const glossaryOfOrganization: PageList<GlossaryTermRow, Viewer> = {
  entity: glossaryTerms,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: byTime("createdAt"),
};
