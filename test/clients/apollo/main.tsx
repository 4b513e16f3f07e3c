// Apollo Client: a normalized cache updated with created and deleted objects, paged lists, live comments.
import { ApolloClient, type ApolloCache, ApolloLink, HttpLink, InMemoryCache } from "@apollo/client";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { ApolloProvider, useApolloClient, useMutation, useQuery, useSubscription } from "@apollo/client/react";
import { getMainDefinition } from "@apollo/client/utilities";
import { createClient } from "graphql-ws";
import type { ReactNode } from "react";
import { possibleTypes, typePolicies } from "../docgraph/apollo.ts";
import {
  DiscussionDocument,
  NewsDocument,
  OutlineDocument,
  type PostFragment,
  RemoveDocument,
  SpacesDocument,
  TextsDocument,
  WriteDocument,
} from "../documents.ts";
import { CommentList, noteSeen, PageText, PageTitles, show, SpaceList, useStart, Waiting } from "../parts.tsx";
import { authorization, gateway, live, organizationId } from "../settings.ts";

const http = new HttpLink({ uri: `${gateway}/graphql`, headers: { authorization } });
const socket = new GraphQLWsLink(createClient(live));
const client = new ApolloClient({
  cache: new InMemoryCache({ possibleTypes, typePolicies }),
  link: ApolloLink.split(({ query }) => isSubscription(query), socket, http),
});

function isSubscription(query: Parameters<typeof getMainDefinition>[0]): boolean {
  const main = getMainDefinition(query);
  return main.kind === "OperationDefinition" && main.operation === "subscription";
}

function Spaces({ open }: { readonly open: (spaceId: string) => void }): ReactNode {
  const { data, fetchMore } = useQuery(SpacesDocument, { variables: { organizationId } });
  if (!data?.organization) return <Waiting />;
  const { title, spaces } = data.organization;
  const { hasNextPage, endCursor } = spaces.pageInfo;
  const more = () => void fetchMore({ variables: { after: endCursor ?? null } });
  return (
    <SpaceList
      title={title}
      spaces={spaces.edges.map(({ node }) => node)}
      open={open}
      more={hasNextPage ? more : null}
    />
  );
}

function Texts({ spaceId }: { readonly spaceId: string }): ReactNode {
  const { data } = useQuery(TextsDocument, { variables: { spaceId } });
  const pages = data?.space?.content.allPages ?? [];
  return pages.map(({ id, title, markdown }) => <PageText key={id} title={title} text={markdown} />);
}

function Outline({ spaceId }: { readonly spaceId: string }): ReactNode {
  const { data } = useQuery(OutlineDocument, { variables: { spaceId } });
  return <PageTitles titles={data?.space?.content.allPages.map(({ title }) => title) ?? []} />;
}

/** Appends a comment to a cached list, unless it is in it. */
function add(
  cache: ApolloCache,
  spaceId: string,
  edge: { readonly cursor: string; readonly node: PostFragment },
): void {
  cache.updateQuery({ query: DiscussionDocument, variables: { spaceId } }, (data) => {
    if (!data?.space || data.space.comments.edges.some(({ node }) => node.id === edge.node.id)) return data;
    const { comments } = data.space;
    const edges = [...comments.edges, { __typename: "CommentEdge" as const, ...edge }];
    return { ...data, space: { ...data.space, comments: { ...comments, edges } } };
  });
}

/** Lists omit deleted objects. */
function drop(cache: ApolloCache, commentId: string): void {
  const id = cache.identify({ __typename: "Comment", id: commentId });
  if (id !== undefined) cache.evict({ id });
}

function Discussion({ spaceId }: { readonly spaceId: string }): ReactNode {
  const { cache } = useApolloClient();
  const { data, fetchMore } = useQuery(DiscussionDocument, { variables: { spaceId } });
  const [write] = useMutation(WriteDocument, {
    update: (_cache, { data: written }) => written && add(cache, spaceId, written.createComment.commentEdge),
  });
  const [remove] = useMutation(RemoveDocument, {
    update: (_cache, { data: removed }) =>
      removed?.deleteComment.deletedId && drop(cache, removed.deleteComment.deletedId),
  });
  const start = useStart(spaceId, data?.eventCursor);
  useSubscription(NewsDocument, {
    skip: start === undefined,
    variables: { spaceId, after: start ?? null },
    onData: ({ data: { data: news } }) => {
      const event = news?.commentEvents;
      if (event) noteSeen(spaceId, event.cursor);
      if (event?.__typename === "CommentPosted" && event.comment)
        add(cache, spaceId, { cursor: "", node: event.comment });
      if (event?.__typename === "CommentDeleted") drop(cache, event.commentId);
    },
  });
  if (!data?.space) return <Waiting />;
  const { edges, pageInfo } = data.space.comments;
  const more = () => void fetchMore({ variables: { after: pageInfo.endCursor ?? null } });
  return (
    <CommentList
      comments={edges.map(({ node }) => ({
        id: node.id,
        author: node.postedBy.displayName,
        text: node.body.markdown,
        isOutdated: node.target.page?.outdated === true,
      }))}
      more={pageInfo.hasNextPage ? more : null}
      write={(text) => void write({ variables: { input: { contentOf: { spaceId }, text: { markdown: text } } } })}
      remove={(commentId) => void remove({ variables: { input: { commentId } } })}
    />
  );
}

show({ Spaces, Texts, Outline, Discussion }, (inside) => <ApolloProvider client={client}>{inside}</ApolloProvider>);
