// Traces: each request is traced to its operation and statements, as part of its caller's trace, and no private data of
// callers is sent to the collector.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import WebSocket from "ws";
import { spanned } from "#src/runtime/spans.ts";
import { readConfig } from "#src/config/config.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { Sampler, Tracing } from "#src/server/process/tracing.ts";
import { post } from "#test/live/requests.ts";
import { useApp } from "#test/support/app.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";
import { type CollectedSpan, startCollector } from "#test/support/collector.ts";

const collector = await startCollector();
const warnings: object[] = [];
const log = { warn: (line: object) => void warnings.push(line) };
const options = {
  endpoint: collector.url,
  headers: { "x-api-key": "k" },
  serviceName: "docs",
  version: "1.2.3",
  log,
  gatherMs: 10,
};
const tracing = new Tracing({ ...options, ratio: 0 });
const { app, world } = await useApp({ tracing });
afterAll(() => Promise.all([tracing.stop(), collector.close()]));

let token: string;
let spaceId: string;
beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
});
beforeEach(() => void collector.spans.splice(0));

/** A trace that a caller has begun, by a number of one digit. */
const traceOf = (digit: number, flags = "01") => `00-${String(digit).repeat(32)}-${"b".repeat(16)}-${flags}`;

const headers = (digit: number) => ({
  "content-type": "application/json",
  authorization: `Bearer ${token}`,
  traceparent: traceOf(digit),
});

const title = "query Title($id: ID!) { space(id: $id) { title } }";

/** Waits for the root span with this name, which ends last, and returns the spans of its trace. */
async function traced(digit: number, name: string): Promise<CollectedSpan[]> {
  const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === String(digit).repeat(32));
  await expect.poll(() => ofTrace().map((span) => span.name), { timeout: 10_000, interval: 10 }).toContain(name);
  return ofTrace();
}

const below = (spans: readonly CollectedSpan[], parent: CollectedSpan | undefined) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId);
const attributes = (span: CollectedSpan | undefined) =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

test("traces GraphQL from the caller's span to the request, the operation and its statements", async () => {
  await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: headers(1),
    body: JSON.stringify({ query: title, variables: { id: spaceId } }),
  });
  const spans = await traced(1, "POST /graphql");
  const [request] = spans.filter(({ name }) => name === "POST /graphql");
  expect(request).toMatchObject({ kind: 2, parentSpanId: "b".repeat(16) });
  expect(attributes(request)).toEqual({
    "http.route": "/graphql",
    "docgraph.transport": "graphql",
    "docgraph.code": "OK",
  });
  const [operation] = below(spans, request).filter(({ name }) => name === "query space");
  expect(attributes(operation)).toMatchObject({ "graphql.operation.name": "Title" });
  const statements = below(spans, operation);
  expect(statements.map(({ kind, name }) => [kind, name])).toContainEqual([3, "SELECT"]);
  expect(attributes(statements[0])["db.query.text"]).toContain('from "Space"');
  expect(collector.headers[0]).toMatchObject({ "x-api-key": "k" });
  expect(attributes({ attributes: collector.resources } as unknown as CollectedSpan)).toMatchObject({
    "service.name": "docs",
    "service.version": "1.2.3",
  });
});

test("traces REST and mutations with the statements of the transaction", async () => {
  await app.as(token).rest("GET", `/v1/spaces/${spaceId}`, { headers: { traceparent: traceOf(2) } });
  const read = await traced(2, "GET /v1/spaces/{spaceId}");
  const [operation] = below(
    read,
    read.find(({ name }) => name === "GET /v1/spaces/{spaceId}"),
  ).filter(({ kind }) => kind === 1);
  expect(below(read, operation).length).toBeGreaterThan(0);

  const body = { body: { markdown: "a secret remark" } };
  const path = `/v1/spaces/${spaceId}/comments`;
  await app.as(token).rest("POST", path, { body, headers: { traceparent: traceOf(3) } });
  const written = await traced(3, "POST /v1/spaces/{spaceId}/comments");
  const [change] = written.filter(({ name }) => name === "mutation createComment");
  const texts = below(written, change).map((span) => String(attributes(span)["db.query.text"]));
  expect(texts.some((text) => text.startsWith("BEGIN"))).toBe(true);
  expect(texts.some((text) => /insert into .*"Comment"/i.test(text))).toBe(true);
  expect(texts).toContain("COMMIT");
});

test("traces socket operations by the context of the socket or of the operation", async () => {
  const client = createClient({
    url: `${app.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { token, traceparent: traceOf(4) },
    retryAttempts: 0,
  });
  const ask = { query: title, variables: { id: spaceId } };
  for await (const _result of client.iterate(ask));
  for await (const _result of client.iterate({ ...ask, extensions: { traceparent: traceOf(5) } }));
  for (const digit of [4, 5]) {
    const spans = await traced(digit, "WebSocket /graphql");
    const [request] = spans.filter(({ name }) => name === "WebSocket /graphql");
    const [operation] = below(spans, request).filter(({ name }) => name === "query space");
    expect(below(spans, operation).length).toBeGreaterThan(0);
  }
  await client.dispose();
});

test("traces a stream until it is open", async () => {
  const ended = new AbortController();
  const query = `subscription { commentEvents(of: { spaceId: "${spaceId}" }) { __typename } }`;
  const asked = { method: "POST", body: JSON.stringify({ query }), signal: ended.signal };
  await fetch(`${app.url}/graphql`, { ...asked, headers: { ...headers(6), accept: "text/event-stream" } });
  const spans = await traced(6, "POST /graphql"); // and it is open still
  expect(attributes(spans.find(({ kind }) => kind === 2))["docgraph.transport"]).toBe("sse");
  ended.abort();
});

test("spans contain no token, value, address or error message", async () => {
  const secret = "s3cret";
  const query = `query { space(id: "spc_${secret}") { title } }`;
  await fetch(`${app.url}/graphql?key=${secret}`, {
    method: "POST",
    headers: { ...headers(7), cookie: `x=${secret}`, "x-visitor-token": secret },
    body: JSON.stringify({ query, variables: { unused: secret } }),
  });
  await fetch(`${app.url}/files/${secret}?signature=${secret}`, { headers: headers(8) });
  await expect(
    spanned({ name: "part", tracer: new Tracing({ ...options, ratio: 0 }) }, () => Promise.reject(new Error(secret))),
  ).rejects.toThrow(secret);
  await post(app, token, spaceId, secret);
  await traced(7, "POST /graphql");
  await traced(8, "GET /files/");
  const sent = JSON.stringify(collector.spans);
  expect(sent).not.toContain(secret);
  expect(sent).not.toContain(token);
});

test("passes on an unsampled trace, and ignores an invalid traceparent", async () => {
  const ratioed = new Tracing({ ...options, ratio: 1 });
  const passed = ratioed.begin("GET", "server", { traceparent: traceOf(9, "00") });
  expect(passed?.begin("part", "internal").traceparent).toBe(traceOf(9, "00"));
  for (const traceparent of [undefined, "nonsense", traceOf(0), [traceOf(1)]]) {
    const begun = ratioed.begin("GET", "server", { traceparent });
    expect(begun?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(tracing.begin("GET", "server", { traceparent })).toBeUndefined(); // its ratio is 0
  }
  await ratioed.stop();
});

test("honours the sampling flag of callers for 10 requests a second, and samples the others", () => {
  const sampled = { traceId: "f".repeat(32), traceFlags: 1 };
  let now = 5_000;
  const sampler = new Sampler({ ratio: 0 }, () => now);
  const times = (count: number) => Array.from({ length: count }, () => sampler.takes(sampled)).filter(Boolean).length;
  expect(times(100)).toBe(10);
  now += 999;
  expect(times(100)).toBe(0);
  now += 1;
  expect(times(100)).toBe(10);
  expect(sampler.takes({ ...sampled, traceFlags: 0 })).toBe(false);
  const half = new Sampler({ ratio: 0.5, isParentBased: false });
  for (const traceFlags of [0, 1]) {
    expect(half.takes({ traceId: "f".repeat(32), traceFlags })).toBe(half.takes({ ...sampled, traceFlags: 0 }));
    expect(half.takes({ traceId: "0".repeat(31) + "1", traceFlags })).toBe(true);
    expect(half.takes({ traceId: `${"0".repeat(24)}ffffffff`, traceFlags })).toBe(false);
  }
});

test("a request that is not sampled despite its caller's flag is passed on as unsampled", async () => {
  const strict = new Tracing({ ...options, ratio: 0, isParentBased: false });
  expect(strict.begin("GET", "server", { traceparent: traceOf(1) })?.traceparent).toBe(traceOf(1, "00"));
  await strict.stop();
});

test("sends traceparent to other servers, but not to redirect targets", async () => {
  const received: (string | undefined)[] = [];
  const other = createServer(({ headers: { traceparent } }, response) => {
    received.push(String(traceparent));
    response.end("there");
  });
  const first = createServer(({ headers: { traceparent } }, response) => {
    received.push(String(traceparent));
    response.writeHead(302, { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` }).end();
  });
  for (const server of [other, first])
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const get = () =>
    createSafeFetch({ allowedHosts: ["127.0.0.1"] })(`http://127.0.0.1:${(first.address() as AddressInfo).port}/`);
  await get(); // part of nothing
  const all = new Tracing({ ...options, ratio: 1 });
  await spanned({ name: "part", tracer: all }, get);
  await all.stop();
  expect(received).toEqual([
    "undefined",
    "undefined",
    expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    "undefined",
  ]);
  const [asked] = collector.spans.filter(({ name }) => name === "GET");
  expect(received[2]).toContain(asked?.spanId);
  for (const server of [other, first]) server.close();
});

test("logs a refusing collector once a minute without its URL", async () => {
  const port = await serveOnLoopback((_request, response) => void response.writeHead(400).end());
  const lost = new Tracing({ ...options, endpoint: `http://name:password@127.0.0.1:${port}`, ratio: 1 });
  for (let index = 0; index < 1200; index++) lost.begin("part", "internal")?.end(); // more than two batches
  await lost.stop();
  expect(warnings).toEqual([{ code: expect.anything() as unknown, lost: 512 }]);
});

test("an unresponsive collector does not delay the stop", async () => {
  const port = await serveOnLoopback(() => {});
  const silent = new Tracing({ ...options, endpoint: `http://127.0.0.1:${port}`, ratio: 1, flushMs: 20 });
  silent.begin("part", "internal")?.end();
  await silent.stop();
});

test("reads the settings of OpenTelemetry", () => {
  const given = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
    OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=a%2Cb, x-team=docs",
    OTEL_TRACES_SAMPLER_ARG: "0.5",
  };
  expect(readConfig({}).tracing).toBeUndefined();
  expect(readConfig(given).tracing).toEqual({
    endpoint: "http://127.0.0.1:4318",
    headers: { "x-api-key": "a,b", "x-team": "docs" },
    serviceName: "docgraph",
    isParentBased: true,
    ratio: 0.5,
  });
  for (const [OTEL_TRACES_SAMPLER, expected] of [
    ["traceidratio", { isParentBased: false, ratio: 0.5 }],
    ["parentbased_always_off", { isParentBased: true, ratio: 0 }],
    ["always_on", { isParentBased: false, ratio: 1 }],
  ] as const)
    expect(readConfig({ ...given, OTEL_TRACES_SAMPLER }).tracing).toMatchObject(expected);
  expect(() => readConfig({ ...given, OTEL_EXPORTER_OTLP_HEADERS: "key without value" })).toThrow(
    "OTEL_EXPORTER_OTLP_HEADERS must be headers like",
  );
});
