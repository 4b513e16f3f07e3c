// Reading mentions: seen by those who are mentioned, as long as they have a role on the space.
import { canAccessSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { MentionModel } from "#src/generated/prisma/models.ts";

export type MentionRow = Stored<MentionModel>;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    Mention: MentionRow;
  }
}

export const mentions = entity<MentionRow, Viewer>({
  kind: "Mention",
  visible: (viewer) => sql`(t."userId" = ${viewer.userId} and ${canAccessSpace(viewer, sql`t."spaceId"`)})`,
});

/** The viewer's own, newest first; none of anybody else's. */
export const mentionsOfUser: PageList<
  MentionRow,
  Viewer,
  { readonly spaceIds?: readonly string[] | null | undefined }
> = {
  entity: mentions,
  parent: sql`t."userId" = p.id`,
  visible: "by its own rule",
  order: () => byTime("mentionedAt", "desc"),
  where: ({ spaceIds }) => (spaceIds ? sql`t."spaceId" = any(${spaceIds}::text[])` : sql`true`),
};
