// Persisted queries on WebSockets, and between gateways that share a Redis.
import { hash } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SentDocuments } from "#src/graph/documents/sent-documents.ts";
import { redisDocuments } from "#src/server/process/redis.ts";
import { startNetworkProxy } from "#test/live/network-proxy.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { findRedis } from "#test/live/redis.ts";
import { testApp, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
let token: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
});

const persisted = (query: string) => ({ persistedQuery: { version: 1, sha256Hash: hash("sha256", query) } });
const notFound = { message: "PersistedQueryNotFound", extensions: { code: "PERSISTED_QUERY_NOT_FOUND" } };

/** The response to a payload on a new socket. */
async function askOnSocket(payload: object, url = app.url) {
  const { send, receive, socket } = await openKnown(url, token);
  send({ id: "1", type: "subscribe", payload });
  const answer = await receive();
  socket.terminate();
  return answer;
}

async function askByPost(body: object, url = app.url): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (await fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

describe("persisted queries on a WebSocket", () => {
  test("an unknown hash is accepted after it was sent once with its document, on every transport", async () => {
    const query = "query Own($id: ID!) { space(id: $id) { id } }";
    const [extensions, variables] = [persisted(query), { id: spaceId }];
    const answer = { data: { space: { id: spaceId } } };
    expect(await askOnSocket({ extensions, variables })).toMatchObject({ type: "error", payload: [notFound] });
    expect(await askOnSocket({ query: "", extensions, variables })).toMatchObject({ payload: [notFound] });
    expect(await askOnSocket({ query, extensions, variables })).toMatchObject({ type: "next", payload: answer });
    expect(await askOnSocket({ extensions, variables })).toMatchObject({ type: "next", payload: answer });
    expect(await askByPost({ extensions, variables })).toEqual(answer);
    const documentId = `sha256:${hash("sha256", query)}`;
    expect(await askOnSocket({ documentId, variables })).toMatchObject({ type: "next", payload: answer });
    expect(await askByPost({ documentId, variables })).toEqual(answer);
  });

  test("a subscription can be started by its hash", async () => {
    const query = `subscription { commentEvents(of: { spaceId: "${spaceId}" }) { __typename } }`;
    const ready = { type: "next", payload: { data: { commentEvents: { __typename: "Ready" } } } };
    for (const sent of [{ query }, {}])
      expect(await askOnSocket({ ...sent, extensions: persisted(query) })).toMatchObject(ready);
  });

  test("neither a wrong hash nor an invalid document is stored", async () => {
    const [query, other] = ["{ viewer { email } }", "{ viewer { displayName } }"];
    const mismatch = { message: expect.stringContaining("SHA-256") as string, extensions: { code: "BAD_REQUEST" } };
    expect(await askOnSocket({ query, extensions: persisted(other) })).toMatchObject({ payload: [mismatch] });
    await askOnSocket({ query: "{ nothing }", extensions: persisted("{ nothing }") });
    for (const text of [query, other, "{ nothing }"])
      expect(await askOnSocket({ extensions: persisted(text) })).toMatchObject({ payload: [notFound] });
  });

  test.each([
    [{ documentId: 7 }, "BAD_REQUEST"],
    [{ documentId: "" }, "PERSISTED_DOCUMENT_NOT_FOUND"],
    [{ documentId: "a1b2" }, "PERSISTED_DOCUMENT_NOT_FOUND"],
    [{ documentId: "x-other:a1b2" }, "PERSISTED_DOCUMENT_NOT_FOUND"],
    [{ documentId: `sha256:${"0".repeat(64)}` }, "PERSISTED_DOCUMENT_NOT_FOUND"],
    [{ extensions: { persistedQuery: { version: 2 } } }, "PERSISTED_QUERY_NOT_SUPPORTED"],
  ])("%j is refused on every transport, and the socket stays open", async (sent, code) => {
    expect(await askByPost(sent)).toMatchObject({ errors: [{ extensions: { code } }] });
    const { send, receive, socket } = await openKnown(app.url, token);
    send({ id: "1", type: "subscribe", payload: sent });
    expect(await receive()).toMatchObject({ type: "error", payload: [{ extensions: { code } }] });
    send({ type: "ping" });
    expect(await receive()).toEqual({ type: "pong" });
    socket.terminate();
  });

  test("a text that only looks like a document id is refused by the protocol", async () => {
    const { send, closed } = await openKnown(app.url, token);
    send('{"id":"1","type":"subscribe","payload":{"documentId"');
    expect(await closed).toMatchObject({ code: 4400 });
  });
});

describe("persisted queries shared by Redis", async () => {
  const redis = await findRedis();
  const proxy = redis && (await startNetworkProxy(redis));
  const name = `test-${process.pid}-${Date.now()}`;
  const open = (room?: number) => {
    const at = { url: `redis://127.0.0.1:${proxy?.port}`, name, log: pino({ level: "silent" }) };
    return redisDocuments(room === undefined ? at : { ...at, room });
  };
  afterAll(async () => {
    await proxy?.close();
    await redis?.[Symbol.asyncDispose]();
  });

  /** Polls until Redis has stored the document. */
  async function findsSoon(documents: ReturnType<typeof open>, text: string) {
    await expect.poll(() => documents.find(hash("sha256", text))).toBe(text);
  }

  test.skipIf(!proxy)(
    "a document stored by one gateway is known to the other, and Redis may be unavailable",
    async () => {
      const [one, other] = [open(), open()];
      await using first = await testApp({ beside: app, documents: new SentDocuments({ shared: one }) });
      await using second = await testApp({ beside: app, documents: new SentDocuments({ shared: other }) });
      const [query, unshared] = ["query Shared { viewer { __typename } }", "query Alone { viewer { __typename } }"];
      const data = { viewer: { __typename: "User" } };
      await expect.poll(() => askByPost({ query, extensions: persisted(query) }, first.url)).toEqual({ data });
      await findsSoon(other, query);
      expect(await askByPost({ extensions: persisted(query) }, second.url)).toEqual({ data });
      proxy?.disconnect();
      expect(await askByPost({ extensions: persisted(query) }, second.url)).toEqual({ data }); // from its memory
      expect(await askByPost({ extensions: persisted(unshared) }, first.url)).toEqual({ errors: [notFound] });
      expect(await askByPost({ query: unshared, extensions: persisted(unshared) }, first.url)).toEqual({ data });
      expect(await askByPost({ extensions: persisted(unshared) }, first.url)).toEqual({ data });
      proxy?.reconnect();
    },
  );

  test.skipIf(!proxy)("stored documents are verified and limited: the least recently used one is evicted", async () => {
    const documents = open(100);
    const [old, young] = ["x".repeat(60), "y".repeat(60)];
    const keep = (text: string) => documents.keep(hash("sha256", text), text);
    await expect
      .poll(async () => {
        keep(old);
        return documents.find(hash("sha256", old));
      })
      .toBe(old);
    keep(young);
    await findsSoon(documents, young);
    expect(await documents.find(hash("sha256", old))).toBeNull();
    const wrong = hash("sha256", "{ viewer { id } }");
    documents.keep(wrong, "{ __typename }");
    await expect.poll(() => documents.find(wrong)).toBe("{ __typename }");
    const asked = { documentId: `sha256:${wrong}` };
    expect(await new SentDocuments({ shared: documents }).find(asked)).not.toHaveProperty("text");
    documents.close();
  });
});
