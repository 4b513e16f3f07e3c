// Compression for clients that accept it, and 304 for clients that have the response.
import { type IncomingMessage, request } from "node:http";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { addComment } from "#test/features/comments/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
let token: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
  for (let number = 0; number < 20; number++)
    await app.as(token).rest("POST", `/v1/spaces/${spaceId}/comments`, {
      body: { body: { markdown: `Comment ${number} über Wasser 水 😀` } },
    });
});

interface Line {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** The raw response bytes. */
async function ask(path: string, { method = "GET", headers = {}, body }: Line = {}) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(`${app.url}${path}`, { method, headers: { authorization: `Bearer ${token}`, ...headers } });
    asked.once("response", resolve).once("error", reject).end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) };
}

const comments = () => `/v1/spaces/${spaceId}/comments?limit=20`;
const own = "/v1/orgs";
const document = () =>
  `{ space(id: "${spaceId}") { comments(first: 20) { nodes { body { markdown } postedBy { id } } } } }`;
const post = (headers: Record<string, string> = {}): Promise<Awaited<ReturnType<typeof ask>>> =>
  ask("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query: document() }),
  });

const decoded: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  zstd: (bytes) => zstdDecompressSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
};

test.each(["zstd", "br", "gzip"])("%s compresses the response without changing it, on every route", async (name) => {
  const takes = { "accept-encoding": name };
  const byUrl = `/graphql?query=${encodeURIComponent(document())}`;
  const ways = [(headers = {}) => ask(comments(), { headers }), post, (headers = {}) => ask(byUrl, { headers })];
  const paths = ["/v1/openapi.json", "/README.md"];
  for (const way of [
    ...ways,
    ...paths.map(
      (path) =>
        (headers = {}) =>
          ask(path, { headers }),
    ),
  ]) {
    const [plain, short] = [await way(), await way(takes)];
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(short.status).toBe(200);
    expect(short.headers["content-encoding"]).toBe(name);
    expect(short.headers["content-length"]).toBe(String(short.bytes.length));
    expect(short.headers["content-type"]).toBe(plain.headers["content-type"]);
    expect(short.headers["vary"]).toContain("accept-encoding");
    expect(plain.headers["vary"]).toContain("accept-encoding");
    expect(short.bytes.length).toBeLessThan(plain.bytes.length);
    expect(decoded[name]?.(short.bytes).equals(plain.bytes)).toBe(true);
  }
});

test.each([
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip, deflate, br", "br"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["*", "zstd"],
  ["gzip;q=0, identity", undefined],
  ["identity", undefined],
  ["compress, x-unknown", undefined],
  ["", undefined],
  ["gzip;q=what, ;;;,", undefined],
])("for Accept-Encoding %j chooses %s", async (accepted, name) => {
  const { status, headers } = await post({ "accept-encoding": accepted });
  expect([status, headers["content-encoding"]]).toEqual([200, name]);
});

test("does not compress a short response", async () => {
  const { headers } = await ask("/healthz", { headers: { "accept-encoding": "gzip" } });
  expect(headers["content-encoding"]).toBeUndefined();
});

test("returns 304 for a matching ETag until the response changes", async () => {
  for (const path of [comments(), `/graphql?query=${encodeURIComponent(document())}`, "/v1/openapi.json"]) {
    const { headers } = await ask(path);
    const etag = String(headers["etag"]);
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    expect(headers["cache-control"]).toBe("private, no-cache");
    for (const known of [etag, `"other", ${etag}`, "*"]) {
      const same = await ask(path, { headers: { "if-none-match": known, "accept-encoding": "gzip" } });
      expect([same.status, same.bytes.length, same.headers["etag"]]).toEqual([304, 0, etag]);
    }
    expect((await ask(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  }
  const { headers } = await ask(comments());
  await app.as(token).rest("POST", `/v1/spaces/${spaceId}/comments`, { body: { body: { markdown: "A new one" } } });
  expect((await ask(comments(), { headers: { "if-none-match": String(headers["etag"]) } })).status).toBe(200);
});

test("sends a response of more than 4 MB without an ETag", async () => {
  const long = await world.space();
  await world.insert((rows) => {
    for (let number = 0; number < 170; number++)
      addComment(rows, { spaceId: long.space.id, postedById: long.editor.id, markdown: "x".repeat(25_000) });
    return {};
  });
  const list = `/v1/spaces/${long.space.id}/comments?limit=`;
  const headers = { authorization: `Bearer ${long.editor.token}`, "if-none-match": "*" };
  expect((await ask(`${list}2`, { headers })).status).toBe(304);
  const { status, headers: given, bytes } = await ask(`${list}170`, { headers });
  expect([status, given["etag"], given["cache-control"]]).toEqual([200, undefined, "private, no-cache"]);
  expect(bytes.length).toBeGreaterThan(4_000_000);
});

test("ETags differ between viewers, and an invalid token does not get 304", async () => {
  const { reader } = await world.organization();
  const { headers } = await ask(own);
  const known = { "if-none-match": String(headers["etag"]) };
  expect((await ask(own, { headers: known })).status).toBe(304);
  expect((await ask(own, { headers: { ...known, authorization: `Bearer ${reader.token}` } })).status).toBe(200);
  expect((await ask(own, { headers: { ...known, authorization: "Bearer dg_no" } })).status).toBe(401);
  expect((await ask(`/v1/spaces/spc_unknown`, { headers: { "if-none-match": "*" } })).status).toBe(404);
});

test("mutations have no ETag and ignore If-None-Match", async () => {
  const { status, headers } = await ask(`/v1/spaces/${spaceId}/comments`, {
    method: "POST",
    headers: { "content-type": "application/json", "if-none-match": "*", "accept-encoding": "gzip" },
    body: JSON.stringify({ body: { markdown: "Once more" } }),
  });
  expect([status, headers["etag"]]).toEqual([200, undefined]);
});

test("does not compress event streams, so that each message is sent at once", async () => {
  const subscription = `subscription { commentEvents(of: { spaceId: "${spaceId}" }) { __typename } }`;
  const abort = new AbortController();
  const answer = await fetch(`${app.url}/graphql?query=${encodeURIComponent(subscription)}`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream", "accept-encoding": "gzip" },
    signal: abort.signal,
  });
  expect(answer.headers.get("content-encoding")).toBeNull();
  abort.abort();
});

test.each([
  ["text/plain", 415],
  ["application/x-www-form-urlencoded", 415],
  ["", 415],
])("returns 415 with the supported encodings for a body with Content-Encoding %j", async (type, status) => {
  const answer = await ask("/graphql", {
    method: "POST",
    headers: type ? { "content-type": type } : {},
    body: "query={__typename}",
  });
  expect(answer.status).toBe(status);
  const { errors } = JSON.parse(answer.bytes.toString()) as {
    errors: { message: string; extensions: { code: string } }[];
  };
  expect(errors[0]?.message).toContain("application/json");
});

test("returns 406 with the supported encodings if none is acceptable", async () => {
  const { status, bytes } = await post({ accept: "text/csv" });
  const { errors } = JSON.parse(bytes.toString()) as { errors: { message: string; extensions: { code: string } }[] };
  expect([status, errors[0]?.extensions.code]).toEqual([406, "NOT_ACCEPTABLE"]);
  expect(errors[0]?.message).toContain("application/json");
});
