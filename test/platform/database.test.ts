// The connection pool: a lost connection is an error of its user and never ends the process.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { openDatabase } from "#src/db/connection/database.ts";
import { int32, message, ready } from "#test/support/fake-postgres.ts";
import { createTestDatabase } from "#test/support/test-database.ts";

test("a connection lost during use fails its statement and is replaced", async () => {
  const throwAway = await createTestDatabase();
  const database = openDatabase({ url: throwAway.url });
  const { pool } = database;
  try {
    const held = await pool.connect(); // its user does not listen to errors yet
    const lost = new Promise((resolve) => held.once("end", resolve));
    const { rows } = await held.query<{ pid: number }>("select pg_backend_pid() as pid");
    await pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await lost;
    await expect(held.query("select 1")).rejects.toThrow("not queryable");
    held.release(true);
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  } finally {
    await database.close();
    await throwAway.drop();
  }
});

test("a connection lost right after it opened is replaced", async () => {
  const lost = message("E", "SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0");
  const greeting = Buffer.concat([message("R", int32(0)), ready, lost]); // in one piece
  const server = createServer((socket) => socket.once("data", () => socket.write(greeting)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  const database = openDatabase({ url: `postgres://somebody@127.0.0.1:${port}/somewhere` });
  try {
    await expect(database.pool.query("select 1")).rejects.toThrow("not queryable");
  } finally {
    server.close(); // the connection closes with its pool
    await database.close();
  }
});
