// Specifications at URLs: fetched with conditional requests and retries, including the files that they reference.
import type { IncomingHttpHeaders } from "node:http";
import { expect, test, vi } from "vitest";
import { FetchError } from "#src/net/fetch-error.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { openDesk, processSpecs } from "#test/features/openapi/processing.ts";
import { addOpenApiSpec, smallDocument } from "#test/features/openapi/factory.ts";
import { useApp } from "#test/support/app.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";
import { times } from "#test/support/world.ts";

/** The served content, by path; a number is a status. */
let served: Record<string, string | number> = {};
let validators: Record<string, string> = {};
const asked: { path: string; headers: IncomingHttpHeaders; status: number }[] = [];

const port = await serveOnLoopback(({ url: path = "", headers }, response) => {
  const found = served[path] ?? 404;
  const isKnown = Object.values(validators).some((value) =>
    [headers["if-none-match"], headers["if-modified-since"]].includes(value),
  );
  const status = typeof found === "number" ? found : isKnown ? 304 : 200;
  asked.push({ path, headers, status });
  if (status === 302) response.writeHead(302, { location: `/moved${path}` }).end();
  else response.writeHead(status, validators).end(typeof found === "string" && !isKnown ? found : undefined);
});
const at = (path: string) => `http://127.0.0.1:${port}${path}`;

const direct = createSafeFetch({ allowedHosts: ["127.0.0.1"] });
// Has its own database: the job processes everything that is due in the whole database.
const { app, world } = await useApp({
  own: true,
  pollMs: 20, // the job does not wake the event log reader
  fetch: (url, options) =>
    String(url).endsWith("/slow.json") ? Promise.reject(new FetchError("time")) : direct(url, options),
});

async function desk(files: typeof served, headers: typeof validators = {}) {
  [served, validators] = [files, headers];
  asked.length = 0;
  await app.database.prisma.openApiSpec.updateMany({ data: { dueAt: null } }); // those of other tests
  const { organization, creator } = await world.organization();
  const organizationId = organization.id;
  return openDesk(app, { organizationId, person: creator });
}

const document = (title: string) => JSON.stringify({ ...smallDocument, info: { title, version: "1" } });
const source = (path: string) => ({ source: { url: at(path) } });

test.each([{ etag: '"one"' }, { "last-modified": "Mon, 02 Mar 2026 09:00:00 GMT" }])(
  "a specification's URL is fetched with a conditional request for %j",
  async (headers) => {
    const { put, refresh } = await desk({ "/api.json": document("One") }, headers as typeof validators);
    const first = await put("api", source("/api.json"));
    expect(first.lastVersion).toMatchObject({ number: 1, title: "One", files: [{ path: "api.json" }] });
    expect(await refresh("api")).toMatchObject({ lastVersion: { number: 1 }, lastProcessErrorCode: null });
    served["/api.json"] = document("Two");
    validators = { etag: '"two"' };
    expect((await refresh("api")).lastVersion).toMatchObject({ number: 2, title: "Two" });
    expect(asked.map(({ status }) => status)).toEqual([200, 304, 200]);
    expect(asked[1]?.headers).toMatchObject(
      "etag" in headers ? { "if-none-match": headers.etag } : { "if-modified-since": headers["last-modified"] },
    );
    await put("api", source("/api.json")); // another source: the validators are unknown
    expect(asked.at(-1)?.headers["if-none-match"]).toBeUndefined();
  },
);

test("references of a specification are fetched relative to its URL after redirects, and every time", async () => {
  const files = {
    "/api/openapi.yaml": 302,
    "/moved/api/openapi.yaml": `{openapi: 3.1.0, info: {title: A, version: "1"}, components: {schemas: {A: {$ref: "parts/a.yaml"}}}}`,
    "/moved/api/parts/a.yaml": `{type: object, properties: {b: {$ref: "../b.yaml#/B"}}}`,
    "/moved/api/b.yaml": "B: {type: string}\n",
  };
  const { put, refresh } = await desk(files, { etag: '"same"' });
  const { lastVersion } = await put("api", source("/api/openapi.yaml"));
  expect(lastVersion).toMatchObject({ number: 1, modelCount: 2 });
  expect(lastVersion?.files.map(({ path }) => path)).toEqual([
    "openapi.yaml",
    at("/moved/api/parts/a.yaml"),
    at("/moved/api/b.yaml"),
  ]);
  served["/moved/api/b.yaml"] = "B: {type: integer}\n";
  expect((await refresh("api")).lastVersion).toMatchObject({ number: 2 });
  served["/moved/api/b.yaml"] = 500;
  const failed = await refresh("api");
  expect(failed).toMatchObject({ lastProcessErrorCode: "FETCH_ERROR", lastVersion: { number: 2 } });
  expect(failed.lastProcessError).toBe(
    `${at("/moved/api/parts/a.yaml")}, line 1, column 29 (#/properties/b): ${at("/moved/api/b.yaml")}: the server returned 500.`,
  );
});

test.each([
  ["/none.json", "FETCH_ERROR", "the server returned 404."],
  ["/slow.json", "FETCH_TIMEOUT", "the server did not respond in time."],
  ["/large.json", "FETCH_ERROR", "the response exceeds the limit."],
])("an error in fetching a specification from %s is reported", async (path, code, message) => {
  const { put } = await desk({ "/large.json": "x".repeat(10_000_001) });
  const spec = await put("api", source(path));
  expect(spec).toMatchObject({ lastProcessErrorCode: code, lastVersion: null });
  expect(spec.lastProcessError).toBe(`${at(path)}: ${message}`);
});

test("a failing URL of a specification is fetched less and less often, with one event", async () => {
  const { put, runJob } = await desk({});
  const waits: number[] = [];
  let now = Date.now();
  let spec = await put("api", source("/none.json"));
  for (let attempt = 1; attempt <= 11; attempt += 1) {
    const next = Date.parse(spec.nextProcessAt ?? "");
    waits.push(Math.round((next - now) / 60_000));
    now = next;
    if (attempt < 11) spec = await runJob("api", { now: () => new Date(now) });
  }
  expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960, 1920, 3840, 5760, 5760]); // at most four days
  const types = (await app.eventsOf(spec.id)).map(({ type }) => type);
  expect(types.filter((type) => type === "openApiSpec.failed")).toHaveLength(1);
});

test("a failing URL of a specification is fetched again after six hours, and normally again after a success", async () => {
  const { put, runJob, read } = await desk({ "/api.json": document("One") });
  const began = Date.now();
  const { nextProcessAt } = await put("api", source("/api.json"));
  const due = Date.parse(nextProcessAt ?? "");
  expect(Math.round((due - began) / 60_000)).toBe(360);
  served = {};
  const failed = await runJob("api", { now: () => new Date(due) });
  expect(failed).toMatchObject({ lastProcessErrorCode: "FETCH_ERROR", lastVersion: { number: 1 } });
  served = { "/api.json": document("Two") };
  const later = Date.parse(failed.nextProcessAt ?? "");
  const back = await runJob("api", { now: () => new Date(later) });
  expect(back).toMatchObject({ lastProcessErrorCode: null, lastProcessError: null, lastVersion: { number: 2 } });
  expect(Date.parse((await read("api")).nextProcessAt ?? "") - later).toBe(6 * 60 * 60_000);
});

test("the due sources of many organizations are found by one statement, and all processed", async () => {
  await desk({});
  const made = await Promise.all(times(6, () => world.organization()));
  const dueAt = new Date("2020-01-01");
  await world.insert((rows) => {
    for (const { organization } of made) addOpenApiSpec(rows, { organizationId: organization.id, dueAt });
  });
  const query = vi.spyOn(app.database, "query");
  try {
    expect(await processSpecs(app)).toBe(6);
    const finding = query.mock.calls.filter(([{ text: statement }]) => statement.includes("distinct on"));
    expect(finding.length).toBe(2); // and none is left
  } finally {
    query.mockRestore();
  }
});
