// The pages of published sites and spaces under `/published/`: their queries and views. The address of a share-link
// site or space has its key before the path.
import type { Site, SiteAt, SiteProfile } from "#src/features/published-sites/views/answer.ts";
import { pageView } from "#src/features/published-sites/views/page.ts";
import { searchView } from "#src/features/published-sites/views/search.ts";
import { type MappedPage, robotsView, siteMapView } from "#src/features/published-sites/views/site-map.ts";
import { addressesBelow } from "#src/features/published-sites/views/navigation.ts";
import { type Asked, defineElsewhere, definePage, type Page, type Shown } from "#src/pages/page.ts";

const profile = `
  fragment ReaderProfile on PublishedSiteProfile {
    id: siteId title icon { emoji images { light dark } } visibility agentsContext urls { published }
  }
`;

/** What surrounds every page of a site. */
const site = `
  fragment ReaderSite on PublishedSite {
    site { ...ReaderProfile }
    entries {
      __typename
      ... on PublishedSection { id title path description }
      ... on PublishedSectionGroup { id title sections { id title path description } }
    }
    siteSpaces { id title path emoji siteSection { id path } }
  }
  ${profile}
`;

const space = `
  fragment ReaderSpace on PublishedSpace {
    id title path siteSection { id title path }
    pages { ...ReaderTreePage }
  }
  fragment ReaderTreePage on PublishedPage { pageId title path level type emoji }
`;

const page = `
  fragment ReaderPage on PublishedPage {
    ...ReaderTreePage
    description updatedAt noRobotsIndex html outline { anchor title level } target editURL urls { published }
    layout { width cover coverSize title description tableOfContents outline pagination metadata }
    cover { file { downloadURL dimensions { width height } } fileDark { downloadURL dimensions { width height } } yPos }
    breadcrumbs { ...ReaderTreePage }
    previous { title path }
    next { title path }
    children { ...ReaderTreePage description }
  }
`;

const hits = `totalCount nodes { title path sections(first: 3) { path title titleMatches { start end } body bodyMatches { start end } } }`;

/** The addresses of published content, with and without the key of a share link. */
type Place = "/published/:siteId" | "/published/:spaceId";

/** The variables of every query: the id, and the key that the address contains. */
const credentials = ({ named: { siteId, spaceId, shareKey } }: Asked) => ({
  id: siteId ?? spaceId,
  shareKey: shareKey ?? null,
});

/** Whether the key in an address is that of the content: without it the address is another one. */
const isItsAddress = ({ visibility, urls }: SiteProfile, { named: { shareKey } }: Asked): boolean =>
  shareKey === undefined || (visibility === "SHARE_LINK" && urls.published !== null);

interface SiteAnswer {
  readonly publishedSite: Site & Pick<SiteAt, "space" | "page">;
}

const sitePages = (place: Place | `${Place}/:shareKey`): Page[] => [
  definePage<{ readonly publishedSite: Site & { readonly search: never } }>({
    path: place,
    needs: ["q"],
    query: `query SearchOfSite($id: ID!, $shareKey: String, $text: String!) {
      publishedSite(by: { id: $id }, shareKey: $shareKey) { ...ReaderSite search(text: $text, first: 20) { ${hits} } }
    } ${site}`,
    variables: (asked) => ({ ...credentials(asked), text: textIn(asked) }),
    view: ({ publishedSite }, asked) =>
      isItsAddress(publishedSite.site, asked) ? searchView(publishedSite, asked.root, textIn(asked)) : null,
  }),
  definePage<{ readonly publishedSite: { readonly site: SiteProfile; readonly siteMap: readonly MappedPage[] } }>({
    path: `${place}/sitemap.xml`,
    query: `query SiteMap($id: ID!, $shareKey: String) {
      publishedSite(by: { id: $id }, shareKey: $shareKey) {
        site { ...ReaderProfile } siteMap { updatedAt noRobotsIndex urls { published } }
      }
    } ${profile}`,
    variables: credentials,
    view: ({ publishedSite }, asked) =>
      isItsAddress(publishedSite.site, asked) ? siteMapView(publishedSite.site, publishedSite.siteMap) : null,
  }),
  definePage<{ readonly publishedSite: { readonly site: SiteProfile } }>({
    path: `${place}/robots.txt`,
    query: `query RobotsOfSite($id: ID!, $shareKey: String) {
      publishedSite(by: { id: $id }, shareKey: $shareKey) { site { ...ReaderProfile } }
    } ${profile}`,
    variables: credentials,
    view: ({ publishedSite }, asked) => robotsView(publishedSite.site, asked.root.replace(/\/robots\.txt$/, "")),
  }),
  definePage<SiteAnswer>({
    path: `${place}/*`,
    query: `query PageOfSite($id: ID!, $shareKey: String, $path: String!) {
      publishedSite(by: { id: $id }, shareKey: $shareKey) {
        ...ReaderSite
        space: siteSpaceAt(path: $path) { ...ReaderSpace }
        page(path: $path) { ...ReaderPage }
      }
    } ${site} ${space} ${page}`,
    variables: (asked) => ({ ...credentials(asked), path: asked.path }),
    view: ({ publishedSite }, asked) =>
      isItsAddress(publishedSite.site, asked) ? pageView(publishedSite, asked) : null,
    elsewhere: defineElsewhere<{ readonly publishedSite: { readonly page: { readonly path: string } | null } }>({
      query: `query PageInLowerCase($id: ID!, $shareKey: String, $path: String!) {
        publishedSite(by: { id: $id }, shareKey: $shareKey) { page(path: $path) { path } }
      }`,
      variables: (asked) => inLowerCase(asked),
      view: ({ publishedSite }, asked) => movedTo(publishedSite.page, asked),
    }),
  }),
];

interface SpaceAnswer {
  readonly space: SiteProfile & {
    readonly published: NonNullable<SiteAt["space"]> & Pick<SiteAt, "page">;
  };
}

const spaceProfile = `id title emoji visibility urls { published }`;

/** A space as a site: it has no sections and nothing beside it. */
const asSite = (profileOfSpace: SiteProfile): Site => ({ site: profileOfSpace, entries: [], siteSpaces: [] });

const spacePages = (place: Place | `${Place}/:shareKey`): Page[] => [
  definePage<{ readonly space: SiteProfile & { readonly search: never } }>({
    path: place,
    needs: ["q"],
    query: `query SearchOfSpace($id: ID!, $shareKey: String, $text: String!) {
      space(id: $id, shareKey: $shareKey) { ${spaceProfile} search(text: $text, first: 20) { ${hits} } }
    }`,
    variables: (asked) => ({ ...credentials(asked), text: textIn(asked) }),
    view: ({ space: found }, asked) =>
      isItsAddress(found, asked)
        ? searchView({ ...asSite(found), search: found.search }, asked.root, textIn(asked))
        : null,
  }),
  definePage<SpaceAnswer>({
    path: `${place}/*`,
    query: `query PageOfSpace($id: ID!, $shareKey: String, $path: String!) {
      space(id: $id, shareKey: $shareKey) {
        ${spaceProfile} published { ...ReaderSpace page(path: $path) { ...ReaderPage } }
      }
    } ${space} ${page}`,
    variables: (asked) => ({ ...credentials(asked), path: asked.path }),
    view: ({ space: found }, asked): Shown => {
      const { published } = found;
      return isItsAddress(found, asked)
        ? pageView({ ...asSite(found), space: published, page: published.page }, asked)
        : null;
    },
    elsewhere: defineElsewhere<{ readonly space: { readonly published: Pick<SiteAt, "page"> } }>({
      query: `query PageOfSpaceInLowerCase($id: ID!, $shareKey: String, $path: String!) {
        space(id: $id, shareKey: $shareKey) { published { page(path: $path) { path } } }
      }`,
      variables: (asked) => inLowerCase(asked),
      view: ({ space: { published } }, asked) => movedTo(published.page, asked),
    }),
  }),
];

const textIn = ({ search }: Asked): string => (search.get("q") ?? "").trim().slice(0, 200);

/** The variables for the same page by its path in lower case; null if the path has no capital letters. */
function inLowerCase(asked: Asked) {
  const path = asked.path.toLowerCase();
  return path === asked.path ? null : { ...credentials(asked), path };
}

const movedTo = (page: { readonly path: string } | null, { root }: Asked) =>
  page && ({ kind: "moved", status: 308, to: addressesBelow(root)(page.path) } as const);

/** Rows with a key come last: its segment could be that of a page. */
export const publishedPages: readonly Page[] = [
  ...sitePages("/published/:siteId"),
  ...spacePages("/published/:spaceId"),
  ...sitePages("/published/:siteId/:shareKey"),
  ...spacePages("/published/:spaceId/:shareKey"),
];
