// /metrics: requests of every transport are counted, in a number of series that callers cannot inflate, on a separate
// port.
import { createClient } from "graphql-ws";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import WebSocket from "ws";
import { readConfig } from "#src/config/config.ts";
import { takeWriterLock } from "#src/db/connection/writer-lock.ts";
import { HostAndHeaders } from "#src/server/http/host-and-headers.ts";
import { observe } from "#src/server/process/serve.ts";
import { Metrics, serveMetrics } from "#src/server/process/metrics.ts";
import { post } from "#test/live/requests.ts";
import { openEventStream } from "#test/live/event-stream.ts";
import { useApp } from "#test/support/app.ts";
import { rawAnswer } from "#test/support/raw-http.ts";
import { readMetrics, type Sample, sumOf } from "#test/support/metrics.ts";

const metrics = new Metrics({ version: "1.2.3" });
// On its own database: queues of the whole database are counted.
const { app, world } = await useApp({ own: true, metrics });
const hostAndHeaders = new HostAndHeaders({
  allowedHosts: ["wiki.example.com"],
  address: { publicUrl: "https://docs.example.com" },
});
const server = await serveMetrics(metrics, {
  host: "127.0.0.1",
  port: 0,
  hostAndHeaders,
  log: pino({ level: "silent" }),
});
afterAll(() => server.close());

let token: string;
let spaceId: string;
beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
});

async function scrape(): Promise<Sample[]> {
  const answer = await fetch(server.url);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  return readMetrics(await answer.text());
}

/** The number of requests counted with these labels. */
const requests = async (labels: Sample["labels"]) => sumOf(await scrape(), "docgraph_requests_total", labels) ?? 0;

/** Waits until `count` requests were counted, which happens after a response was sent. */
async function untilCounted(labels: Sample["labels"], count: number): Promise<void> {
  await expect.poll(() => requests(labels), { interval: 5 }).toBe(count);
}

const title = "query Title($id: ID!) { space(id: $id) { title } }";
const missing = { id: "spc_01h000000000000000000000000" };

test("metrics are not on the public port, and their port serves nothing else", async () => {
  expect((await fetch(`${app.url}/metrics`)).status).toBe(404);
  expect((await fetch(new URL("/", server.url))).status).toBe(404);
  expect((await fetch(server.url, { method: "POST" })).status).toBe(404);
});

test("metrics return 421 for a foreign Host (DNS rebinding)", async () => {
  const ask = (headers: string) =>
    rawAnswer(server.url, `GET /metrics HTTP/1.1\r\n${headers}\r\nconnection: close\r\n\r\n`);
  for (const host of ["localhost", "127.0.0.1:9464", "wiki.example.com", "docs.example.com"])
    expect(await ask(`host: ${host}`), host).toMatch(/^HTTP\/1\.1 200 /);
  for (const host of ["rebound.example.net", "127.0.0.1.example.net", "10.0.0.1"])
    expect(await ask(`host: ${host}`), host).toMatch(/^HTTP\/1\.1 421 .*MISDIRECTED/s);
  expect(await ask("host: localhost\r\nhost: localhost")).toMatch(/^HTTP\/1\.1 400 /);
});

test("metrics accept their own address and the hosts of the gateway", async () => {
  const env = { METRICS_PORT: "0", METRICS_HOST: "127.0.0.2", ALLOWED_HOSTS: "wiki.example.com" };
  const lines: string[] = [];
  const watching = await observe(readConfig(env), pino({}, { write: (line) => void lines.push(line) }));
  const { address } = JSON.parse(lines[0] ?? "") as { address: string };
  const statuses = await Promise.all(
    ["127.0.0.2", "wiki.example.com", "rebound.example.net"].map((host) =>
      rawAnswer(address, `GET /metrics HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`),
    ),
  );
  await watching.stop();
  expect(statuses.map((text) => text.slice(9, 12))).toEqual(["200", "200", "421"]);
});

test("metrics count GraphQL operations by root field and code", async () => {
  await app.as(token).query(title, { id: spaceId });
  await app.as(token).refusal(title, missing);
  await app.as(token).graphql("{ nothing }");
  await app.as(null).graphql("{ organizations { totalCount } }");
  const of = { transport: "graphql", operation: "space" };
  await untilCounted({ ...of, code: "OK" }, 1);
  await untilCounted({ ...of, code: "NOT_FOUND" }, 1);
  await untilCounted({ transport: "graphql", operation: "invalid", code: "GRAPHQL_VALIDATION_FAILED" }, 1);
  await untilCounted({ transport: "graphql", code: "UNAUTHENTICATED" }, 1);
  const samples = await scrape();
  expect(sumOf(samples, "docgraph_request_duration_seconds_count", of)).toBe(2);
  expect(sumOf(samples, "docgraph_request_duration_seconds_bucket", { ...of, le: "+Inf" })).toBe(2);
});

test("metrics count REST requests by route pattern and others by path prefix", async () => {
  await app.as(token).rest("GET", `/v1/spaces/${spaceId}`);
  await app.as(token).rest("GET", `/v1/spaces/${missing.id}`);
  await app.as(token).rest("GET", "/v1/nothing/here");
  await fetch(`${app.url}/healthz`);
  await fetch(`${app.url}/files/nothing`);
  await fetch(`${app.url}/secret-path`);
  const of = { transport: "rest", operation: "GET /v1/spaces/{spaceId}" };
  await untilCounted({ ...of, code: "200" }, 1);
  await untilCounted({ ...of, code: "404" }, 1);
  await untilCounted({ transport: "rest", operation: "/v1/", code: "404" }, 1);
  await untilCounted({ transport: "other", operation: "/healthz", code: "200" }, 1);
  await untilCounted({ transport: "other", operation: "/files/", code: "404" }, 1);
  await untilCounted({ transport: "other", operation: "nothing", code: "404" }, 2); // with /metrics
});

test("metrics count socket operations and streams with their messages", async () => {
  const subscription = `subscription { commentEvents(of: { spaceId: "${spaceId}" }) { __typename } }`;
  const client = createClient({
    url: `${app.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { token },
    retryAttempts: 0,
    lazyCloseTimeout: 60_000,
  });
  const listening = client.iterate({ query: subscription });
  await listening.next();
  for await (const _result of client.iterate({ query: title, variables: { id: spaceId } }));
  const stream = await openEventStream(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: subscription }),
  });
  await stream.next();
  await untilCounted({ transport: "websocket", operation: "space", code: "OK" }, 1);
  await untilCounted({ transport: "websocket", operation: "commentEvents", code: "OK" }, 1);
  await untilCounted({ transport: "sse", operation: "commentEvents", code: "OK" }, 1);
  const samples = await scrape();
  for (const transport of ["websocket", "sse"]) {
    expect(sumOf(samples, "docgraph_streams_open", { transport })).toBe(1);
    expect(sumOf(samples, "docgraph_stream_messages_total", { transport })).toBe(1);
  }
  await Promise.all([client.dispose(), stream.close()]);
  await expect.poll(async () => sumOf(await scrape(), "docgraph_streams_open"), { interval: 5 }).toBe(0);
});

test("names and aliases chosen by clients do not create series", async () => {
  const ask = (name: string) =>
    `query ${name} { ${name}: organizations(first: 1) { totalCount } ...F${name} } fragment F${name} on Query { eventCursor }`;
  await app.as(token).query(ask("first"));
  await untilCounted({ operation: "organizations, ..." }, 1);
  // Each kind of garbage collection has a series from its first run on.
  const series = async () => (await scrape()).filter(({ name }) => !name.startsWith("docgraph_nodejs_gc"));
  const before = (await series()).length;
  for (let index = 0; index < 50; index++) {
    await app.as(token).query(ask(`hostile${index}`));
    await app.as(token).graphql(`{ hostile${index} }`);
    await app.as(token).rest("GET", `/v1/spaces/hostile${index}`);
    await fetch(`${app.url}/hostile${index}`);
  }
  await untilCounted({ operation: "organizations, ..." }, 51);
  const samples = await series();
  expect(samples.length).toBe(before);
  expect(JSON.stringify(samples)).not.toContain("hostile");
});

test("metrics cover the database, the event log, queues and the process", async () => {
  const before = sumOf(await scrape(), "docgraph_statement_errors_total") ?? 0;
  await app.database.query({ text: "select 1 / 1", values: [] });
  await expect(app.database.query({ text: "select 1 / 0", values: [] })).rejects.toThrow("division");
  await app.database.query({ text: "select 1 / 1", values: [] });
  const samples = await scrape();
  expect(sumOf(samples, "docgraph_statement_errors_total")).toBe(before + 1);
  expect(sumOf(samples, "docgraph_statements_total")).toBeGreaterThan(10);
  expect(sumOf(samples, "docgraph_database_connections_max", { pool: "requests" })).toBe(10);
  expect(sumOf(samples, "docgraph_database_connections", { pool: "requests" })).toBeGreaterThan(0);
  expect(sumOf(samples, "docgraph_feed_reads_total")).toBeGreaterThan(0);
  expect(sumOf(samples, "docgraph_feed_lag_seconds")).toBe(0);
  const zeros = ["statement_timeouts_total", "database_waiting", "integration_events_waiting"];
  for (const name of zeros) expect([name, sumOf(samples, `docgraph_${name}`)]).toEqual([name, 0]);
  expect(sumOf(samples, "docgraph_database_up")).toBe(1);
  expect(sumOf(samples, "docgraph_integration_deliveries_total", { outcome: "given_up" })).toBe(0);
  expect(sumOf(samples, "docgraph_consumer_lag_seconds", { consumer: "deliveries" })).toBe(0);
  expect(sumOf(samples, "docgraph_build_info", { version: "1.2.3" })).toBe(1);
  const ofProcess = [
    "process_resident_memory_bytes",
    "nodejs_heap_size_used_bytes",
    "nodejs_eventloop_lag_p99_seconds",
  ];
  for (const name of ofProcess) expect(sumOf(samples, `docgraph_${name}`)).toBeGreaterThan(0);
});

test("the event lag metric grows while an event-writing transaction is open", async () => {
  const client = await app.database.pool.connect();
  await client.query(`begin; ${takeWriterLock}; select pg_current_xact_id()`);
  await post(app, token, spaceId);
  const lag = async () => sumOf(await scrape(), "docgraph_feed_lag_seconds") ?? 0;
  await expect.poll(lag, { interval: 5 }).toBeGreaterThan(0);
  await client.query("commit");
  client.release();
  await expect.poll(lag, { interval: 5 }).toBe(0);
});

test("the start names METRICS_PORT when its port is in use", async () => {
  const given = readConfig({ METRICS_PORT: new URL(server.url).port });
  await expect(observe(given, pino({ level: "silent" }))).rejects.toThrow(
    "set METRICS_PORT or METRICS_HOST to other values",
  );
});

test("metrics have results and durations of jobs", async () => {
  metrics.job({ job: "space.purge", outcome: "failed", seconds: 0.5 });
  metrics.job({ job: "space.purge", outcome: "ok", seconds: 2 });
  const samples = await scrape();
  expect(sumOf(samples, "docgraph_job_runs_total", { job: "space.purge", outcome: "failed" })).toBe(1);
  expect(sumOf(samples, "docgraph_job_duration_seconds_bucket", { job: "space.purge", le: "1" })).toBe(1);
  expect(sumOf(samples, "docgraph_job_duration_seconds_sum", { job: "space.purge" })).toBe(2.5);
});
