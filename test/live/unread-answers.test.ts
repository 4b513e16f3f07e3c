// Unread responses: their buffer is bounded, the gateway stops reading from the client, and no message is lost. At the
// small size fewer pings are sent.
import diagnostics from "node:diagnostics_channel";
import { createConnection, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { addComment } from "#test/features/comments/factory.ts";
import { ask } from "#test/live/messages.ts";
import { openKnown, type RawSocket } from "#test/live/raw-socket.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { sized } from "#test/support/runs.ts";
import { createExecutor } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import { SocketFlow } from "#src/server/graphql/socket-client.ts";

const served = new Set<Socket>();
const onSocket = (message: unknown) => {
  const { socket } = message as { socket: Socket }; // as the channel documents it
  served.add(socket);
  socket.once("close", () => served.delete(socket));
};

diagnostics.subscribe("net.server.socket", onSocket);
afterAll(() => void diagnostics.unsubscribe("net.server.socket", onSocket));

const { app, world } = await useApp({ keepAliveMs: 600_000 }); // a client that does not read does not answer pings

const backlog = () => Math.max(0, ...[...served].map((socket) => socket.writableLength));

let token: string;
let query: string;

/** A query with a response of 100 KB. */
beforeAll(async () => {
  const { editor, space } = await world.space();
  token = editor.token;
  const { id } = await world.insert((rows) =>
    addComment(rows, { spaceId: space.id, postedById: editor.id, markdown: "x".repeat(5000) }),
  );
  const texts = Array.from({ length: 20 }, (_, index) => `text${index}: body { markdown }`).join(" ");
  query = `{ comment(id: "${id}") { ${texts} } }`;
});

/** Sends messages without reading until the gateway stops reading; returns the largest buffer. */
async function flood({ socket }: RawSocket, messages: readonly object[]): Promise<number> {
  socket.pause();
  for (const message of messages) socket.send(JSON.stringify(message));
  let [most, left, quiet] = [0, socket.bufferedAmount, 0];
  while (quiet < 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    most = Math.max(most, backlog());
    quiet = left === socket.bufferedAmount && most > 0 ? quiet + 1 : 0;
    left = socket.bufferedAmount;
  }
  expect(left).toBeGreaterThan(0);
  socket.resume();
  return most;
}

test("unread query results stay near 1 MB, and all arrive when they are read", async () => {
  const raw = await openKnown(app.url, token);
  const padding = "x".repeat(50_000); // large enough to detect that the gateway does not read
  const asked = Array.from({ length: 400 }, (_, index) => ask(`${index}`, `${query} #${padding}`));
  expect(await flood(raw, asked)).toBeLessThan(1024 * 1024 + 11 * 110_000);
  const answered = new Set<string | undefined>();
  while (answered.size < asked.length) {
    const { id, type } = await raw.receive();
    if (type === "complete") answered.add(id);
    else expect(type).toBe("next");
  }
  raw.socket.terminate();
}, 120_000);

describe("a response in five parts of 2.5 MB", () => {
  const texts = (part: number) =>
    Array.from({ length: 100 }, (_, index) => `text${part}${index}: body { markdown }`).join(" ");
  const later = [1, 2, 3, 4].map((part) => `... @defer { ${texts(part)} }`).join(" ");
  let inParts: string;

  beforeAll(async () => {
    const { editor, space } = await world.space();
    token = editor.token;
    const { id } = await world.insert((rows) =>
      addComment(rows, { spaceId: space.id, postedById: editor.id, markdown: "x".repeat(25_000) }),
    );
    inParts = `{ comment(id: "${id}") { ${texts(0)} ${later} } }`;
  });

  test("is sent by HTTP as it is read", async () => {
    const { hostname, port } = new URL(app.url);
    const client = createConnection({ host: hostname, port: Number(port) });
    const body = JSON.stringify({ query: inParts });
    client.pause();
    client.write(
      `POST /graphql HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n` +
        `accept: multipart/mixed\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await expect.poll(backlog).toBeGreaterThan(0);
    // Other clients get responses meanwhile.
    for (let others = 0; others < 20; others++) await app.as(token).query("{ viewer { id } }");
    let [most, text] = [0, ""];
    for await (const piece of client) {
      most = Math.max(most, backlog());
      text += String(piece);
    }
    expect(most).toBeLessThan(1024 * 1024);
    expect(text.match(/"hasNext":false/g)).toHaveLength(1);
    for (const part of [0, 1, 2, 3, 4]) expect(text).toContain(`"text${part}99":`);
  });

  test("is sent on a WebSocket as it is read, one message a part", async () => {
    const { socket, send, receive } = await openKnown(app.url, token);
    socket.pause();
    send(ask("1", inParts));
    await expect.poll(backlog).toBeGreaterThan(0);
    for (let others = 0; others < 20; others++) await app.as(token).query("{ viewer { id } }");
    expect(backlog()).toBeLessThan(2_800_000 + 1024 * 1024);
    socket.resume();
    const pieces: { readonly hasNext: boolean; readonly incremental?: readonly object[] }[] = [];
    for (let message = await receive(); message.type !== "complete"; message = await receive())
      pieces.push(message.payload as (typeof pieces)[number]);
    expect(pieces.flatMap(({ incremental = [] }) => incremental)).toHaveLength(4);
    expect(pieces.map(({ hasNext }) => hasNext)).toEqual(pieces.map((_, index) => index < pieces.length - 1));
    socket.terminate();
  });
});

test("unread pongs stay near 1 MB, and all arrive in order", async () => {
  const raw = await openKnown(app.url, token);
  const pings = Array.from({ length: sized(2_000, 3_000) }, (_, at) => ({
    type: "ping",
    payload: { at, text: "x".repeat(10_000) },
  }));
  expect(await flood(raw, pings)).toBeLessThan(1024 * 1024 + 20_000);
  for (const { payload } of pings) expect(await raw.receive()).toEqual({ type: "pong", payload });
  raw.socket.terminate();
}, 120_000);

test("disconnects a client that reads nothing for a long time", async () => {
  const own = await testApp({ keepAliveMs: 500, beside: app });
  const raw = await openKnown(own.url, token);
  const connection = [...served].find(({ localPort }) => String(localPort) === new URL(own.url).port);
  raw.socket.pause();
  const ping = JSON.stringify({ type: "ping", payload: { text: "x".repeat(100_000) } });
  for (let count = 0; count < 300; count++) raw.socket.send(ping);
  await expect.poll(() => connection?.destroyed, { timeout: 30_000 }).toBe(true);
  raw.socket.terminate();
  await own.close();
});

test("disconnects an HTTP client that does not read its response, but not one whose response is slow", async () => {
  const own = await testApp({ writeTimeoutMs: 300, beside: app });
  const { editor, space } = await world.space();
  const { id } = await world.insert((rows) =>
    addComment(rows, { spaceId: space.id, postedById: editor.id, markdown: "x".repeat(16_000) }),
  );
  const others = new Set(served);
  const { hostname, port } = new URL(own.url);
  const client = createConnection({ host: hostname, port: Number(port) });
  const texts = Array.from({ length: 1500 }, (_, index) => `text${index}: body { markdown }`).join(" ");
  const body = JSON.stringify({ query: `{ comment(id: "${id}") { ${texts} } }` });
  client.pause();
  client.write(
    `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${editor.token}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
  const connection = () => [...served].find((socket) => !others.has(socket));
  await expect.poll(() => connection()?.writableLength ?? 0, { timeout: 30_000 }).toBeGreaterThan(0);
  await expect.poll(connection, { timeout: 30_000 }).toBeUndefined();
  client.destroy();

  // The buffer is empty while the database is slow.
  const locker = await own.database.pool.connect();
  await locker.query(`begin; lock table "Comment"`);
  const slow = own.as(editor.token).graphql(`{ comment(id: "${id}") { id } }`);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await locker.query("commit");
  locker.release();
  expect(await slow).toMatchObject({ data: { comment: { id } } });
  await own.close();
});

test("an operation that cannot be parsed gets its own error, and the socket stays open", async () => {
  const executor = createExecutor(schema);
  const prepare: typeof executor.prepare = (source, name) => {
    if (source.includes("deep")) throw new RangeError("Maximum call stack size exceeded");
    return executor.prepare(source, name);
  };
  const own = await testApp({ executor: { ...executor, prepare }, beside: app });
  const { send, receive, socket } = await openKnown(own.url, token);
  send(ask("1", "{ deep }"));
  expect(await receive()).toMatchObject({ id: "1", type: "error", payload: [{ extensions: { code: "INTERNAL" } }] });
  send(ask("2", "{ viewer { __typename } }"));
  expect(await receive()).toMatchObject({ id: "2", type: "next" });
  socket.terminate();
  await own.close();
});

test("runs ten operations of a socket at a time and stops reading while a hundred wait", async () => {
  const socket = { bufferedAmount: 0, readyState: 1, OPEN: 1, isPaused: false };
  const pause = () => void (socket.isPaused = true);
  const resume = () => void (socket.isPaused = false);
  let running = 0;
  const taken: string[] = [];
  const flow = new SocketFlow({ ...socket, pause, resume } as unknown as WebSocket, (text) => {
    taken.push(text);
    void flow.begin().then(() => running++);
  });
  const texts = Array.from({ length: 200 }, (_, index) => `${index}`);
  for (const text of texts) flow.take(text);
  await Promise.resolve();
  expect([running, taken.length, socket.isPaused]).toEqual([10, 110, true]);
  for (let ended = 1; ended <= texts.length; ended++) {
    flow.done();
    await expect.poll(() => running, { interval: 1 }).toBe(Math.min(10 + ended, texts.length));
  }
  expect(taken).toEqual(texts);
  expect(socket.isPaused).toBe(false);
});
