// Two rules for every way to send operations over HTTP: a request with a session cookie must prove that it is not
// forged (CSRF), and GET changes nothing.
import { hash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { signIn } from "#test/features/sessions/factory.ts";
import { useApp } from "#test/support/app.ts";

const listed = "https://app.example.com";
const { app, world } = await useApp({ takesBatches: true, allowedOrigins: [listed, "*"] });

const parts = "multipart/mixed; deferSpec=20220824, application/json";
const streamed = 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json';
const whoami = "{ viewer { id } }";
const deferred = "{ viewer { ... @defer { id } } }";
const subscription = "subscription { viewerEvents { __typename } }";
const mutation = (spaceId: string, markdown: string) =>
  `mutation { createComment(input: { contentOf: { spaceId: "${spaceId}" }, text: { markdown: "${markdown}" } }) { ... @defer { comment { id } } } }`;
const documentId = (text: string) => `sha256:${hash("sha256", text)}`;

let userId: string;
let cookie: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  ({ cookie } = await signIn(app, { userId: editor.id, at: new Date() }));
  [userId, spaceId] = [editor.id, space.id];
  const learn = (query: string) => ({
    query,
    extensions: { persistedQuery: { version: 1, sha256Hash: hash("sha256", query) } },
  });
  for (const body of [learn(whoami), learn(mutation(spaceId, "Once"))])
    await post(body, { authorization: `Bearer ${editor.token}` });
});

const post = (body: object, headers: Record<string, string>, signal?: AbortSignal) =>
  fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
const get = (parameters: Record<string, string>, headers: Record<string, string>, signal?: AbortSignal) =>
  fetch(`${app.url}/graphql?${new URLSearchParams(parameters)}`, { headers, ...(signal && { signal }) });

type Headers = Record<string, string>;
type Way = (headers: Headers, signal: AbortSignal) => Promise<Response>;

/** The beginning of each successful response. */
const ways: readonly [string, Way, RegExp][] = [
  ["a batch", (headers) => post([{ query: whoami }, { query: whoami }], headers), /^\[\{"data":\{"viewer":\{"id"/],
  ["POST by documentId", (headers) => post({ documentId: documentId(whoami) }, headers), /^\{"data":\{"viewer":\{"id"/],
  ["GET by documentId", (headers) => get({ documentId: documentId(whoami) }, headers), /^\{"data":\{"viewer":\{"id"/],
  ["POST answered in parts", (headers) => post({ query: deferred }, { accept: parts, ...headers }), /^--graphql/],
  ["GET answered in parts", (headers) => get({ query: deferred }, { accept: parts, ...headers }), /^--graphql/],
  [
    "a subscription in parts by POST",
    (headers, signal) => post({ query: subscription }, { accept: streamed, ...headers }, signal),
    /^--graphql/,
  ],
  [
    "a subscription in parts by GET",
    (headers, signal) => get({ query: subscription }, { accept: streamed, ...headers }, signal),
    /^--graphql/,
  ],
];

/** The status and the beginning of a response: streams do not end by themselves. */
async function beginningOf(way: Way, headers: Headers): Promise<[number, string]> {
  const abort = new AbortController();
  const answer = await way(headers, abort.signal);
  const { value } = (await answer.body?.getReader().read()) ?? {};
  abort.abort();
  return [answer.status, new TextDecoder().decode(value)];
}

describe.each(ways)("%s with a session cookie", (_name, way, beginning) => {
  test.each([
    ["no proof", {}],
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another page of the site", { "sec-fetch-site": "same-site" }],
    ["an origin that only * allows", { origin: "https://evil.example.com", "x-docgraph-csrf": "1" }],
    ["a listed origin without the header", { origin: listed }],
  ])("is refused with the headers %s", async (_which, headers) => {
    const [status, text] = await beginningOf(way, { cookie, ...headers });
    expect([status, text]).toEqual([403, expect.stringContaining('"code":"FORBIDDEN"')]);
    expect(text).not.toContain(userId);
  });

  test.each([
    ["the header", { "x-docgraph-csrf": "1" }],
    ["a page of the same origin", { "sec-fetch-site": "same-origin" }],
  ])("is accepted with the headers %s", async (_which, headers) => {
    const [status, text] = await beginningOf(way, { cookie, ...headers });
    expect(status).toBe(200);
    expect(text).toMatch(beginning);
  });
});

describe("GET refuses mutations", () => {
  const count = () => app.database.prisma.comment.count({ where: { spaceId } });

  test.each(["application/json", "application/graphql-response+json", parts, streamed, "text/event-stream", "*/*"])(
    "with Accept: %s",
    async (accept) => {
      const before = await count();
      const change = mutation(spaceId, "Once");
      const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash("sha256", change) } });
      const onlyPost = "from a POST request";
      for (const [parameters, refusal] of [
        [{ query: change }, onlyPost],
        [{ documentId: documentId(change) }, onlyPost],
        [{ extensions }, onlyPost],
        [{ query: change, extensions }, onlyPost],
        [{ documentId: documentId(change), query: whoami }, '"errors"'],
        [{ query: JSON.stringify([{ query: change }]) }, "GRAPHQL_PARSE_FAILED"],
      ] as [Headers, string][]) {
        const answer = await get(parameters, { accept, cookie, "x-docgraph-csrf": "1" });
        const text = await answer.text();
        expect(text, JSON.stringify(parameters)).toContain(refusal);
        expect(text).not.toContain('"data"');
      }
      expect(await count()).toBe(before);
    },
  );
});
