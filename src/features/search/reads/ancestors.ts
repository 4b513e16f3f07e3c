// The pages above hits, for breadcrumbs: read for all hits of a page at once, without the trees of their revisions.
import DataLoader from "dataloader";
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import { findPageById, listPagesAround } from "#src/features/content/reads/pages.ts";
import type { Hit } from "#src/features/search/reads/hits.ts";

export interface HitAncestor {
  readonly pageId: string;
  readonly title: string;
}

/** From the top down, counted as rows; those of drafts come from the tree of their revision. */
export async function ancestorsOfHit(context: Context, hit: Hit): Promise<HitAncestor[]> {
  if (!hit.path.includes("/")) return [];
  if (hit.changeRequestId !== null) {
    const page = await findPageById(context, hit.id);
    return page ? listPagesAround(context, page) : [];
  }
  const { reader } = context;
  const loader = reader.once(
    readAncestors,
    "ancestors of hits",
    () =>
      new DataLoader((hits: readonly Hit[]) => readAncestors(context, hits), {
        cacheKeyFn: ({ spaceId, pageId }) => `${spaceId} ${pageId}`,
      }),
  );
  const ancestors = await loader.load(hit);
  reader.takeRows(ancestors.length);
  return ancestors;
}

async function readAncestors({ database }: Context, hits: readonly Hit[]): Promise<HitAncestor[][]> {
  const rows = await database.query<HitAncestor & { readonly ord: number }>(sql`with recursive up as (
      select u.ord, 0 as height, p."spaceId", p."pageId", p."parentId", p.title
      from unnest(${hits.map(({ spaceId }) => spaceId)}::text[], ${hits.map(({ pageId }) => pageId)}::text[])
        with ordinality u("spaceId", "pageId", ord) join "PresentPage" p using ("spaceId", "pageId")
      union all
      select up.ord, up.height + 1, p."spaceId", p."pageId", p."parentId", p.title
      from up join "PresentPage" p on p."spaceId" = up."spaceId" and p."pageId" = up."parentId")
    select ord::int, "pageId", title from up where height > 0 order by ord, height desc`);
  const byHit = Map.groupBy(rows, ({ ord }) => ord);
  return hits.map((_hit, index) => byHit.get(index + 1) ?? []);
}
