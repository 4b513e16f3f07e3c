// The pages of the history of a space, of a page, and of one revision.
import { contentPages } from "#src/features/content/pages/content.ts";
import { documentOf } from "#src/features/content/views/answer.ts";
import {
  type HistoryOfSpace,
  historyView,
  pageHistoryView,
  revisionLines,
} from "#src/features/content/views/history.ts";
import { type RevisionAnswer, revisionView } from "#src/features/content/views/revision.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

const after = ({ search }: Asked) => ({ after: search.get("after") });

export const historyPages: readonly Page[] = [
  definePage<HistoryOfSpace>({
    path: "/app/spaces/:spaceId/history",
    query: documentOf("space", {
      name: "HistoryOfSpace",
      variables: ", $after: String",
      content: "",
      more: `revisions(first: 30, after: $after) { ${revisionLines} }`,
    }),
    variables: (asked) => ({ space: asked.named["spaceId"], ...after(asked) }),
    view: historyView,
  }),
  ...contentPages({
    path: "/pages/:pageId/history",
    document: {
      name: "HistoryOfPage",
      variables: ", $page: ID!, $after: String",
      content: `page(by: { id: $page }) { pageId title history(first: 30, after: $after) { ${revisionLines} } }`,
    },
    variables: (asked) => ({ page: asked.named["pageId"], ...after(asked) }),
    view: pageHistoryView,
  }),
  definePage<RevisionAnswer>({
    path: "/app/spaces/:spaceId/revisions/:revisionId",
    query: documentOf("space", {
      name: "RevisionOfSpace",
      variables: ", $revision: ID!, $since: ID",
      content: "",
      more: `revisions(first: 20) { ${revisionLines} }`,
      beside: `node(id: $revision) { ... on Revision {
        id spaceId type message createdAt author { displayName } mergedFrom { id number subject }
        changes(sinceRevisionId: $since) {
          revisionBefore { id createdAt }
          pages(first: 20) { totalCount nodes {
            pageId kinds before { title } after { title } text { hunks { lines { kind text } } }
          } }
        }
      } }`,
    }),
    variables: ({ named, search }) => ({
      space: named["spaceId"],
      revision: named["revisionId"],
      since: search.get("since") || null,
    }),
    view: revisionView,
    forms: {
      restore: defineForm<{ readonly restoreRevision: object }>({
        mutation: `mutation RestoreContent($input: RestoreRevisionInput!) { restoreRevision(input: $input) { revisionId } }`,
        variables: (_fields, { named }) => ({
          input: { contentOf: { spaceId: named["spaceId"] }, revisionId: named["revisionId"] },
        }),
        then: (_answer, { named }) => `/app/spaces/${named["spaceId"]}/history`,
      }),
    },
  }),
];
