// A scripted server of PostgreSQL's protocol, which can also violate it.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type pg from "pg";
import { Wires } from "#src/db/connection/wire/wires.ts";

/** A message: its code, length and body. `length` may differ from that of the body. */
export function message(code: string, body: Buffer | string = "", length?: number): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5, code);
  head.writeInt32BE(length ?? bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** The ReadyForQuery at the end of a response. */
export const ready = message("Z", "I");

/** The response to preparing a statement with these columns. */
export function prepared(columns: Readonly<Record<string, number>>): Buffer {
  const fields = Object.entries(columns).map(([name, oid]) =>
    Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(oid), int16(-1), int32(-1), int16(0)]),
  );
  const description = Buffer.concat([int16(fields.length), ...fields]);
  return Buffer.concat([message("3"), message("1"), message("t", int16(0)), message("T", description), ready]);
}

export function row(...values: (string | Buffer | null)[]): Buffer {
  const parts = values.map((value) => {
    if (value === null) return int32(-1);
    return Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]);
  });
  return message("D", Buffer.concat([int16(values.length), ...parts]));
}

/** The response to executing a statement in a group that goes on. */
export const result = (...rows: Buffer[]): Buffer =>
  Buffer.concat([message("2"), ...rows, message("C", `SELECT ${rows.length}\0`)]);

/** The response to executing a statement. */
export const answer = (...rows: Buffer[]): Buffer => Buffer.concat([result(...rows), ready]);

/**
 * Handles a Sync: `count` is its index on the connection, `connection` the index of the connection, from 0, and `runs`
 * how many statements have run since the last one.
 */
export type Script = (socket: Socket, count: number, connection: number, runs: number) => unknown;

interface FakePostgres {
  readonly config: pg.ClientConfig;
  close(): Promise<void>;
}

async function startFakePostgres(script: Script): Promise<FakePostgres> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay());
    socket.on("error", () => {});
    const connection = connections++;
    serve(socket, (count, runs) => script(socket, count, connection, runs));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    config: { host: "127.0.0.1", port, user: "somebody", database: "somewhere", password: "", ssl: false },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Accepts every client, and calls `onSync` for each Sync. */
function serve(socket: Socket, onSync: (count: number, runs: number) => unknown): void {
  let bytes = Buffer.alloc(0);
  let [isStarted, count, runs] = [false, 0, 0];
  socket.on("data", (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const head = isStarted ? 1 : 0;
      const size = bytes.length < head + 4 ? Infinity : head + bytes.readInt32BE(head);
      if (size > bytes.length) return;
      const code = bytes[0];
      bytes = bytes.subarray(size);
      if (!isStarted) socket.write(Buffer.concat([message("R", int32(0)), ready]));
      else if (code === 0x45) runs++;
      else if (code === 0x53) {
        onSync(count++, runs);
        runs = 0;
      } else if (code === 0x58) socket.end();
      isStarted = true;
    }
  });
}

/** Prepares and executes one statement, and returns its rows. */
export const description = prepared({ id: 25, n: 23, mood: 99_999 });
/** The rows of one statement. */
export const rows = [row("one", int32(1), "sad"), row("two äö", null, "")];
export const given = answer(...rows);
export const expected = [
  { id: "one", n: 1, mood: "sad" },
  { id: "two äö", n: null, mood: "" },
];
export const statement = "select a, statement";

/** Runs `work` on one connection at a time to a server of that script. */
export async function against(
  script: Script,
  work: (wires: Wires) => Promise<void>,
  answerLimitMs = 30_000,
  idleMs = 60_000,
): Promise<void> {
  const server = await startFakePostgres(script);
  const wires = new Wires({ config: server.config, most: 1, answerLimitMs, idleMs });
  try {
    await work(wires);
  } finally {
    await wires.close();
    await server.close();
  }
}
