// Streams over WebSocket: what happens is delivered in order, once, with the node itself, from a cursor on, and no
// longer than the right to see it.
import { type Client as SocketClient, createClient } from "graphql-ws";
import { afterEach, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const document = `subscription ($space: ID!, $after: String) { commentEvents(of: { spaceId: $space }, after: $after) {
  __typename ... on StreamMessage { cursor }
  ... on Event { occurredAt actor { id } }
  ... on CommentPosted { commentId comment { id body { markdown } postedBy { id } } }
  ... on CommentDeleted { commentId spaceId } } }`;

interface Received {
  __typename: string;
  cursor: string;
  commentId?: string;
  comment?: { id: string; body: { markdown: string } } | null;
}

const clients: SocketClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
});

function connect(token: string): SocketClient {
  const client = createClient({
    url: `${app.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { token },
    retryAttempts: 0,
    lazy: false,
  });
  clients.push(client);
  return client;
}

async function* listen(client: SocketClient, variables: Record<string, unknown>): AsyncGenerator<Received> {
  for await (const { data, errors } of client.iterate<{ commentEvents: Received }>({ query: document, variables })) {
    if (errors) throw errors[0];
    if (data) yield data.commentEvents;
  }
}

async function take(stream: AsyncGenerator<Received>, count: number): Promise<Received[]> {
  const received: Received[] = [];
  while (received.length < count) {
    const { done, value } = await stream.next();
    if (done) break;
    received.push(value);
  }
  return received;
}

const post = `mutation ($space: ID!, $text: String!) { createComment(input: { contentOf: { spaceId: $space }, text: { markdown: $text } }) { comment { id } } }`;

describe("comments", () => {
  test("are delivered as they are posted, after Ready, with who did it and the comment itself", async () => {
    const { editor, space } = await world.space();
    const client = connect(editor.token);
    const stream = listen(client, { space: space.id });
    expect(await take(stream, 1)).toEqual([{ __typename: "Ready", cursor: expect.any(String) as string }]);
    await app.as(editor.token).query(post, { space: space.id, text: "Hello" });
    expect(await take(stream, 1)).toMatchObject([
      { __typename: "CommentPosted", comment: { body: { markdown: "Hello" } }, actor: { id: editor.id } },
    ]);
  });

  test("are delivered once from a cursor on, then as they are posted", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const { eventCursor } = await as.query<{ eventCursor: string }>("{ eventCursor }");
    for (const text of ["1", "2", "3"]) await as.query(post, { space: space.id, text });
    const client = connect(editor.token);
    const stream = listen(client, { space: space.id, after: eventCursor });
    const first = await take(stream, 3);
    const again = listen(connect(editor.token), { space: space.id, after: first.at(-1)?.cursor });
    await as.query(post, { space: space.id, text: "4" });
    const texts = (received: Received[]) =>
      received.map(({ comment, __typename }) => comment?.body.markdown ?? __typename);
    expect(texts([...first, ...(await take(stream, 2))])).toEqual(["Ready", "1", "2", "3", "4"]);
    expect(texts(await take(again, 3))).toEqual(["Ready", "3", "4"]);
  });

  test("are delivered no longer than the token lives", async () => {
    const { editor, space } = await world.space();
    const client = connect(editor.token);
    const stream = listen(client, { space: space.id });
    await take(stream, 1);
    const as = app.as(editor.token);
    const { apiTokens } = await as.query<{ apiTokens: { nodes: { id: string }[] } }>("{ apiTokens { nodes { id } } }");
    await as.query("mutation ($id: ID!) { revokeApiToken(input: { apiTokenId: $id }) { __typename } }", {
      id: apiTokens.nodes[0]?.id,
    });
    await expect(stream.next()).rejects.toMatchObject([{ extensions: { code: "UNAUTHENTICATED" } }]);
  });
});
