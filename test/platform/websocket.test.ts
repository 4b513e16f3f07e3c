// GraphQL over WebSocket: queries and mutations with the token in connection_init, refusals, and the close when the
// server stops.
import { createConnection } from "node:net";
import { createClient } from "graphql-ws";
import { beforeAll, expect, test } from "vitest";
import WebSocket from "ws";
import { testApp, useApp } from "#test/support/app.ts";
import { createWorld } from "#test/support/world.ts";

const { app, world } = await useApp();
let token: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
});

function connect(connectionParams: Record<string, unknown>, url = app.url) {
  let closed: (code: number) => void;
  const closing = new Promise<number>((resolve) => (closed = resolve));
  const client = createClient({
    url: `${url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    lazyCloseTimeout: 60_000, // the socket stays open between operations
    on: { closed: (event) => closed((event as { code: number }).code) },
  });
  const run = async (query: string, variables: Record<string, unknown> = {}) => {
    for await (const result of client.iterate({ query, variables })) return result;
    return undefined;
  };
  return { client, closing, run };
}

const title = "query ($id: ID!) { space(id: $id) { title } }";

test("a WebSocket runs a query with the token in either form", async () => {
  for (const parameters of [{ Authorization: `Bearer ${token}` }, { token }]) {
    const { client, run } = connect(parameters);
    expect(await run(title, { id: spaceId })).toMatchObject({
      data: { space: { title: expect.any(String) as string } },
    });
    await client.dispose();
  }
});

test("a WebSocket returns the same errors as HTTP", async () => {
  const { client, run } = connect({ token });
  expect(await run(title, { id: "spc_01h000000000000000000000000" })).toMatchObject({
    data: { space: null },
    errors: [{ extensions: { code: "NOT_FOUND" } }],
  });
  await expect(run("{ nothing }")).rejects.toMatchObject([{ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }]);
  await client.dispose();
});

test("closes a WebSocket without a valid token with 4403", async () => {
  for (const parameters of [{}, { token: "dg_wrong" }, { Authorization: 7 }]) {
    const { client, closing, run } = connect(parameters);
    await expect(run("{ viewer { id } }")).rejects.toMatchObject({ code: 4403 });
    expect(await closing).toBe(4403);
    await client.dispose();
  }
});

test("a token revoked while its WebSocket is open loses its rights", async () => {
  const { client, run } = connect({ token });
  const created = (await run(
    `mutation { createApiToken(input: { name: "short-lived" }) { token apiToken { id } } }`,
  )) as {
    data: { createApiToken: { token: string; apiToken: { id: string } } };
  };
  const other = connect({ token: created.data.createApiToken.token });
  expect(await other.run("{ viewer { id } }")).toHaveProperty("data.viewer.id");
  await run("mutation ($id: ID!) { revokeApiToken(input: { apiTokenId: $id }) { apiToken { revokedAt } } }", {
    id: created.data.createApiToken.apiToken.id,
  });
  await expect(other.run("{ viewer { id } }")).rejects.toMatchObject([{ extensions: { code: "UNAUTHENTICATED" } }]);
  await Promise.all([client.dispose(), other.client.dispose()]);
});

test("refuses a WebSocket on another path", async () => {
  const socket = new WebSocket(`${app.url.replace("http", "ws")}/elsewhere`, "graphql-transport-ws");
  const message = await new Promise<string>((resolve) => socket.once("error", (error) => resolve(error.message)));
  expect(message).toContain("404");
});

test.each(["//", "http://[", "/%", "*", "/graphql/../x"])(
  "refuses an upgrade of the target %s and keeps serving",
  async (target) => {
    const { hostname, port } = new URL(app.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = createConnection({ host: hostname, port: Number(port) }, () => {
        const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13";
        socket.write(
          `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`,
        );
      });
      let text = "";
      socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      socket.on("end", () => resolve(text)).on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  },
);

test("closes WebSockets with 1001 when the server stops", async () => {
  const own = await testApp();
  const { reader } = await createWorld(own.database).organization();
  const { closing, run } = connect({ token: reader.token }, own.url);
  expect(await run("{ viewer { id } }")).toHaveProperty("data.viewer.id");
  await own.close();
  expect(await closing).toBe(1001);
});
