// A draining gateway: it reports that it is not ready while it still serves, answers every accepted request, and closes
// each connection.
import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { lockHolder } from "#test/support/locks.ts";
import { type TestApp, testApp, useApp } from "#test/support/app.ts";

const newToken = `mutation ($name: String!) { createApiToken(input: { name: $name }) { token } }`;

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: string;
}

// On its own database: /readyz reports on the whole database.
const { app: shared, world } = await useApp({ own: true });

/** A gateway that tests may close. */
async function makeScene() {
  const app = await testApp({ beside: shared });
  const { admin } = await world.space();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return { app, token: admin.token, agent };
}

/** Sends a request by an agent; rejects if the connection ends before the response is complete. */
function ask({ url }: TestApp, agent: Agent, path: string, { token = "", body = "" } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const request = httpRequest(`${url}${path}`, { agent, method: body ? "POST" : "GET", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({ status: response.statusCode, connection: response.headers.connection, body: text }),
      );
    });
    request.once("error", reject).end(body);
  });
}

const write = (app: TestApp, agent: Agent, token: string, name: string) =>
  ask(app, agent, "/graphql", { token, body: JSON.stringify({ query: newToken, variables: { name } }) });

test("a draining gateway is not ready, still serves requests, and closes each connection after its response", async () => {
  const { app, token, agent } = await makeScene();
  expect(await ask(app, agent, "/readyz")).toEqual({
    status: 200,
    connection: "keep-alive",
    body: '{"status":"ok"}',
  });
  await app.leave();
  for (let time = 0; time < 2; time++)
    expect(await ask(app, agent, "/readyz")).toEqual({
      status: 503,
      connection: "close",
      body: '{"status":"leaving"}',
    });
  expect(await write(app, agent, token, "late")).toMatchObject({ status: 200, connection: "close" });
  expect(await ask(app, agent, "/healthz")).toMatchObject({ status: 200, connection: "close" });
  await app.close();
});

test("answers requests in flight when the port closes, then closes their connections", async () => {
  const { app, token, agent } = await makeScene();
  await ask(app, agent, "/healthz"); // its connection is kept, and idle
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold('lock table "ApiToken" in share mode');
  const writes = Array.from({ length: 4 }, (_, index) => write(app, agent, token, `write ${index}`));
  await locks.waiters(writes.length);
  const closing = app.close();
  for (let time = 0; time < 3; time++) await turn(); // received bytes are read first
  await expect(ask(app, new Agent(), "/healthz")).rejects.toThrow("ECONNREFUSED");
  await locks.release();
  for (const answer of await Promise.all(writes))
    expect(answer).toEqual({ status: 200, connection: "close", body: expect.stringContaining('"dg_') as unknown });
  await closing;
});

test("answers a request that was sent while the port closed", async () => {
  const { app, agent } = await makeScene();
  await ask(app, agent, "/healthz"); // the next request uses its connection
  const answer = ask(app, agent, "/healthz");
  await turn(); // it is in the socket buffer, unread
  await app.close();
  expect(await answer).toMatchObject({ status: 200, connection: "close" });
});

test("a connection without a request does not delay the shutdown", async () => {
  const { app } = await makeScene();
  const { hostname, port } = new URL(app.url);
  const silent = connect(Number(port), hostname);
  const ended = new Promise((resolve) => silent.once("close", resolve));
  await ask(app, new Agent(), "/healthz"); // after it: both are accepted
  await app.close();
  await ended;
});
