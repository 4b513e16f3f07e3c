// The page of a page: `/app/spaces/:spaceId/pages/:pageId`, and the same in a change request.
import { beginChangeRequest, contentPages } from "#src/features/content/pages/content.ts";
import { pageView } from "#src/features/content/views/page.ts";

export const pagePages = contentPages({
  path: "/pages/:pageId",
  document: {
    name: "PageOfContent",
    variables: ", $page: ID!",
    content: `page(by: { id: $page }) {
      pageId title level type emoji description updatedAt html outline { anchor title level }
      ancestors { pageId title type } children { pageId title level type emoji description }
      previous { pageId title } next { pageId title } target { url page { pageId title } }
    }`,
  },
  variables: ({ named }) => ({ page: named["pageId"] }),
  view: pageView,
  isLive: true,
  forms: { edit: beginChangeRequest(({ named }) => `/pages/${named["pageId"]}/edit`) },
});
