// The pages that are computed from a specification.
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { canSeeSpace } from "#src/access/content.ts";

/** A page in the present content of a space. */
interface ComputedPage {
  readonly spaceId: string;
  readonly path: string;
}

/**
 * How many pages in the organization are computed from a specification, which they name by its slug or id, and the
 * first of them that the viewer sees: those that people wrote, not those that were made below them.
 */
export async function findComputedPages(
  transaction: Transaction,
  viewer: Viewer,
  { spec, most }: { spec: { id: string; organizationId: string; slug: string }; most: number },
): Promise<{ pages: readonly ComputedPage[]; count: number }> {
  const found = await transaction.$queryRaw<(ComputedPage & { isSeen: boolean; count: number })[]>(
    sql`select p."spaceId", p."path", ${canSeeSpace(viewer)} as "isSeen", count(*) over ()::int as count
      from "PresentPage" p join "Space" t on t.id = p."spaceId"
      where t."organizationId" = ${spec.organizationId} and t."deletedAt" is null and p."type" = 'computed'
        and p."fields"->'computed'->>'spec' in (${spec.slug}, ${spec.id})
        and not exists (select from "PresentPage" a where a."spaceId" = p."spaceId" and a."pageId" = p."parentId" and a."type" = 'computed')
      order by "isSeen" desc, p."spaceId", p."path" limit ${most}`,
  );
  return { pages: found.filter(({ isSeen }) => isSeen), count: found[0]?.count ?? 0 };
}
