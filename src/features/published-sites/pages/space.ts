// The pages of spaces that are published without a site: their queries and views.
import type { Found, Site, SiteAt, SiteProfile } from "#src/features/published-sites/views/answer.ts";
import { pageView } from "#src/features/published-sites/views/page.ts";
import { searchView } from "#src/features/published-sites/views/search.ts";
import { hits, movedTo, page, space, textIn } from "#src/features/published-sites/pages/selections.ts";
import { type Asked, defineElsewhere, definePage, type Page, type Shown } from "#src/pages/page.ts";

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

type Place = "/published/:spaceId" | "/published/:spaceId/:shareKey";

const searchAt = (place: Place): Page =>
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
  });

const pageAt = (place: Place): Page =>
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
    version: {
      query: `query VersionOfSpace($id: ID!, $shareKey: String) {
        space(id: $id, shareKey: $shareKey) { published { version } }
      }`,
      of: ({ space: found }: { space: { published: { version: string } } }) => found.published.version,
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
  });

/** The variables for the same page by its path in lower case; null if the path has no capital letters. */
function inLowerCase(asked: Asked) {
  const path = asked.path.toLowerCase();
  return path === asked.path ? null : { ...ofSpace(asked), path };
}

/** Rows with a key come last: its segment could be that of a page. */
export const spacePages: readonly Page[] = [
  searchAt("/published/:spaceId"),
  pageAt("/published/:spaceId"),
  searchAt("/published/:spaceId/:shareKey"),
  pageAt("/published/:spaceId/:shareKey"),
];
