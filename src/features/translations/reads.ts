// Reads translations, by roles on their source, and glossaries, for members of the organization. Oldest first.
import { canAccessSpace } from "#src/access/content.ts";
import type { Context } from "#src/domain/context.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import { withRoleOnSpace } from "#src/features/spaces/access.ts";
import type { GlossaryTermModel, TranslationModel } from "#src/generated/prisma/models.ts";

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

export const translationsOfOrganization: PageList<TranslationRow, Viewer> = {
  entity: translations,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: byTime("createdAt"),
};

export const translationsOfSpace: PageList<TranslationRow, Viewer, object, { isAccessible: boolean }> = {
  entity: translations,
  parent: sql`t."sourceSpaceId" = p.id`,
  policy: withRoleOnSpace,
  visible: "with parent",
  order: byTime("createdAt"),
};

/** A translation with its result, without anything that only members see. */
export type TranslationBetween = Pick<TranslationModel, "id" | "sourceSpaceId" | "sourceLanguage" | "language"> & {
  readonly resultSpaceId: string;
};

/** The translations whose results are these spaces, oldest first: for readers who see the spaces on a site. */
export const translationsInto = (
  { database }: Pick<Context, "database">,
  spaceIds: readonly string[],
): Promise<TranslationBetween[]> =>
  database.query<TranslationBetween>(
    sql`select t.id, t."sourceSpaceId", t."sourceLanguage", t.language, t."resultSpaceId" from "Translation" t
      where t."resultSpaceId" = any(${spaceIds}::text[]) order by t.id`,
  );

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

export const glossaryOfOrganization: PageList<GlossaryTermRow, Viewer> = {
  entity: glossaryTerms,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: byTime("createdAt"),
};
