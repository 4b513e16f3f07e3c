// The pages of the history of a space, of a page, and of one revision.
import { contentPages } from "#src/features/content/pages/content.ts";
import { documentOf } from "#src/features/content/views/answer.ts";
import {
  comparedView,
  type HistoryOfSpace,
  historyView,
  pageHistoryView,
  revisionLine,
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
  definePage<{ readonly space: { readonly id: string } }>({
    path: "/app/spaces/:spaceId/compare",
    needs: ["from", "to"],
    query: "query CompareRevisions($space: ID!) { space(id: $space) { id } }",
    variables: ({ named }) => ({ space: named["spaceId"] }),
    view: comparedView,
  }),
  definePage<RevisionAnswer>({
    path: "/app/spaces/:spaceId/revisions/:revisionId",
    query: documentOf("space", {
      name: "RevisionOfSpace",
      variables: ", $revision: ID!, $since: ID",
      content: "",
      more: `revisions(first: 20) { ${revisionLines} }`,
      beside: `node(id: $revision) { ... on Revision {
        spaceId ${revisionLine}
        changes(sinceRevisionId: $since) {
          revisionBefore { ${revisionLine} }
          pages(first: 20) { totalCount nodes {
            pageId kinds before { title } after { title } text { hunks(contextLines: 2) { beforeStart afterStart lines { kind text } } }
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
        notice: "Restored.",
        mutation: `mutation RestoreContent($input: RestoreRevisionInput!) { restoreRevision(input: $input) { revisionId } }`,
        variables: (_fields, { named }) => ({
          input: { contentOf: { spaceId: named["spaceId"] }, revisionId: named["revisionId"] },
        }),
        then: (_answer, { named }) => `/app/spaces/${named["spaceId"]}/history`,
      }),
    },
  }),
];
