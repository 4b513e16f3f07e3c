// What the queries of pages select, and what their rows have in common.
import { addressesBelow } from "#src/features/published-sites/views/navigation.ts";
import type { Asked } from "#src/pages/page.ts";

export const profile = `
  fragment ReaderProfile on PublishedSiteProfile {
    id: siteId title icon { emoji images { light dark } } visibility agentsContext urls { published }
  }
`;

/** What surrounds every page of a site. */
export const site = `
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

export const space = `
  fragment ReaderSpace on PublishedSpace {
    id title path siteSection { id title path }
    pages { ...ReaderTreePage }
  }
  fragment ReaderTreePage on PublishedPage { pageId title path level type emoji }
`;

export const page = `
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

/** The results of a search. */
export const hits = `totalCount nodes { title path sections(first: 3) { path title titleMatches { start end } body bodyMatches { start end } } }`;

/** The searched text. */
export const textIn = ({ search }: Asked): string => (search.get("q") ?? "").trim().slice(0, 200);

export type Placed = { readonly path: string } | null;

export const movedTo = (found: Placed, { root }: Asked) =>
  found && ({ kind: "moved", status: 308, to: addressesBelow(root)(found.path) } as const);
