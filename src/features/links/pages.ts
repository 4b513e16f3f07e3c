// The page of the broken links of a space, `/app/spaces/:spaceId/links`.
import { documentOf } from "#src/features/content/views/answer.ts";
import { type BrokenLinks, brokenLinksView } from "#src/features/links/views.ts";
import { defineForm, definePage, type Page } from "#src/pages/page.ts";

export const linkPages: readonly Page[] = [
  definePage<BrokenLinks>({
    path: "/app/spaces/:spaceId/links",
    query: documentOf("space", {
      name: "BrokenLinksOfSpace",
      variables: ", $after: String",
      content: "",
      more: `brokenLinks(first: 50, after: $after) {
        totalCount
        nodes { address relation outside { reason } locationCount locationReferences { page { pageId title } } }
        pageInfo { hasNextPage endCursor }
      }`,
    }),
    variables: ({ named, search }) => ({ space: named["spaceId"], after: search.get("after") }),
    view: brokenLinksView,
    forms: {
      repair: defineForm<{ readonly repairLinks: object }>({
        mutation: `mutation RepairLinksByForm($input: RepairLinksInput!) { repairLinks(input: $input) { pageCount } }`,
        variables: (_fields, { named }) => ({ input: { contentOf: { spaceId: named["spaceId"] } } }),
        then: (_answer, { named }) => `/app/spaces/${named["spaceId"]}/links`,
      }),
    },
  }),
];
