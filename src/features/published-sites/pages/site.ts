// The pages of published sites: their queries and views.
import type { Found, Site, SiteAt, SiteProfile } from "#src/features/published-sites/views/answer.ts";
import { pageView } from "#src/features/published-sites/views/page.ts";
import { searchView } from "#src/features/published-sites/views/search.ts";
import { type MappedPage, robotsView, siteMapView } from "#src/features/published-sites/views/site-map.ts";
import {
  hits,
  movedTo,
  page,
  type Placed,
  profile,
  site,
  space,
  textIn,
} from "#src/features/published-sites/pages/selections.ts";
import { type Asked, defineElsewhere, definePage, type Page } from "#src/pages/page.ts";

/** The id of the site, and what its visitor brought. */
const ofSite = ({ named: { siteId }, given: { shareKey = null } }: Asked) => ({ id: siteId, shareKey });

interface SiteAnswer {
  readonly publishedSite: Site & Pick<SiteAt, "space" | "page">;
}

export const sitePages: readonly Page[] = [
  definePage<{ readonly publishedSite: Site & { readonly search: Found | null } }>({
    path: "/published/:siteId",
    needs: ["q"],
    query: `query SearchOfSite($id: ID!, $shareKey: String, $text: String!) {
      publishedSite(by: { id: $id }, shareKey: $shareKey) { ...ReaderSite search(text: $text, first: 20) {
          ${hits}
          places: nodes { siteSpace { title siteSection { title } } }
        } }
    } ${site}`,
    variables: (asked) => ({ ...ofSite(asked), text: textIn(asked) }),
    view: ({ publishedSite }, asked) => searchView(publishedSite, asked.root, textIn(asked)),
  }),
  definePage<{ readonly publishedSite: { readonly site: SiteProfile; readonly siteMap: readonly MappedPage[] } }>({
    path: "/published/:siteId/sitemap.xml",
    query: `query SiteMap($id: ID!, $shareKey: String) {
      publishedSite(by: { id: $id }, shareKey: $shareKey) {
        site { ...ReaderProfile } siteMap { updatedAt noRobotsIndex urls { published } }
      }
    } ${profile}`,
    variables: ofSite,
    view: ({ publishedSite }) => siteMapView(publishedSite.site, publishedSite.siteMap),
  }),
  definePage<{ readonly publishedSite: { readonly site: SiteProfile } }>({
    path: "/published/:siteId/robots.txt",
    query: `query RobotsOfSite($id: ID!, $shareKey: String) {
      publishedSite(by: { id: $id }, shareKey: $shareKey) { site { ...ReaderProfile } }
    } ${profile}`,
    variables: ofSite,
    view: ({ publishedSite }) => robotsView(publishedSite.site),
  }),
  definePage<SiteAnswer>({
    path: "/published/:siteId/*",
    query: `query PageOfSite($id: ID!, $shareKey: String, $path: String!) {
      publishedSite(by: { id: $id }, shareKey: $shareKey) {
        ...ReaderSite
        space: siteSpaceAt(path: $path) { ...ReaderSpace }
        page(path: $path) { ...ReaderPage }
      }
    } ${site} ${space} ${page}`,
    variables: (asked) => ({ ...ofSite(asked), path: asked.path }),
    view: ({ publishedSite }, asked) => pageView(publishedSite, asked),
    version: {
      query: `query VersionOfSite($id: ID!, $shareKey: String) {
        publishedSite(by: { id: $id }, shareKey: $shareKey) { version }
      }`,
      of: ({ publishedSite }: { publishedSite: { version: string } }) => publishedSite.version,
    },
    listens: {
      subscription: `subscription ChangesOfSite($id: ID!, $shareKey: String, $visitorToken: String) {
        publishedChanges(of: { siteId: $id }, shareKey: $shareKey, visitorToken: $visitorToken) { __typename }
      }`,
      variables: (asked) => ({ ...ofSite(asked), visitorToken: asked.given["visitorToken"] ?? null }),
    },
    elsewhere: defineElsewhere<{ readonly publishedSite: { readonly former: Placed; readonly page: Placed } }>({
      query: `query FormerPageOfSite($id: ID!, $shareKey: String, $path: String!, $lower: String!) {
        publishedSite(by: { id: $id }, shareKey: $shareKey) {
          former: formerPage(path: $path) { path }
          page(path: $lower) { path }
        }
      }`,
      variables: (asked) => ({ ...ofSite(asked), path: asked.path, lower: asked.path.toLowerCase() }),
      view: ({ publishedSite: { former, page: inLowerCase } }, asked) => movedTo(former ?? inLowerCase, asked),
    }),
  }),
];
