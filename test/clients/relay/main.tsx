// Relay: fragments beside their components, paged connections, a page refetched by its id, edges added and removed by
// directives only.
import { createClient } from "graphql-ws";
import { type ReactNode, Suspense, useMemo } from "react";
import {
  graphql,
  RelayEnvironmentProvider,
  useFragment,
  useLazyLoadQuery,
  useMutation,
  usePaginationFragment,
  useRefetchableFragment,
  useSubscription,
} from "react-relay";
import { Environment, Network, Observable, RecordSource, Store } from "relay-runtime";
import { getDataID } from "../docgraph/relay.ts";
import { CommentList, noteSeen, PageText, PageTitles, show, SpaceList, useStart, Waiting } from "../parts.tsx";
import { authorization, gateway, live, organizationId } from "../settings.ts";
import type { mainComments$key } from "./__generated__/mainComments.graphql.ts";
import type { mainCommentsQuery } from "./__generated__/mainCommentsQuery.graphql.ts";
import type { mainDiscussionQuery } from "./__generated__/mainDiscussionQuery.graphql.ts";
import type { mainNewsSubscription } from "./__generated__/mainNewsSubscription.graphql.ts";
import type { mainOutlineQuery } from "./__generated__/mainOutlineQuery.graphql.ts";
import type { mainPost$key } from "./__generated__/mainPost.graphql.ts";
import type { mainRemoveMutation } from "./__generated__/mainRemoveMutation.graphql.ts";
import type { mainSpaces$key } from "./__generated__/mainSpaces.graphql.ts";
import type { mainSpacesPageQuery } from "./__generated__/mainSpacesPageQuery.graphql.ts";
import type { mainSpacesQuery } from "./__generated__/mainSpacesQuery.graphql.ts";
import type { mainText$key } from "./__generated__/mainText.graphql.ts";
import type { mainTextAgainQuery } from "./__generated__/mainTextAgainQuery.graphql.ts";
import type { mainTextsQuery } from "./__generated__/mainTextsQuery.graphql.ts";
import type { mainWriteMutation } from "./__generated__/mainWriteMutation.graphql.ts";

const socket = createClient(live);
const environment = new Environment({
  getDataID,
  store: new Store(new RecordSource()),
  network: Network.create(
    async ({ text }, variables) => {
      const headers = { authorization, "content-type": "application/json" };
      const body = JSON.stringify({ query: text, variables });
      const answer = await fetch(`${gateway}/graphql`, { method: "POST", headers, body });
      return await answer.json();
    },
    ({ text }, variables) =>
      Observable.create((sink) => socket.subscribe({ query: text ?? "", variables }, sink as never)),
  ),
});

function Spaces({ open }: { readonly open: (spaceId: string) => void }): ReactNode {
  const query = useLazyLoadQuery<mainSpacesQuery>(
    graphql`
      query mainSpacesQuery($organizationId: ID!) {
        organization(id: $organizationId) {
          title
          ...mainSpaces
        }
      }
    `,
    { organizationId },
  );
  const { data, hasNext, loadNext } = usePaginationFragment<mainSpacesPageQuery, mainSpaces$key>(
    graphql`
      fragment mainSpaces on Organization
      @refetchable(queryName: "mainSpacesPageQuery")
      @argumentDefinitions(count: { type: "Int", defaultValue: 2 }, after: { type: "String" }) {
        spaces(first: $count, after: $after) @connection(key: "main_spaces") {
          edges {
            node {
              id
              title
            }
          }
        }
      }
    `,
    query.organization,
  );
  if (!query.organization || !data) return <Waiting />;
  const more = () => void loadNext(2);
  const spaces = data.spaces.edges.map(({ node }) => node);
  return <SpaceList title={query.organization.title} spaces={spaces} open={open} more={hasNext ? more : null} />;
}

function Texts({ spaceId }: { readonly spaceId: string }): ReactNode {
  const { space } = useLazyLoadQuery<mainTextsQuery>(
    graphql`
      query mainTextsQuery($spaceId: ID!) {
        space(id: $spaceId) {
          content {
            allPages {
              id
              ...mainText
            }
          }
        }
      }
    `,
    { spaceId },
  );
  return space?.content.allPages.map((page) => <Text key={page.id} page={page} />);
}

function Text({ page }: { readonly page: mainText$key }): ReactNode {
  const [{ title, markdown }, refetch] = useRefetchableFragment<mainTextAgainQuery, mainText$key>(
    graphql`
      fragment mainText on Page @refetchable(queryName: "mainTextAgainQuery") {
        title
        markdown
      }
    `,
    page,
  );
  const again = () => void refetch({}, { fetchPolicy: "network-only" });
  return (
    <PageText
      title={title}
      text={
        <>
          {markdown} <button onClick={again}>Read {title} again</button>
        </>
      }
    />
  );
}

function Outline({ spaceId }: { readonly spaceId: string }): ReactNode {
  const { space } = useLazyLoadQuery<mainOutlineQuery>(
    graphql`
      query mainOutlineQuery($spaceId: ID!) {
        space(id: $spaceId) {
          content {
            allPages {
              title
            }
          }
        }
      }
    `,
    { spaceId },
  );
  return <PageTitles titles={space?.content.allPages.map(({ title }) => title) ?? []} />;
}

function Discussion({ spaceId }: { readonly spaceId: string }): ReactNode {
  const query = useLazyLoadQuery<mainDiscussionQuery>(
    graphql`
      query mainDiscussionQuery($spaceId: ID!) {
        eventCursor
        space(id: $spaceId) {
          ...mainComments
        }
      }
    `,
    { spaceId },
  );
  return query.space && <Comments spaceId={spaceId} space={query.space} cursor={query.eventCursor} />;
}

interface CommentsProps {
  readonly spaceId: string;
  readonly space: mainComments$key;
  /** The cursor of the query. */
  readonly cursor: string;
}

function Comments({ spaceId, space, cursor }: CommentsProps): ReactNode {
  const { data, hasNext, loadNext } = usePaginationFragment<mainCommentsQuery, mainComments$key>(
    graphql`
      fragment mainComments on Space
      @refetchable(queryName: "mainCommentsQuery")
      @argumentDefinitions(count: { type: "Int", defaultValue: 2 }, after: { type: "String" }) {
        comments(first: $count, after: $after, orderBy: { field: POSTED_AT, direction: ASC })
          @connection(key: "main_comments") {
          __id
          edges {
            node {
              ...mainPost
            }
          }
        }
      }
    `,
    space,
  );
  const list = data.comments.__id;
  const connections = [list];
  const after = useStart(spaceId, cursor);
  useSubscription<mainNewsSubscription>(
    useMemo(
      () => ({
        subscription: graphql`
          subscription mainNewsSubscription($spaceId: ID!, $after: String, $connections: [ID!]!) {
            commentEvents(of: { spaceId: $spaceId }, after: $after) {
              ... on StreamMessage {
                cursor
              }
              ... on CommentPosted {
                comment @appendNode(connections: $connections, edgeTypeName: "CommentEdge") {
                  id
                  ...mainPost
                }
              }
              ... on CommentDeleted {
                commentId @deleteEdge(connections: $connections)
              }
            }
          }
        `,
        variables: { spaceId, after: after ?? null, connections: [list] },
        onNext: (news) => noteSeen(spaceId, news?.commentEvents.cursor ?? cursor),
      }),
      [spaceId, after, list, cursor],
    ),
  );
  const [write] = useMutation<mainWriteMutation>(graphql`
    mutation mainWriteMutation($input: CreateCommentInput!, $connections: [ID!]!) {
      createComment(input: $input) {
        commentEdge @appendEdge(connections: $connections) {
          cursor
          node {
            id
            ...mainPost
          }
        }
      }
    }
  `);
  const [remove] = useMutation<mainRemoveMutation>(graphql`
    mutation mainRemoveMutation($input: DeleteCommentInput!, $connections: [ID!]!) {
      deleteComment(input: $input) {
        deletedId @deleteEdge(connections: $connections)
      }
    }
  `);
  const comments = useFragment<mainPost$key>(
    graphql`
      fragment mainPost on Comment @relay(plural: true) {
        id
        body {
          markdown
        }
        postedBy {
          displayName
        }
        target {
          page {
            pageId
            outdated
          }
        }
      }
    `,
    data.comments.edges.map(({ node }) => node),
  );
  return (
    <CommentList
      comments={comments.map(({ id, body, postedBy, target }) => ({
        id,
        author: postedBy.displayName,
        text: body.markdown,
        isOutdated: target.page?.outdated === true,
      }))}
      more={hasNext ? () => void loadNext(2) : null}
      write={(text) =>
        void write({ variables: { input: { contentOf: { spaceId }, text: { markdown: text } }, connections } })
      }
      remove={(commentId) => void remove({ variables: { input: { commentId }, connections } })}
    />
  );
}

show({ Spaces, Texts, Outline, Discussion }, (inside) => (
  <RelayEnvironmentProvider environment={environment}>
    <Suspense fallback={<Waiting />}>{inside}</Suspense>
  </RelayEnvironmentProvider>
));
