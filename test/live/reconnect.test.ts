// Reconnecting with a cursor after any cut: no event is lost or repeated. `npm run prove` runs it at full size.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { proveReconnects } from "#test/live/reconnects.ts";
import { openKnown, openRaw } from "#test/live/raw-socket.ts";
import { Subscriber } from "#test/live/subscriber.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";

const { app, world } = await useApp();

test("subscribers receive every event once and in order when connections are cut at random under load", async () => {
  const size = { subscribers: 8, writers: 4, writes: 40, seed: 20_260_105 };
  const report = await proveReconnects({ url: app.url, pool: app.database.pool }, size);
  expect(report).toMatchObject({ missing: 0, doubled: 0, hollow: 0, different: 0 });
  expect(report.returns).toBeGreaterThan(size.writes / 10); // some connections were really cut
}, 180_000);

test("sockets that close while their token is looked up do not count against the limit of the token", async () => {
  await using limited = await testApp({ socketLimits: { socketsPerToken: 2 }, beside: app });
  const { editor } = await world.space();
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold('lock table "ApiToken"');
  const early = await Promise.all([1, 2].map(() => openRaw(limited.url)));
  for (const raw of early) raw.send({ type: "connection_init", payload: { token: editor.token } });
  await locks.waiters(early.length, "%k.hash%");
  for (const raw of early) raw.socket.terminate();
  await Promise.all(early.map(({ closed }) => closed));
  await fetch(`${limited.url}/healthz`); // the gateway has seen their ends by then
  await locks.release();
  const late = await Promise.all([1, 2].map(() => openKnown(limited.url, editor.token))); // both are acknowledged
  for (const { socket } of late) socket.terminate();
});

test("a subscriber of the proofs that takes outages subscribes again after an error, on a socket that stays open", async () => {
  let subscriptions = 0;
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) => {
    socket.on("message", (bytes: Buffer) => {
      const { type, id } = JSON.parse(bytes.toString()) as { type: string; id?: string };
      const reply = (message: object) => socket.send(JSON.stringify(message));
      if (type === "connection_init") return reply({ type: "connection_ack" });
      const outage = { message: "Try again.", extensions: { code: "UNAVAILABLE" } };
      if (++subscriptions === 1) return reply({ type: "error", id, payload: [outage] });
      reply({ type: "next", id, payload: { data: { events: { __typename: "Ready", cursor: "first" } } } });
    });
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  const options = { gateway: () => `http://127.0.0.1:${port}`, token: "any", field: "events(of: {})" };
  const subscriber = await new Subscriber({ ...options, over: "socket", takesOutages: true }).start();
  expect([subscriptions, subscriber.cursor]).toEqual([2, "first"]);
  await subscriber.stop();
  for (const socket of server.clients) socket.terminate();
  await new Promise((resolve) => server.close(resolve));
});
