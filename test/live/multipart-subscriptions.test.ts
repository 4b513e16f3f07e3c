// Features of multipart subscriptions (Apollo's protocol) alone: headers, heartbeats and media types.
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
const subscription = `subscription ($id: ID!) {
  commentEvents(of: { spaceId: $id }) {
    __typename ... on CommentPosted { comment { body { markdown } } }
  }
}`;

interface Event {
  readonly __typename: string;
  readonly comment?: { readonly body: { readonly markdown: string } };
}
interface Part {
  readonly payload?: { readonly data: { readonly commentEvents: Event } };
}

const accept = 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json';

/** Opens a stream; `next` returns its parts, and null at the end. */
async function open(headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const answer = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept, ...headers },
    body: JSON.stringify({ query: subscription, variables: { id: spaceId } }),
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
  /** The next event, skipping heartbeats. */
  async function event(): Promise<Event | undefined> {
    for (;;) {
      const part = await next();
      if (part === null || part.payload) return part?.payload?.data.commentEvents;
    }
  }
  return { answer, next, event, close: () => abort.abort() };
}

test("sends events as parts, with heartbeats between them", async () => {
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

test.each([
  ["server-sent events come where both are accepted", "text/event-stream, multipart/mixed; subscriptionSpec=1.0", 200],
  ["another version is not known", "multipart/mixed; subscriptionSpec=2.0", 406],
  ["deferred parts are not a stream", "multipart/mixed; deferSpec=20220824", 406],
  ["neither is JSON", "application/json", 406],
])("%s", async (_name, accepted, status) => {
  const { answer, close } = await open({ accept: accepted });
  expect(answer.status).toBe(status);
  if (status === 200) expect(answer.headers.get("content-type")).toContain("text/event-stream");
  close();
});
