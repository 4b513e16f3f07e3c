// The page of the search over everything that the viewer may see, `/app/search?q=`.
import { type FoundAnywhere, searchView, searchedIn } from "#src/features/search/views.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { definePage, type Page } from "#src/pages/page.ts";

export const searchPages: readonly Page[] = [
  definePage<FoundAnywhere>({
    path: "/app/search",
    query: `query SearchAnywhere($text: String!, $isGiven: Boolean!) {
      organizations(first: 5) { nodes { id title search(text: $text, first: 20) @include(if: $isGiven) {
        totalCount
        nodes {
          pageId title space { id title }
          sections(first: 2) { anchor title titleMatches { start end } body bodyMatches { start end } }
        }
      } } }
      ...AppFrame
    } ${appFrame}`,
    variables(asked) {
      const text = searchedIn(asked);
      return { text, isGiven: text !== "" };
    },
    view: searchView,
  }),
];
