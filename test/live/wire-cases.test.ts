// The cases of the graphql-ws test suite against a gateway, over a WebSocket without a library.
import { connect } from "node:net";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { ask, subscribe } from "#test/live/messages.ts";
import { openKnown, openRaw, type RawSocket } from "#test/live/raw-socket.ts";
import { greetings, operations, others, type Step } from "#test/live/wire-cases.ts";
import { useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";
import { readMetrics, sumOf } from "#test/support/metrics.ts";
import { isThere } from "#test/support/named-tests.ts";
import { Metrics } from "#src/server/process/metrics.ts";

// Longer than a test: only the test releases the locks.
const metrics = new Metrics({ version: "1.2.3" });
const { app, world } = await useApp({ metrics, limits: { lockTimeoutMs: 600_000, statementTimeoutMs: 600_000 } });
const { editor, space } = await world.space();
const locks = await lockHolder(app.databaseUrl);
afterEach(() => locks.release());
afterAll(() => locks[Symbol.asyncDispose]());

async function take({ send, receive, closed }: RawSocket, step: Step): Promise<void> {
  if ("send" in step) send(step.send);
  else if ("receive" in step) expect(await receive()).toMatchObject(step.receive);
  else if ("closed" in step) expect(await closed).toMatchObject(step.closed);
  else await receiveNothing({ send, receive });
}

const count = async (name: string, labels: Record<string, string> = {}) =>
  sumOf(readMetrics(await metrics.text()), name, labels) ?? 0;

/** Expects the pong of a ping as the next message. */
async function receiveNothing({ send, receive }: Pick<RawSocket, "send" | "receive">): Promise<void> {
  send({ type: "ping", payload: { after: "nothing" } });
  expect(await receive()).toEqual({ type: "pong", payload: { after: "nothing" } });
}

describe("before the acknowledgement", () => {
  test.each(greetings(editor.token))("$what", async ({ steps }) => {
    const raw = await openRaw(app.url);
    for (const step of steps) await take(raw, step);
    raw.socket.terminate();
  });

  test("a socket whose token is being checked is not timed out and may not send operations", async () => {
    await locks.hold('lock table "ApiToken" in access exclusive mode');
    const [looked, hasty] = [await openRaw(app.url), await openRaw(app.url)];
    for (const { send } of [looked, hasty]) send({ type: "connection_init", payload: { token: editor.token } });
    await locks.waiters(1);
    hasty.send(ask("1", "{ viewer { id } }"));
    expect(await hasty.closed).toEqual({ code: 4401, reason: "Unauthorized" });
    const silent = await openRaw(app.url);
    expect(await silent.closed).toMatchObject({ code: 4408, reason: "Connection initialisation timeout" });
    await locks.release();
    expect(await looked.receive()).toEqual({ type: "connection_ack" });
    looked.socket.terminate();
  });
});

describe("after the acknowledgement", () => {
  test.each(operations(editor.token, space.id))("$what", async ({ steps }) => {
    const raw = await openKnown(app.url, editor.token);
    for (const step of steps) await take(raw, step);
    raw.socket.terminate();
  });

  test.each([
    ["a query whose answer takes long", ask("1", "{ organizations { nodes { teams { nodes { id } } } } }"), "Team"],
    ["a subscription that is being opened", subscribe("1", space.id), "Space"],
    ["a subscription whose token is being read", subscribe("1", space.id), "ApiToken"],
  ])("complete before the first result stops all messages: %s", async (_what, message, table) => {
    const raw = await openKnown(app.url, editor.token);
    await locks.hold(`lock table "${table}" in access exclusive mode`);
    raw.send(message);
    await locks.waiters(1);
    raw.send({ id: "1", type: "complete" });
    await receiveNothing(raw);
    await locks.release();
    raw.send(ask("2", "{ organizations { nodes { teams { nodes { __typename } } } } }")); // it waits for the same table
    expect(await raw.receive()).toMatchObject({ id: "2", type: "next" });
    raw.socket.terminate();
  });

  test("a subscription that opens after its socket has closed is closed", async () => {
    const asked = () => count("docgraph_requests_total", { transport: "websocket", operation: "commentEvents" });
    const { closed, send, socket } = await openKnown(app.url, editor.token);
    const before = await asked();
    await locks.hold('lock table "Space" in access exclusive mode');
    send(subscribe("1", space.id));
    await locks.waiters(1);
    socket.close(4321, "Byebye");
    expect(await closed).toEqual({ code: 4321, reason: "Byebye" });
    await locks.release();
    await expect.poll(asked, { timeout: 10_000, interval: 10 }).toBe(before + 1); // it was opened or abandoned
    await expect.poll(() => count("docgraph_streams_open"), { timeout: 10_000, interval: 10 }).toBe(0);
  });
});

describe("the subprotocol", () => {
  /** The response head of an upgrade with this header. */
  const upgrade = (protocols: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(app.url);
      const key = "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
      const socket = connect(Number(port), hostname);
      socket.write(
        `GET /graphql HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n${key}\r\n` +
          `sec-websocket-protocol: ${protocols}\r\n\r\n`,
      );
      socket.once("data", (data) => {
        resolve(data.toString().split("\r\n\r\n", 1)[0]?.toLowerCase() ?? "");
        socket.destroy();
      });
      socket.once("error", reject);
    });

  test.each(["graphql-transport-ws", "some, graphql-transport-ws   , other-one,third"])(
    "is accepted: %s",
    async (given) => {
      expect(await upgrade(given)).toContain("sec-websocket-protocol: graphql-transport-ws");
    },
  );

  test.each([
    "notme",
    "notme, notmeither",
    "graphql, json",
    "graphql-transport-wsgibberish",
    "graphql-ws",
    "no, graphql-TransPort-ws",
  ])("is refused: %s", async (given) => {
    expect(await upgrade(given)).not.toContain("sec-websocket-protocol");
  });

  test("missing from the request closes the socket with 4406", async () => {
    const { closed } = await openRaw(app.url, { protocol: [] });
    expect(await closed).toEqual({ code: 4406, reason: "Subprotocol not acceptable" });
  });
});

test.each(others)("tested elsewhere or not applicable: $what", ({ test: named, reason }) => {
  expect(named ? isThere(named) : reason).toBeTruthy();
});
