// GraphQL over HTTP: the audits of the specification's reference library, and what docgraph adds to it.
import { request } from "node:http";
import { serverAudits } from "graphql-http";
import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import { rawAnswer } from "#test/support/raw-http.ts";

const { app, world } = await useApp();
let token: string;

beforeAll(async () => {
  const { reader } = await world.organization();
  token = reader.token;
});

describe("the server audits of graphql-http", () => {
  const audits = serverAudits({
    url: () => `${app.url}/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${token}`);
      return fetch(url, { ...init, headers });
    },
  });

  test("include the 61 audits of the specification", () => {
    expect(audits).toHaveLength(61);
  });

  test.each(audits.map((audit) => [audit.name, audit] as const))("%s", async (_name, audit) => {
    const result = await audit.fn();
    expect(result.status, "reason" in result ? result.reason : "").toBe("ok");
  });
});

describe("the GraphQL endpoint", () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/graphql`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    });
  const codeOf = async (answer: Response) =>
    ((await answer.json()) as { errors: { extensions?: { code?: string } }[] }).errors[0]?.extensions?.code;

  test.each([
    ["no token", ""],
    ["another scheme", "Basic abc"],
    ["an unknown token", "Bearer dg_unknown"],
    ["a token with odd characters", "Bearer dg_\u00e9"],
    ["an endless token", `Bearer ${"x".repeat(5000)}`],
  ])("refuses %s with 401 and a challenge", async (_name, authorization) => {
    const answer = await post(`{"query":"{viewer{id}}"}`, { authorization });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await codeOf(answer)).toBe("UNAUTHENTICATED");
  });

  test("returns the right code for every kind of error", async () => {
    expect(await codeOf(await post(`{"query":"{viewer{"}`))).toBe("GRAPHQL_PARSE_FAILED");
    expect(await codeOf(await post(`{"query":"{nothing}"}`))).toBe("GRAPHQL_VALIDATION_FAILED");
    expect(await codeOf(await post(`{"query":"query($id:ID!){space(id:$id){id}}"}`))).toBe("INVALID_INPUT");
    expect(await codeOf(await post(`{"query":"query A{viewer{id}} query B{viewer{id}}"}`))).toBe(
      "OPERATION_RESOLUTION_FAILURE",
    );
    expect(await (await post(`{"query":"query A{viewer{id}} query B{viewer{id}}"}`)).text()).toContain("operationName");
    expect(await codeOf(await post(`{"query":"{space(id:\\"x\\"){id}}"}`))).toBe("NOT_FOUND");
  });

  test("returns 400 for a request error with application/graphql-response+json, and 200 with application/json", async () => {
    const missing = `{"query":"query($id:ID!){space(id:$id){id}}"}`;
    const asked = await post(missing, { accept: "application/graphql-response+json" });
    expect([asked.status, asked.headers.get("content-type")]).toEqual([
      400,
      "application/graphql-response+json; charset=utf-8",
    ]);
    expect((await post(missing, { accept: "application/json" })).status).toBe(200);
  });

  test("returns 413 for a body over the limit and keeps the connection usable", async () => {
    const answer = await post(JSON.stringify({ query: `{viewer{id}} #${"x".repeat(1_000_001)}` }));
    expect(answer.status).toBe(413);
    expect((await post(`{"query":"{viewer{id}}"}`)).status).toBe(200);
  });

  test("accepts any Host header", async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: "no host/at all", authorization: `Bearer ${token}` };
      const asked = request(`${app.url}/graphql?query=%7Bviewer%7Bid%7D%7D`, { headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.on("error", reject).end();
    });
    expect(status).toBe(200);
  });

  test("echoes a valid request id and replaces an invalid one", async () => {
    const sane = await post(`{"query":"{viewer{id}}"}`, { "x-request-id": "abc-123" });
    expect(sane.headers.get("x-request-id")).toBe("abc-123");
    const odd = await post(`{"query":"{viewer{id}}"}`, { "x-request-id": "a b<script>" });
    expect(odd.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("serves GraphiQL to a browser without external resources", async () => {
    const answer = await fetch(`${app.url}/graphql`, { headers: { accept: "text/html,*/*" } });
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(page).not.toMatch(/<(script|link)[^>]+(src|href)="https?:/);
  });

  test("/ links to GraphQL, REST, the documentation and the references, and the links work", async () => {
    const page = await (await fetch(app.url)).text();
    for (const path of ["/graphql", "/v1/openapi.json", "/docs", "/reference", "/healthz", "/readyz"]) {
      expect(page).toContain(`href="${path}"`);
      expect((await fetch(app.url + path, { headers: { accept: "text/html,*/*;q=0.8" } })).status, path).toBe(200);
    }
    expect((await fetch(`${app.url}/nothing`)).status).toBe(404);
  });
});

// graphql-hive/graphql-yoga#2243 and apollographql/router#1213
test("HTTP/1.0 clients get one framing and no chunks, and HEAD no body, whatever they accept", async () => {
  const deferred = `{ viewer { id ... @defer { displayName } } }`;
  const outcomes = ["{ viewer { id } }", "{ nothing }", "{", `{ space(id: "x") { id } }`, deferred];
  const wrong: string[] = [];
  for (const accept of ["*/*", "application/json", "text/event-stream", "multipart/mixed", "text/csv"])
    for (const [index, asked] of outcomes.entries()) {
      const body = JSON.stringify({ query: asked });
      const path = `/graphql?query=${encodeURIComponent(asked)}`;
      const heads = `host: localhost\r\nauthorization: Bearer ${token}\r\naccept: ${accept}\r\n`;
      const length = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
      const sent = [
        `POST /graphql HTTP/1.0\r\n${heads}${length}\r\n${body}`,
        `GET ${path} HTTP/1.0\r\n${heads}\r\n`,
        `HEAD ${path} HTTP/1.1\r\n${heads}connection: close\r\n\r\n`,
      ];
      const answers = await Promise.all(sent.map((one) => rawAnswer(app.url, one)));
      for (const [at, answer] of answers.entries()) {
        const [head = "", ...rest] = answer.split("\r\n\r\n");
        const size = /^content-length: (\d+)$/im.exec(head)?.[1];
        const isChunked = /^transfer-encoding:/im.test(head);
        const shown = Buffer.byteLength(rest.join("\r\n\r\n"));
        const isRight =
          at === 2 ? shown === 0 && !(isChunked && size) : !isChunked && (!size || Number(size) === shown);
        if (!isRight || !head.startsWith("HTTP/1.1 ")) wrong.push(`${at} ${accept} ${index}: ${head}`);
      }
    }
  expect(wrong).toEqual([]);
});
