// The site map and the rules for robots of a site.
import { html } from "#src/http/html.ts";
import type { Shown } from "#src/pages/page.ts";
import { robotsOf } from "#src/features/published-sites/model/robots.ts";
import { agentsContextOf, type SiteProfile } from "#src/features/published-sites/views/answer.ts";
import { keptFor } from "#src/features/published-sites/views/page.ts";

export interface MappedPage {
  readonly updatedAt: string;
  readonly noRobotsIndex: boolean;
  readonly urls: { readonly published: string | null };
}

/** The pages that search engines may list (sitemaps.org). The protocol allows 50,000 addresses. */
export function siteMapView(site: SiteProfile, pages: readonly MappedPage[]): Shown {
  const listed = pages.filter(({ noRobotsIndex, urls }) => !noRobotsIndex && urls.published !== null).slice(0, 50_000);
  const entries = listed.map(
    ({ updatedAt, urls }) => html`<url><loc>${urls.published ?? ""}</loc><lastmod>${updatedAt}</lastmod></url>`,
  );
  return {
    kind: "text",
    type: "application/xml; charset=utf-8",
    text: `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.map(({ text }) => `\n${text}`).join("")}
</urlset>
`,
    robots: "noindex",
    kept: keptFor(site),
  };
}

/** The rules for robots: search engines may read public sites only. */
export function robotsView(site: SiteProfile): Shown {
  const visibility = site.visibility === "PUBLIC" ? "PUBLIC" : "UNLISTED";
  const sitemap = site.urls.published === null ? null : `${site.urls.published}/sitemap.xml`;
  return {
    kind: "text",
    type: "text/plain; charset=utf-8",
    text: robotsOf({ visibility, agentsContext: agentsContextOf(site), sitemap }),
    kept: keptFor(site),
  };
}
