// Messages of graphql-transport-ws, as tests send and expect them.

/** Subscribes to the comments of a space. */
export const listen = `subscription ($space: ID!, $after: String) { commentEvents(of: { spaceId: $space }, after: $after) {
  __typename ... on StreamMessage { cursor } ... on CommentPosted { comment { body { markdown } } } } }`;

export const ask = (id: string, query: string, more: object = {}) => ({
  id,
  type: "subscribe",
  payload: { query, ...more },
});

export const subscribe = (id: string, space: string) => ask(id, listen, { variables: { space } });

/** The first message of a stream. */
export const ready = (id: string) => ({
  id,
  type: "next",
  payload: { data: { commentEvents: { __typename: "Ready" } } },
});

/** The message of a comment. */
export const posted = (id: string, markdown: string) => ({
  id,
  type: "next",
  payload: { data: { commentEvents: { __typename: "CommentPosted", comment: { body: { markdown } } } } },
});
