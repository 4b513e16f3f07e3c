// Frames that are written directly: clients decode the same texts, in order with the messages of the socket.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import WebSocket, { WebSocketServer } from "ws";
import { outboxStart } from "#src/events/outbox-position.ts";
import { Batch, type Entry } from "#src/server/live/stream.ts";
import { SocketTransport, textFrameHead } from "#src/server/live/socket-transport.ts";

let http: Server;
let sockets: WebSocketServer;
let url: string;

beforeAll(async () => {
  http = createServer();
  sockets = new WebSocketServer({ server: http, perMessageDeflate: { threshold: 0 } }); // if the client negotiates it
  await once(http.listen(0, "127.0.0.1"), "listening");
  url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`; // it listens on a port
});
afterAll(() => {
  for (const client of sockets.clients) client.terminate();
  http.close();
});

interface Pair {
  readonly served: WebSocket;
  readonly connection: Socket;
  readonly client: WebSocket;
  /** What the client has received, in order: texts, and pongs with their payloads. */
  readonly received: string[];
  /** Resolves when the client has received everything that was sent before. */
  readonly settled: () => Promise<void>;
}

/** Both ends of a socket. */
async function connect(perMessageDeflate = false): Promise<Pair> {
  const accepted = once(sockets, "connection");
  const client = new WebSocket(url, { perMessageDeflate });
  const received: string[] = [];
  client.on("message", (data) => received.push((data as Buffer).toString())); // the library returns buffers by default
  client.on("pong", (data) => received.push(`pong ${data.toString()}`));
  const [served, { socket: connection }] = (await accepted) as [WebSocket, { socket: Socket }];
  if (client.readyState !== client.OPEN) await once(client, "open");
  const settled = async () => {
    served.ping();
    await once(client, "ping");
  };
  return { served, connection, client, received, settled };
}

const transportOf = ({ served, connection }: Pair, id = "1") => new SocketTransport(served, connection, id);

let lastId = 0;
const entry = (json: string): Entry => ({ position: { ...outboxStart, id: ++lastId }, json: Buffer.from(json) });
const batchOf = (first: string, ...others: string[]) => new Batch([entry(first), ...others.map(entry)]);
const textOf = (json: string, id = "1") => `{"id":${JSON.stringify(id)},"type":"next","payload":${json}}`;

/** A JSON text of `length` bytes. */
const jsonOf = (bytes: number) => `"${"x".repeat(bytes - 2)}"`;

describe("WebSocket frames", () => {
  test.each([0, 1, 125, 126, 127, 65_535, 65_536, 65_537, 1_000_000])("of %i bytes are decoded", async (length) => {
    const pair = await connect();
    pair.connection.write(textFrameHead(length));
    pair.connection.write("x".repeat(length));
    await pair.settled();
    expect(pair.received).toEqual(["x".repeat(length)]);
  });

  const around = textOf("").length;
  test.each([around + 2, 125, 126, 65_535, 65_536, 65_537 + around, 1_000_000])(
    "of messages of %i bytes contain the text of the protocol",
    async (length) => {
      const pair = await connect();
      const json = jsonOf(length - around);
      transportOf(pair).send(batchOf(json));
      await pair.settled();
      expect(pair.received).toEqual([textOf(json)]);
      expect(pair.received[0]).toHaveLength(length);
    },
  );

  test("support multi-byte characters in messages and ids", async () => {
    const pair = await connect();
    const [json, id] = [JSON.stringify({ data: { text: 'é – 漢字 😀 "\\ \n' } }), 'ï 😀"\\\n'];
    transportOf(pair, id).send(batchOf(json));
    await pair.settled();
    expect(pair.received).toEqual([textOf(json, id)]);
    expect(JSON.parse(pair.received[0] ?? "")).toEqual({ id, type: "next", payload: JSON.parse(json) });
  });

  test("skip empty messages", async () => {
    const pair = await connect();
    const hidden: Entry = { ...entry(""), json: null };
    transportOf(pair).send(new Batch([hidden, entry("1"), hidden, entry("2")]));
    await pair.settled();
    expect(pair.received).toEqual([textOf("1"), textOf("2")]);
  });
});

describe("a batch of frames", () => {
  test("is one buffer and one write, shared by all with the same id", async () => {
    const pairs = [await connect(), await connect()];
    const writes = pairs.map(({ connection }) => vi.spyOn(connection, "write"));
    const batch = batchOf("1", "2", "3");
    for (const pair of pairs) transportOf(pair).send(batch);
    const [[mine, others] = [], [theirs] = []] = writes.map(({ mock }) => mock.calls.map(([bytes]) => bytes));
    expect(mine).toBeInstanceOf(Buffer);
    expect(theirs).toBe(mine);
    expect(others).toBeUndefined();
    for (const { settled, received } of pairs) {
      await settled();
      expect(received).toEqual(["1", "2", "3"].map((json) => textOf(json)));
    }
  });

  test("of long messages shares their buffers among all ids", async () => {
    const pairs = [await connect(), await connect()];
    const writes = pairs.map(({ connection }) => vi.spyOn(connection, "write"));
    const long = entry(jsonOf(200_000));
    const batch = new Batch([long, entry("2")]);
    for (const [index, pair] of pairs.entries()) transportOf(pair, `${index}`).send(batch);
    for (const { mock } of writes) expect(mock.calls.some(([bytes]) => bytes === long.json)).toBe(true);
    for (const [index, { settled, received }] of pairs.entries()) {
      await settled();
      expect(received).toEqual([textOf(jsonOf(200_000), `${index}`), textOf("2", `${index}`)]);
    }
  });

  test("is sent to any number of ids, also on one socket", async () => {
    const pair = await connect();
    const batch = batchOf("1", "2");
    const ids = Array.from({ length: 200 }, (_, index) => `${"i".repeat(index)}`);
    for (const id of [...ids, ...ids]) transportOf(pair, id).send(batch);
    await pair.settled();
    expect(pair.received).toEqual([...ids, ...ids].flatMap((id) => [textOf("1", id), textOf("2", id)]));
  });

  test("after a position contains only later messages", () => {
    const entries = [entry("1"), entry("2"), entry("3")] as const;
    const batch = new Batch(entries);
    const [first, second, third] = entries;
    const jsonAfter = ({ position }: Entry) => batch.after(position)?.messages.map(({ json }) => json.toString());
    expect(batch.after({ ...first.position, id: first.position.id - 1 })).toBe(batch);
    expect([jsonAfter(first), jsonAfter(second), jsonAfter(third)]).toEqual([["2", "3"], ["3"], undefined]);
    expect(batch.end).toEqual(third.position);
  });
});

describe("frames on a socket", () => {
  test("arrive in the order in which they were sent", async () => {
    const pair = await connect();
    const { served, received } = pair;
    const [one, other] = [transportOf(pair, "one"), transportOf(pair, "other")];
    const expected: string[] = [];
    for (let round = 0; round < 50; round++) {
      served.send(`answer ${round}`);
      one.send(batchOf(`${round}`, jsonOf(10 + round)));
      served.pong(`${round}`);
      other.send(batchOf(jsonOf(70_000 + round)));
      expected.push(`answer ${round}`, textOf(`${round}`, "one"), textOf(jsonOf(10 + round), "one"));
      expected.push(`pong ${round}`, textOf(jsonOf(70_000 + round), "other"));
    }
    await pair.settled();
    expect(received).toEqual(expected);
  });

  test("count as buffered bytes while they wait", async () => {
    const pair = await connect();
    pair.client.pause();
    const transport = transportOf(pair);
    expect(transport.bufferedBytes).toBe(0);
    const batch = batchOf(jsonOf(50_000));
    while (transport.bufferedBytes === 0) transport.send(batch);
    const waiting = transport.bufferedBytes;
    transport.send(batch);
    expect(transport.bufferedBytes).toBe(waiting + 50_000 + textOf("").length + textFrameHead(50_000).length);
  });

  test("arrive if they were sent before the close, and none follows it", async () => {
    const pair = await connect();
    const transport = transportOf(pair);
    transport.send(batchOf("1"));
    pair.served.close(1001);
    transport.send(batchOf("2"));
    transport.send(batchOf(jsonOf(100_000)));
    expect((await once(pair.client, "close"))[0]).toBe(1001);
    expect(pair.received).toEqual([textOf("1")]);
  });

  test("are dropped without an error when the client disconnects", async () => {
    const pair = await connect();
    const transport = transportOf(pair);
    const errors: unknown[] = [];
    pair.served.on("error", (error) => errors.push(error));
    transport.send(batchOf("1"));
    const closed = once(pair.served, "close");
    pair.client.terminate();
    for (; pair.served.readyState === pair.served.OPEN; await new Promise(setImmediate)) transport.send(batchOf("2"));
    transport.send(batchOf("3"));
    await closed;
    transport.send(batchOf("4", jsonOf(100_000)));
    // A write may come after the connection was reset and before the socket knows.
    expect(errors.filter((error) => !/EPIPE|ECONNRESET/.test(String(error)))).toEqual([]);
  });

  test("are made by the socket itself when compression is on", async () => {
    const pair = await connect(true);
    expect(pair.served.extensions).toBe("permessage-deflate");
    const transport = transportOf(pair);
    const [short, long] = [JSON.stringify("é"), jsonOf(200_000)];
    pair.served.send("first");
    transport.send(batchOf(short, long));
    pair.served.send("last");
    await expect.poll(() => pair.received.at(-1)).toBe("last");
    expect(pair.received).toEqual(["first", textOf(short), textOf(long), "last"]);
  });
});
