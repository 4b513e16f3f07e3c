// Searches a published site from the view of one visitor.
import { emptyPage, type Page } from "#src/db/reading/page.ts";
import type { Context } from "#src/domain/context.ts";
import type { PublishedSpace } from "#src/features/published-sites/reads/pages.ts";
import type { PublishedSite } from "#src/features/published-sites/reads/sites.ts";
import { type Hit, inShownSpaces, type Search, searchPages } from "#src/features/search/reads/hits.ts";

export interface PublishedHit extends Hit {
  readonly siteSpace: PublishedSpace;
}

type PublishedHits = Page<PublishedHit>;

/** A page of a space that is on the site twice is one hit, at its first path. Throws as `searchPages` does. */
export async function searchPublished(context: Context, site: PublishedSite, search: Search): Promise<PublishedHits> {
  const siteSpaces = new Map(site.shown.siteSpaces.toReversed().map((space) => [space.spaceId, space]));
  if (siteSpaces.size === 0) return emptyPage;
  const place = context.reader.once(site, "place of search", () => inShownSpaces([...siteSpaces.keys()]));
  const page = await searchPages(context, place, site, search);
  return page.of(
    page.nodes.map((hit) => {
      const siteSpace = siteSpaces.get(hit.spaceId);
      return siteSpace ? { ...hit, siteSpace, path: [...siteSpace.segments, hit.path].join("/") } : null;
    }),
  );
}
