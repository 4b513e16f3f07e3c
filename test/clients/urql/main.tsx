// urql with graphcache: a normalized cache with the schema, paged lists, live comments.
import { type Cache, cacheExchange, type Entity } from "@urql/exchange-graphcache";
import { createClient as createSocket } from "graphql-ws";
import { type ReactNode, useState } from "react";
import { Client, fetchExchange, Provider, subscriptionExchange, useMutation, useQuery, useSubscription } from "urql";
import { keys, resolvers } from "../docgraph/graphcache.ts";
import schema from "../docgraph/graphcache.schema.json" with { type: "json" };
import {
  DiscussionDocument,
  NewsDocument,
  type NewsSubscription,
  OutlineDocument,
  type PostFragment,
  RemoveDocument,
  type RemoveMutation,
  SpacesDocument,
  TextsDocument,
  WriteDocument,
  type WriteMutation,
  type WriteMutationVariables,
} from "../documents.ts";
import { CommentList, noteSeen, PageText, PageTitles, show, SpaceList, useStart, Waiting } from "../parts.tsx";
import { authorization, gateway, live, organizationId } from "../settings.ts";

type Edge = { readonly cursor: string; readonly node: PostFragment };

/** The cached comment lists of a space, one a page. */
const pagesOf = (cache: Cache, space: Entity) =>
  cache.inspectFields(space).filter(({ fieldName }) => fieldName === "comments");

/** Appends a comment to the last page of a list, if that is cached, unless it is in it. */
function add(cache: Cache, spaceId: string, edge: Edge): void {
  for (const { arguments: args } of pagesOf(cache, { __typename: "Space", id: spaceId })) {
    const variables = { spaceId, after: (args?.["after"] as string | undefined) ?? null };
    cache.updateQuery({ query: DiscussionDocument, variables }, (data) => {
      if (!data?.space || data.space.comments.pageInfo.hasNextPage) return data;
      const { edges, ...comments } = data.space.comments;
      if (edges.some(({ node }) => node.id === edge.node.id)) return data;
      const added = [...edges, { __typename: "CommentEdge" as const, ...edge }];
      return { ...data, space: { ...data.space, comments: { ...comments, edges: added } } };
    });
  }
}

/** Removes a comment from all cached pages of all lists of a space. */
function drop(cache: Cache, spaceId: string, commentId: string): void {
  const space = { __typename: "Space", id: spaceId };
  const comment = cache.keyOfEntity({ __typename: "Comment", id: commentId });
  for (const { fieldKey } of pagesOf(cache, space)) {
    const list = cache.resolve(space, fieldKey) as string;
    const edges = cache.resolve(list, "edges") as string[];
    cache.link(
      list,
      "edges",
      edges.filter((edge) => cache.resolve(edge, "node") !== comment),
    );
  }
  cache.invalidate({ __typename: "Comment", id: commentId });
}

const store = cacheExchange({
  keys,
  resolvers,
  schema,
  updates: {
    Mutation: {
      createComment: ({ createComment }: WriteMutation, { input }: WriteMutationVariables, cache) =>
        add(cache, String(input.contentOf?.spaceId), createComment.commentEdge),
      deleteComment: ({ deleteComment: { deletedId, space } }: RemoveMutation, _args, cache) => {
        if (deletedId && space) drop(cache, space.id, deletedId);
      },
    },
    Subscription: {
      commentEvents: ({ commentEvents: event }: NewsSubscription, _args, cache) => {
        if ("spaceId" in event) noteSeen(event.spaceId, event.cursor);
        if (event.__typename === "CommentPosted" && event.comment)
          add(cache, event.spaceId, { cursor: "", node: event.comment });
        if (event.__typename === "CommentDeleted") drop(cache, event.spaceId, event.commentId);
      },
    },
  },
});

const socket = createSocket(live);
const client = new Client({
  url: `${gateway}/graphql`,
  preferGetMethod: false,
  fetchOptions: { headers: { authorization } },
  exchanges: [
    store,
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = "", ...request }) => ({
        subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, ...request }, sink) }),
      }),
    }),
  ],
});

function Spaces({ open }: { readonly open: (spaceId: string) => void }): ReactNode {
  const [after, go] = useState<string | null>(null);
  const [{ data }] = useQuery({ query: SpacesDocument, variables: { organizationId, after } });
  if (!data?.organization) return <Waiting />;
  const { title, spaces } = data.organization;
  const { hasNextPage, endCursor } = spaces.pageInfo;
  const more = () => go(endCursor ?? null);
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
  const [{ data }] = useQuery({ query: TextsDocument, variables: { spaceId } });
  const pages = data?.space?.content.allPages ?? [];
  return pages.map(({ id, title, markdown }) => <PageText key={id} title={title} text={markdown} />);
}

function Outline({ spaceId }: { readonly spaceId: string }): ReactNode {
  const [{ data }] = useQuery({ query: OutlineDocument, variables: { spaceId } });
  return <PageTitles titles={data?.space?.content.allPages.map(({ title }) => title) ?? []} />;
}

function Discussion({ spaceId }: { readonly spaceId: string }): ReactNode {
  const [after, go] = useState<string | null>(null);
  const [{ data }] = useQuery({ query: DiscussionDocument, variables: { spaceId, after } });
  const [, write] = useMutation(WriteDocument);
  const [, remove] = useMutation(RemoveDocument);
  const start = useStart(spaceId, data?.eventCursor);
  useSubscription({ query: NewsDocument, pause: start === undefined, variables: { spaceId, after: start ?? null } });
  if (!data?.space) return <Waiting />;
  const { edges, pageInfo } = data.space.comments;
  const more = () => go(pageInfo.endCursor ?? null);
  return (
    <CommentList
      comments={edges.map(({ node }) => ({
        id: node.id,
        author: node.postedBy.displayName,
        text: node.body.markdown,
        isOutdated: node.target.page?.outdated === true,
      }))}
      more={pageInfo.hasNextPage ? more : null}
      write={(text) => void write({ input: { contentOf: { spaceId }, text: { markdown: text } } })}
      remove={(commentId) => void remove({ input: { commentId } })}
    />
  );
}

show({ Spaces, Texts, Outline, Discussion }, (inside) => <Provider value={client}>{inside}</Provider>);
