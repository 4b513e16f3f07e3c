// Features of server-sent events alone: the format of each event, media types, heartbeats, and requests from pages of
// other origins.
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type EventStreamClient, openEventStream, type ServerSentEvent } from "#test/live/event-stream.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp({ allowedOrigins: ["https://docs.example.com"], keepAliveMs: 20 });
let token: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
});

const open: EventStreamClient[] = [];
afterEach(() => Promise.all(open.splice(0).map((client) => client.close())));

const document = `subscription ($space: ID!, $after: String) { commentEvents(of: { spaceId: $space }, after: $after) {
  __typename ... on StreamMessage { cursor } ... on CommentPosted { comment { body { markdown } } } } }`;

async function listen(headers: Record<string, string> = {}): Promise<EventStreamClient> {
  const client = await openEventStream(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify({ query: document, variables: { space: spaceId } }),
  });
  open.push(client);
  return client;
}

const post = (text: string) =>
  app.as(token).rest("POST", `/v1/spaces/${spaceId}/comments`, { body: { body: { markdown: text } } });

interface Received {
  readonly data: {
    readonly commentEvents: { __typename: string; cursor: string; comment?: { body: { markdown: string } } };
  };
}
const messageOf = (event: ServerSentEvent | null) => (JSON.parse(event?.data ?? "null") as Received).data.commentEvents;

describe("an SSE stream", () => {
  test("sends each message as an event with its cursor as id", async () => {
    const client = await listen();
    expect(client.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(client.response.headers.get("cache-control")).toContain("no-cache");
    const ready = await client.next();
    expect(ready).toMatchObject({ event: "next", id: messageOf(ready).cursor });
    expect(messageOf(ready).__typename).toBe("Ready");
    await post("over SSE");
    const event = await client.next();
    expect(event?.id).toBe(messageOf(event).cursor);
    expect(messageOf(event)).toMatchObject({
      __typename: "CommentPosted",
      comment: { body: { markdown: "over SSE" } },
    });
  });

  test("sends the same bytes to all subscribers of the same subject", async () => {
    const ask = () =>
      fetch(`${app.url}/graphql`, {
        method: "POST",
        headers: { accept: "text/event-stream", "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ query: document, variables: { space: spaceId } }),
      });
    const readers = [await ask(), await ask()].map(({ body }) => body?.getReader());
    const texts = ["", ""];
    const readUntil = (mark: string) =>
      Promise.all(
        readers.map(async (reader, index) => {
          const decoder = new TextDecoder();
          while (!texts[index]?.includes(mark) || !texts[index].endsWith("\n\n"))
            texts[index] += decoder.decode((await reader?.read())?.value, { stream: true });
        }),
      );
    await readUntil("Ready");
    for (const text of ["one – 漢字 😀", "two", "three"]) await post(text);
    await readUntil("three");
    const [[ready, ...events] = [], others] = texts.map((text) =>
      text.split(/(?<=\n\n)/).filter((block) => block !== ":\n\n"),
    );
    expect(ready).toContain("Ready");
    expect(events).toHaveLength(3);
    expect(others?.slice(1)).toEqual(events);
    for (const event of events) {
      const [, id, data = ""] = /^event: next\nid: (.+)\ndata: (.+)\n\n$/.exec(event) ?? [];
      expect(messageOf({ event: "next", id, data })).toMatchObject({ __typename: "CommentPosted", cursor: id });
      expect(JSON.stringify(JSON.parse(data))).toBe(data);
    }
    expect(events[0]).toContain("one – 漢字 😀");
    await Promise.all(readers.map(async (reader) => reader?.cancel()));
  });

  test("can be opened by GET", async () => {
    const query = new URLSearchParams({ query: document, variables: JSON.stringify({ space: spaceId }) });
    const client = await openEventStream(`${app.url}/graphql?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    open.push(client);
    expect(messageOf(await client.next()).__typename).toBe("Ready");
  });

  test("sends comments to keep an idle connection alive", async () => {
    const raw = await fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: { accept: "text/event-stream", "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: document, variables: { space: spaceId } }),
    });
    const reader = raw.body?.getReader();
    let text = "";
    while ((text.match(/^:$/gm)?.length ?? 0) < 5) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
  });

  test("is refused without a token, a valid cursor and the media type", async () => {
    const ask = async (headers: Record<string, string>) => {
      const response = await fetch(`${app.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ query: document, variables: { space: spaceId } }),
      });
      const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
      return [response.status, errors[0]?.extensions.code];
    };
    const authorization = `Bearer ${token}`;
    expect(await ask({ accept: "text/event-stream" })).toEqual([401, "UNAUTHENTICATED"]);
    expect(await ask({ accept: "text/event-stream", authorization, "last-event-id": "x" })).toEqual([
      400,
      "INVALID_INPUT",
    ]);
    expect(await ask({ accept: "application/json", authorization })).toEqual([406, "NOT_ACCEPTABLE"]);
  });
});

describe("an SSE stream for a page of another origin", () => {
  const preflight = (origin: string) =>
    fetch(`${app.url}/graphql`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
    });

  test("is opened if the origin is listed", async () => {
    const origin = "https://docs.example.com";
    const answer = await preflight(origin);
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    expect(answer.headers.get("access-control-allow-headers")).toContain("authorization");
    const client = await listen({ origin });
    expect(client.response.headers.get("access-control-allow-origin")).toBe(origin);
    for (const path of ["/graphql?query={__typename}", "/v1/orgs"]) {
      const { headers } = await fetch(`${app.url}${path}`, { headers: { origin, authorization: `Bearer ${token}` } });
      expect(headers.get("access-control-allow-origin")).toBe(origin);
    }
  });

  test("is refused if the origin is not listed", async () => {
    for (const origin of ["https://docs.example.com.evil.example.com", "http://docs.example.com", "null"]) {
      const answer = await preflight(origin);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      expect(answer.status).not.toBe(204);
      expect(answer.headers.get("vary")).toContain("origin");
    }
  });
});
