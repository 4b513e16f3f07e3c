// The comments on one page, each beside the block that it is about: `…/pages/:pageId/comments` of a space, and of a
// change request. `?block=` chooses the block of a further comment.
import { type PageComments, pageCommentsView } from "#src/features/comments/views/page-comments.ts";
import { conversationForms } from "#src/features/change-requests/pages/conversation.ts";
import { conversation } from "#src/features/change-requests/pages/selections.ts";
import { addressOf, contentIn, contentPages } from "#src/features/content/pages/content.ts";
import type { Asked } from "#src/pages/page.ts";

const commentsOfPage = `comments(first: 100, after: $after, pageId: $page) { ...Conversation }`;

/** The page itself, at one of its parts. */
const back =
  (part: string) =>
  (_answer: unknown, asked: Asked): string =>
    `${addressOf(asked)}/pages/${asked.named["pageId"]}/comments${part}`;

export const pageCommentsPages = contentPages<PageComments>({
  path: "/pages/:pageId/comments",
  document: {
    name: "CommentsOnPage",
    variables: ", $page: ID!, $after: String",
    content: `page(by: { id: $page }) { pageId title emoji document ancestors { pageId } }`,
    more: `mayComment: permissions { comment } members(first: 200) { nodes { user { id displayName } } }`,
    ofOwner: commentsOfPage,
    fragments: conversation,
  },
  variables: ({ named, search }) => ({ page: named["pageId"], after: search.get("after") }),
  view: pageCommentsView,
  forms: conversationForms(back, contentIn),
  listens: {
    subscription: `subscription CommentsOnPageChanged($of: CommentEventsSubject!) {
      commentEvents(of: $of) { __typename }
    }`,
    variables: (asked) => ({ of: contentIn(asked) }),
  },
});
