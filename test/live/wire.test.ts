// graphql-transport-ws case by case, with a client that does not implement it: every close code, and released
// resources.
import { createConnection } from "node:net";
import { Worker } from "node:worker_threads";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { ask, subscribe } from "#test/live/messages.ts";
import { openKnown, openRaw } from "#test/live/raw-socket.ts";
import { testApp, useApp } from "#test/support/app.ts";

const { app, world } = await useApp({ socketLimits: { socketsPerToken: 30 } });
let token: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
});

const init = () => ({ type: "connection_init", payload: { token } });
describe("the WebSocket upgrade", () => {
  test("accepts the protocol, also among others", async () => {
    for (const protocol of ["graphql-transport-ws", ["something", "graphql-transport-ws"]]) {
      const { socket } = await openRaw(app.url, { protocol });
      expect(socket.protocol).toBe("graphql-transport-ws");
      socket.terminate();
    }
  });

  test.each(["graphql-ws", "something"])("closes with 4406 for the protocol %s alone", async (protocol) => {
    const refused = await openRaw(app.url, { protocol }).then(
      ({ closed }) => closed,
      (error: Error) => error.message,
    );
    expect(refused).toSatisfy((end: unknown) => typeof end === "string" || (end as { code: number }).code === 4406);
  });

  test.each(["/", "/v1/orgs", "/graphql/more"])("returns 404 at %s", async (path) => {
    await expect(openRaw(app.url, { path })).rejects.toThrow("refused with 404");
  });

  test("returns 403 for a foreign Origin and accepts its own or none", async () => {
    await expect(openRaw(app.url, { headers: { origin: "https://evil.example.com" } })).rejects.toThrow("403");
    await expect(openRaw(app.url, { headers: { origin: "null" } })).rejects.toThrow("403");
    for (const headers of [{ origin: app.url }, {}]) (await openRaw(app.url, { headers })).socket.terminate();
  });
});

describe("before the acknowledgement", () => {
  test("a socket without a message closes with 4408", async () => {
    const { closed } = await openRaw(app.url);
    expect(await closed).toEqual({ code: 4408, reason: "Connection initialisation timeout" });
  });

  test("a subscription closes the socket with 4401", async () => {
    const { send, closed } = await openRaw(app.url);
    send(subscribe("1", spaceId));
    expect(await closed).toMatchObject({ code: 4401 });
  });

  test.each([
    ["none", undefined],
    ["an empty object", {}],
    ["an unknown one", { token: `dg_${"x".repeat(43)}` }],
    ["a number", { token: 7 }],
    ["another scheme", { Authorization: "Basic abc" }],
    ["a very long one", { token: "x".repeat(10_000) }],
  ])("an invalid token closes the socket with 4403: %s", async (_name, payload) => {
    const { send, closed } = await openRaw(app.url);
    send({ type: "connection_init", ...(payload && { payload }) });
    expect(await closed).toMatchObject({ code: 4403 });
  });

  test("a payload that is not an object closes the socket with 4400", async () => {
    const { send, closed } = await openRaw(app.url);
    send({ type: "connection_init", payload: "token" });
    expect(await closed).toMatchObject({ code: 4400 });
  });

  test("a ping is answered and a pong is not", async () => {
    const { send, receive, socket } = await openRaw(app.url);
    send({ type: "pong" });
    send({ type: "ping", payload: { at: 1 } });
    expect(await receive()).toEqual({ type: "pong", payload: { at: 1 } });
    socket.terminate();
  });

  test("a message of more than 64 KB closes the socket with 1009", async () => {
    const { send, closed } = await openRaw(app.url);
    send({ type: "connection_init", payload: { token, more: "x".repeat(70_000) } });
    expect(await closed).toMatchObject({ code: 1009 });
  });

  test("more than 64 KB in many messages close the socket with 1009", async () => {
    const { send, closed } = await openRaw(app.url);
    for (let count = 0; count < 100; count++) send({ type: "pong", payload: { text: "x".repeat(1000) } });
    expect(await closed).toMatchObject({ code: 1009 });
  });

  test.each(["Authorization", "authorization"])("a token in %s is accepted", async (name) => {
    const { send, receive, socket } = await openRaw(app.url);
    send({ type: "connection_init", payload: { [name]: `Bearer ${token}` } });
    expect(await receive()).toEqual({ type: "connection_ack" });
    socket.terminate();
  });

  test("a second init closes the socket with 4429, before and after the acknowledgement", async () => {
    const early = await openRaw(app.url);
    early.send(init());
    early.send(init());
    expect(await early.closed).toEqual({ code: 4429, reason: "Too many initialisation requests" });
    const late = await openKnown(app.url, token);
    late.send(init());
    expect(await late.closed).toMatchObject({ code: 4429 });
  });
});

describe("an invalid message closes the socket with 4400", () => {
  test.each([
    ["no JSON", "hello"],
    ["empty", ""],
    ["null", "null"],
    ["a number", "7"],
    ["an array", "[]"],
    ["no type", "{}"],
    ["an unknown type", `{"type":"start"}`],
    ["a message of the server", `{"type":"connection_ack"}`],
    ["next by the client", `{"id":"1","type":"next","payload":{}}`],
    ["no id", `{"type":"subscribe","payload":{"query":"{ viewer { id } }"}}`],
    ["an empty id", `{"id":"","type":"subscribe","payload":{"query":"{ viewer { id } }"}}`],
    ["a number as id", `{"id":1,"type":"subscribe","payload":{"query":"{ viewer { id } }"}}`],
    ["no payload", `{"id":"1","type":"subscribe"}`],
    ["no query", `{"id":"1","type":"subscribe","payload":{}}`],
    [
      "variables that are not an object",
      `{"id":"1","type":"subscribe","payload":{"query":"{ viewer { id } }","variables":"x"}}`,
    ],
    [
      "an operation name that is not a string",
      `{"id":"1","type":"subscribe","payload":{"query":"{ viewer { id } }","operationName":7}}`,
    ],
    ["a complete without an id", `{"type":"complete"}`],
    ["a ping whose payload is not an object", `{"type":"ping","payload":7}`],
  ])("%s", async (_name, text) => {
    const { send, closed } = await openKnown(app.url, token);
    send(text);
    expect(await closed).toMatchObject({ code: 4400 });
  });

  test("invalid UTF-8 in a text frame closes the socket with 1007", async () => {
    const { socket, closed } = await openKnown(app.url, token);
    socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect(await closed).toMatchObject({ code: 1007 });
  });

  test("a message of more than 1 MB closes the socket with 1009", async () => {
    const { send, closed } = await openKnown(app.url, token);
    send(ask("1", `{ viewer { id } } #${"x".repeat(1_100_000)}`));
    expect(await closed).toMatchObject({ code: 1009 });
  });
});

describe("closing", () => {
  test("frees the slots of sockets that vanish: the full number can connect again", async () => {
    for (let round = 0; round < 3; round++) {
      const sockets = await Promise.all(Array.from({ length: 20 }, () => openKnown(app.url, token)));
      for (const { send, receive } of sockets) {
        send(subscribe("1", spaceId));
        await receive();
      }
      for (const { socket } of sockets) socket.terminate();
      await Promise.all(sockets.map(({ closed }) => closed));
    }
  });

  test("refuses one socket too many of a token with 4429 until another one closes", async () => {
    const { reader } = await world.space();
    const sockets = await Promise.all(Array.from({ length: 30 }, () => openKnown(app.url, reader.token)));
    const more = await openRaw(app.url);
    more.send({ type: "connection_init", payload: { token: reader.token } });
    expect(await more.closed).toEqual({ code: 4429, reason: "At most 30 sockets with one token" });
    sockets[0]?.socket.close();
    await sockets[0]?.closed;
    await expect.poll(async () => (await openKnown(app.url, reader.token).catch(() => null)) !== null).toBe(true);
    for (const { socket } of sockets) socket.terminate();
  });

  test("by the client is answered with the same code", async () => {
    const { socket, closed } = await openKnown(app.url, token);
    socket.close(1000, "done");
    expect(await closed).toEqual({ code: 1000, reason: "done" });
  });

  test("by a stopping gateway uses 1001, also for silent sockets", async () => {
    const own = await testApp({ beside: app });
    const [known, unknown] = [await openKnown(own.url, token), await openRaw(own.url)];
    await Promise.all([
      own.close(),
      expect(known.closed).resolves.toMatchObject({ code: 1001 }),
      expect(unknown.closed).resolves.toMatchObject({ code: 1001 }),
    ]);
  });

  test("terminates a client that does not answer pings and keeps one that does", async () => {
    const own = await testApp({ keepAliveMs: 500, beside: app });
    const alive = await openKnown(own.url, token);
    const { port, hostname } = new URL(own.url);
    const dead = createConnection({ host: hostname, port: Number(port) });
    dead.write(
      "GET /graphql HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n" +
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n",
    );
    dead.resume();
    await new Promise((resolve) => dead.once("close", resolve));
    alive.send({ type: "ping" });
    expect(await alive.receive()).toEqual({ type: "pong" });
    alive.socket.terminate();
    await own.close();
  });

  test("keeps a client whose pong arrived while the process was busy", async () => {
    const everyMs = 300;
    const own = await testApp({ keepAliveMs: everyMs, beside: app });
    const script = `const { parentPort, workerData: [url, token] } = require("node:worker_threads");
      const socket = new (require("ws"))(url, "graphql-transport-ws");
      socket.on("open", () => socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: token } })));
      for (const name of ["ping", "close"]) socket.on(name, () => parentPort.postMessage(name));`;
    const asked = [`${own.url.replace("http", "ws")}/graphql`, `Bearer ${token}`];
    const pings = vi.spyOn(WebSocket.prototype, "ping").mockImplementationOnce(function (this: WebSocket) {
      this.ping(); // the real one; nothing else happens until the next one is due
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * everyMs));
    });
    const client = new Worker(script, { eval: true, workerData: asked });
    const received: unknown[] = [];
    client.on("message", (message) => received.push(message));
    await expect.poll(() => received.length).toBeGreaterThanOrEqual(2);
    expect(received.slice(0, 2)).toEqual(["ping", "ping"]);
    pings.mockRestore();
    await client.terminate();
    await own.close();
  });
});
