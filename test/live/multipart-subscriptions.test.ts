// Subscriptions in parts, by Apollo's multipart protocol, on the hub of all streams.
import { beforeAll, expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp({ keepAliveMs: 50 });
let token: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
});

const post = (markdown: string) =>
  app.as(token).rest("POST", `/v1/spaces/${spaceId}/comments`, { body: { body: { markdown } } });
const subscription = `subscription ($id: ID!, $after: String) {
  commentEvents(of: { spaceId: $id }, after: $after) {
    __typename ... on StreamMessage { cursor } ... on CommentPosted { comment { body { markdown } } }
  }
}`;

interface Event {
  readonly __typename: string;
  readonly cursor: string;
  readonly comment?: { readonly body: { readonly markdown: string } };
}
interface Part {
  readonly payload?: { readonly data: { readonly commentEvents: Event } } | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

const accept = 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json';

/** Opens a stream; `next` answers its parts, and null at the end. */
async function open(given: { id?: string; after?: string; headers?: Record<string, string>; document?: string } = {}) {
  const { id = spaceId, after, headers = {}, document = subscription } = given;
  const abort = new AbortController();
  const answer = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept, ...headers },
    body: JSON.stringify({ query: document, variables: { id, after } }),
    signal: abort.signal,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  async function next(): Promise<Part | null> {
    for (;;) {
      const end = text.indexOf("\r\n--graphql");
      const body = end < 0 ? -1 : text.slice(0, end).indexOf("\r\n\r\n");
      if (body >= 0) {
        const found = text.slice(body + 4, end);
        text = text.slice(end + "\r\n--graphql".length);
        return JSON.parse(found) as Part;
      }
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return null;
      text += chunk.value;
    }
  }
  /** The next one that is no sign of life. */
  async function said(): Promise<Part | null> {
    for (;;) {
      const part = await next();
      if (part === null || part.payload !== undefined) return part;
    }
  }
  const event = async () => (await said())?.payload?.data.commentEvents;
  return { answer, next, said, event, rest: () => text, close: () => abort.abort() };
}

test("events come as parts, with signs of life between", async () => {
  const { answer, next, event, close } = await open();
  expect(answer.headers.get("content-type")).toBe('multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"');
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect(await next()).toEqual({});
  expect(await event()).toMatchObject({ __typename: "Ready" });
  expect(await next()).toEqual({});
  await post("In a part");
  expect(await event()).toMatchObject({ comment: { body: { markdown: "In a part" } } });
  close();
});

test("it goes on from a cursor, which it takes as an argument or as Last-Event-ID", async () => {
  const first = await open();
  const cursor = (await first.event())?.cursor ?? "";
  first.close();
  await post("Meanwhile");
  for (const given of [{ after: cursor }, { headers: { "last-event-id": cursor } }]) {
    const { event, close } = await open(given);
    expect(await event()).toMatchObject({ __typename: "Ready" });
    expect(await event()).toMatchObject({ comment: { body: { markdown: "Meanwhile" } } });
    close();
  }
});

test("a refusal is its only part, and the end is said", async () => {
  const { next, said, rest } = await open({ id: "spc_01h000000000000000000000000" });
  expect(await next()).toEqual({});
  expect(await said()).toMatchObject({ payload: null, errors: [{ extensions: { code: "NOT_FOUND" } }] });
  expect(await next()).toBeNull();
  expect(rest()).toBe("--\r\n");
});

test("the end of rights ends it with its error", async () => {
  const { member, token: own, id } = await leavingSpace();
  const stream = await open({ id, headers: { authorization: `Bearer ${own}` } });
  expect(await stream.event()).toMatchObject({ __typename: "Ready" });
  await member();
  expect(await stream.said()).toMatchObject({ payload: null, errors: [{ extensions: { code: "NOT_FOUND" } }] });
});

/** A space whose deletion ends what is told of it. */
async function leavingSpace() {
  const { admin, reader, space } = await world.space();
  const member = () => app.as(admin.token).rest("DELETE", `/v1/spaces/${space.id}`);
  return { member, token: reader.token, id: space.id };
}

test.each([
  ["server-sent events come where both are accepted", "text/event-stream, multipart/mixed; subscriptionSpec=1.0", 200],
  ["another version is not known", "multipart/mixed; subscriptionSpec=2.0", 406],
  ["parts of what is deferred are no stream", "multipart/mixed; deferSpec=20220824", 406],
  ["neither is JSON", "application/json", 406],
])("%s", async (_name, accepted, status) => {
  const { answer, close } = await open({ headers: { accept: accepted } });
  expect(answer.status).toBe(status);
  if (status === 200) expect(answer.headers.get("content-type")).toContain("text/event-stream");
  close();
});
