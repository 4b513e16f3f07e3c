// The pages of the search over everything that the viewer may see, `/app/search?q=`, and over one organization, with
// `&in=`.
import { type FoundAnywhere, type FoundIn, searchedIn, searchInView, searchView } from "#src/features/search/views.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { definePage, type Page } from "#src/pages/page.ts";

const hits = `fragment Hits on SearchHitConnection {
  totalCount pageInfo { hasNextPage endCursor }
  nodes {
    pageId title space { id title }
    sections(first: 2) { anchor title titleMatches { start end } body bodyMatches { start end } }
  }
}`;

/** What is found by its name. */
const named = `fragment Named on Organization {
  spaces(first: 5, title: $text) { nodes { id title } }
  collections(first: 5, title: $text) { nodes { id title } }
  sites(first: 5, title: $text) { nodes { id title } }
  teams(first: 5, title: $text) { nodes { id title } }
  changeRequests(first: 5, subject: $text) { nodes { id number subject space { id title } } }
}`;

export const searchPages: readonly Page[] = [
  definePage<FoundIn>({
    path: "/app/search",
    needs: ["q", "in"],
    query: `query SearchOrganization($org: ID!, $text: String!, $after: String) {
      organization(id: $org) { id title search(text: $text, first: 30, after: $after) { ...Hits } }
      ...AppFrame
    } ${hits} ${appFrame}`,
    variables(asked) {
      const text = searchedIn(asked);
      return text === "" ? null : { text, org: asked.search.get("in"), after: asked.search.get("after") };
    },
    view: searchInView,
  }),
  definePage<FoundAnywhere>({
    path: "/app/search",
    query: `query SearchAnywhere($text: String!, $isGiven: Boolean!) {
      organizations(first: 20) { nodes {
        id title
        search(text: $text, first: 10) @include(if: $isGiven) { ...Hits }
        ...Named @include(if: $isGiven)
      } }
      ...AppFrame
    } ${hits} ${named} ${appFrame}`,
    variables(asked) {
      const text = searchedIn(asked);
      return { text, isGiven: text !== "" };
    },
    view: searchView,
  }),
];
