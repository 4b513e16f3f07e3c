// Checks of requests: host names, security headers, methods, content encodings, revoked tokens and the number of
// streams.
import { createConnection } from "node:net";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openKnown } from "#test/live/raw-socket.ts";
import { testApp, useApp } from "#test/support/app.ts";
import type { Person } from "#test/features/members/factory.ts";

const publicUrl = "https://docs.example.com";
const { app, world } = await useApp({
  allowedHosts: ["wiki.example.com", "other.example.com:8443"],
  publicUrl,
  socketLimits: { streamsPerUser: 3 },
  hidesSuggestions: true,
});
const plain = await testApp({ beside: app });
afterAll(() => plain.close());
let editor: Person;
let spaceId: string;

beforeAll(async () => {
  const scene = await world.space();
  [editor, spaceId] = [scene.editor, scene.space.id];
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a request with headers that fetch does not allow. */
const ask = (path: string, { method = "GET", headers = {}, body = "", url = app.url } = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request(`${url}${path}`, { method, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, body: text }));
    })
      .on("error", reject)
      .end(body);
  });

/** The response to raw bytes. */
const sendRaw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port, hostname } = new URL(app.url);
    let received = "";
    const socket = createConnection({ host: hostname, port: Number(port) }, () => socket.write(text));
    socket.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
    socket.once("close", () => resolve(received)).once("error", reject);
  });

describe("the Host header", () => {
  test.each([
    "localhost",
    "localhost:4000",
    "127.0.0.1",
    "127.8.0.1:1",
    "[::1]:4000",
    "wiki.example.com",
    "wiki.example.com:4000",
    "other.example.com:8443",
    "docs.example.com",
  ])("%s is accepted", async (host) => {
    expect((await ask("/healthz", { headers: { host } })).status).toBe(200);
  });

  test.each([
    "evil.example",
    "evil.example:4000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "other.example.com",
    "other.example.com:80",
    "no host/at all",
    "wiki.example.com@evil.example",
  ])("%s is refused (DNS rebinding)", async (host) => {
    for (const path of ["/", "/graphql", "/v1/orgs", "/files/x", "/nothing"]) {
      const answer = await ask(path, { headers: { host, accept: "text/html", origin: `http://${host}` } });
      expect([path, answer.status]).toEqual([path, 421]);
      expect(JSON.parse(answer.body)).toMatchObject({ error: { type: "MISDIRECTED" } });
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("of another site does not get a WebSocket", async () => {
    const answer = await sendRaw(
      "GET /graphql HTTP/1.1\r\nhost: evil.example\r\nupgrade: websocket\r\nconnection: upgrade\r\n" +
        "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
  });

  test("is refused if it is sent twice", async () => {
    const answer = await sendRaw(
      "GET /healthz HTTP/1.1\r\nhost: localhost\r\nHost: localhost\r\nconnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("may be missing in HTTP/1.0, as in health checks of load balancers", async () => {
    expect(await sendRaw("OPTIONS / HTTP/1.0\r\n\r\n")).not.toMatch(/ 421 /);
    expect(await sendRaw("GET /readyz HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("may have any value if no hosts are configured", async () => {
    expect((await ask("/healthz", { url: plain.url, headers: { host: "any.example" } })).status).toBe(200);
  });
});

describe("security headers", () => {
  const places = [
    "/",
    "/README.md",
    "/healthz",
    "/graphql",
    "/v1/orgs",
    "/v1/openapi.json",
    "/sign-in",
    "/app/",
    "/nothing",
  ];

  test.each(places)("of %s include nosniff, and HSTS if PUBLIC_URL is https", async (path) => {
    for (const accept of ["text/html", "application/json"]) {
      const { headers } = await ask(path, { headers: { accept } });
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["strict-transport-security"]).toBe("max-age=31536000");
      const other = await ask(path, { url: plain.url, headers: { accept } });
      expect(other.headers["strict-transport-security"]).toBeUndefined();
    }
  });

  test.each(["/", "/graphql", "/sign-in", "/app/spaces", "/published/none"])(
    "of the page %s include a content security policy and forbid framing",
    async (path) => {
      const { headers } = await ask(path, { url: plain.url, headers: { accept: "text/html" } });
      if (!String(headers["content-type"]).startsWith("text/html")) return;
      expect(headers["content-security-policy"]).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    },
  );
});

describe("allowed methods", () => {
  test.each(["/", "/README.md", "/healthz", "/readyz"])("of %s are GET and HEAD", async (path) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
      const { status, headers } = await ask(path, { method });
      expect([method, status, headers["allow"]]).toEqual([method, 405, "GET, HEAD"]);
    }
    expect(await ask(path, { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  });
});

describe("GraphQL", () => {
  const asked = (query: string, headers: Record<string, string> = {}) =>
    ask("/graphql", {
      method: "POST",
      body: JSON.stringify({ query }),
      headers: { authorization: `Bearer ${editor.token}`, "content-type": "application/json", ...headers },
    });

  test.each(["gzip", "br", "deflate", "x"])("refuses a body with Content-Encoding: %s", async (encoding) => {
    const { status, body } = await asked("{ viewer { id } }", { "content-encoding": encoding });
    expect(status).toBe(415);
    expect(body).not.toContain(editor.id);
  });

  test.each([
    ["a field", "{ viewr { id } }"],
    ["an argument", "{ organizations(frist: 1) { nodes { id } } }"],
    ["a type", "query ($id: Idd) { viewer { id } }"],
    ["a value", "{ organization(id: 1) { members(orderBy: { field: JOIND_AT }) { nodes { id } } } }"],
  ])("suggests no names similar to %s if suggestions are off", async (_what, query) => {
    const { body } = await asked(query);
    expect(body).toContain('"errors"');
    expect(body).not.toContain("Did you mean");
    const suggested = await fetch(`${plain.url}/graphql`, {
      method: "POST",
      body: JSON.stringify({ query }),
      headers: { authorization: `Bearer ${editor.token}`, "content-type": "application/json" },
    });
    expect(await suggested.text()).toContain("Did you mean");
  });

  test("suggests no enum values for an invalid variable", async () => {
    const query = "query ($sort: OrganizationMemberOrderField) { viewer { id } }";
    const { body } = await ask("/graphql", {
      method: "POST",
      body: JSON.stringify({ query, variables: { sort: "JOIND_AT" } }),
      headers: { authorization: `Bearer ${editor.token}`, "content-type": "application/json" },
    });
    expect(body).toContain('"errors"');
    expect(body).not.toContain("Did you mean");
  });
});

describe("a token that became invalid", () => {
  const revoke = (person: Person) =>
    app.database.prisma.apiToken.updateMany({ where: { userId: person.id }, data: { revokedAt: new Date() } });
  const closing = (socket: { once(name: "close", received: (code: number) => void): unknown }) =>
    new Promise<number>((resolve) => socket.once("close", resolve));

  test("closes its socket at the next operation", async () => {
    const { reader } = await world.organization();
    const raw = await openKnown(app.url, reader.token);
    const closed = closing(raw.socket);
    await revoke(reader);
    raw.send({ id: "1", type: "subscribe", payload: { query: "{ viewer { id } }" } });
    expect(await raw.receive()).toMatchObject({
      type: "error",
      payload: [{ extensions: { code: "UNAUTHENTICATED" } }],
    });
    expect(await closed).toBe(4403);
  });

  test("closes its socket when it ends a stream", async () => {
    const { editor: other, space } = await world.space();
    const as = app.as(other.token);
    const { createApiToken } = await as.query<{ createApiToken: { token: string; apiToken: { id: string } } }>(
      'mutation { createApiToken(input: { name: "short" }) { token apiToken { id } } }',
    );
    const raw = await openKnown(app.url, createApiToken.token);
    const closed = closing(raw.socket);
    const query = `subscription { commentEvents(of: { spaceId: "${space.id}" }) { __typename } }`;
    raw.send({ id: "1", type: "subscribe", payload: { query } });
    expect(await raw.receive()).toMatchObject({ type: "next" });
    await as.query("mutation ($input: RevokeApiTokenInput!) { revokeApiToken(input: $input) { apiToken { id } } }", {
      input: { apiTokenId: createApiToken.apiToken.id },
    });
    expect(await closed).toBe(4403);
  });
});

test("limits the SSE streams of a user; each that ends frees its slot", async () => {
  const query = `subscription { commentEvents(of: { spaceId: "${spaceId}" }) { __typename } }`;
  const open = async () => {
    const ending = new AbortController();
    const answer = await fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${editor.token}`,
        "content-type": "application/json",
        accept: "text/event-stream",
      },
      body: JSON.stringify({ query }),
      signal: ending.signal,
    });
    return { status: answer.status, end: () => ending.abort() };
  };
  const streams = [await open(), await open(), await open()];
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await open()).status).toBe(429);
  streams[0]?.end();
  await expect.poll(async () => (await open()).status, { timeout: 10_000 }).toBe(200);
  for (const { end } of streams) end();
});
