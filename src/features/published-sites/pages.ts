// The pages of published sites and spaces under `/published/`: their queries and views.
import type { Found, Site, SiteAt, SiteProfile } from "#src/features/published-sites/views/answer.ts";
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
    customization {
      title primaryColor { light dark } logo { light dark } font fontFamily headerLinks { title url } footer
    }
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

/** The id of the site, and what its visitor brought. */
const ofSite = ({ named: { siteId }, given: { shareKey = null } }: Asked) => ({ id: siteId, shareKey });

interface SiteAnswer {
  readonly publishedSite: Site & Pick<SiteAt, "space" | "page">;
}

const sitePages: readonly Page[] = [
  definePage<{ readonly publishedSite: Site & { readonly search: Found | null } }>({
    path: "/published/:siteId",
    needs: ["q"],
    query: `query SearchOfSite($id: ID!, $shareKey: String, $text: String!) {
      publishedSite(by: { id: $id }, shareKey: $shareKey) { ...ReaderSite search(text: $text, first: 20) { ${hits} } }
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

type Placed = { readonly path: string } | null;

interface SpaceAnswer {
  readonly space: SiteProfile & {
    readonly published: NonNullable<SiteAt["space"]> & Pick<SiteAt, "page">;
  };
}

const spaceProfile = `id title emoji visibility urls { published }`;

/** A space as a site: it has no sections and nothing beside it. */
const asSite = (profileOfSpace: SiteProfile): Site => ({
  site: profileOfSpace,
  customization: null,
  entries: [],
  siteSpaces: [],
});

/** The key of a share link is the first part of the path, if the address has one. */
const ofSpace = ({ named: { spaceId, shareKey } }: Asked) => ({ id: spaceId, shareKey: shareKey ?? null });

/** Whether the key in an address is that of the space: otherwise nothing is there. */
const isItsAddress = ({ visibility, urls }: SiteProfile, { named: { shareKey } }: Asked): boolean =>
  shareKey === undefined || (visibility === "SHARE_LINK" && urls.published !== null);

const spacePages = (place: "/published/:spaceId" | "/published/:spaceId/:shareKey"): Page[] => [
  definePage<{ readonly space: SiteProfile & { readonly search: Found | null } }>({
    path: place,
    needs: ["q"],
    query: `query SearchOfSpace($id: ID!, $shareKey: String, $text: String!) {
      space(id: $id, shareKey: $shareKey) { ${spaceProfile} search(text: $text, first: 20) { ${hits} } }
    }`,
    variables: (asked) => ({ ...ofSpace(asked), text: textIn(asked) }),
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
    variables: (asked) => ({ ...ofSpace(asked), path: asked.path }),
    view: ({ space: found }, asked): Shown => {
      const { published } = found;
      return isItsAddress(found, asked)
        ? pageView({ ...asSite(found), space: published, page: published.page }, asked)
        : null;
    },
    listens: {
      subscription: `subscription ChangesOfSpace($id: ID!, $shareKey: String) {
        publishedChanges(of: { spaceId: $id }, shareKey: $shareKey) { __typename }
      }`,
      variables: ofSpace,
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
  return path === asked.path ? null : { ...ofSpace(asked), path };
}

const movedTo = (found: Placed, { root }: Asked) =>
  found && ({ kind: "moved", status: 308, to: addressesBelow(root)(found.path) } as const);

/** Rows with a key come last: its segment could be that of a page. */
export const publishedPages: readonly Page[] = [
  ...sitePages,
  ...spacePages("/published/:spaceId"),
  ...spacePages("/published/:spaceId/:shareKey"),
];
