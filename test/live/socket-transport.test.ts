// A stream on a socket as the protocol library uses it: an iterator that ends with the stream.
import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { GraphQLError } from "graphql";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { SocketTransport } from "#src/server/live/socket-transport.ts";

const transportOf = () => new SocketTransport({} as WebSocket, new Duplex(), "1"); // nothing is sent here

test("an error ends the stream without a second error when the client disconnects at the same time", async () => {
  const transport = transportOf();
  const ends: string[] = [];
  const results = transport.results(() => ends.push("end"));
  const next = results.next();
  transport.fail([new GraphQLError("No longer.")]);
  expect(await results.return()).toEqual({ done: true, value: undefined });
  await expect(next).rejects.toThrow("No longer.");
  expect(ends).toEqual(["end"]);
});

test("a disconnect ends the stream without an error, whatever happens to its source afterwards", async () => {
  const transport = transportOf();
  const results = transport.results(() => {});
  const next = results.next();
  expect(await results.return()).toEqual({ done: true, value: undefined });
  transport.fail([new GraphQLError("No longer.")]);
  expect(await next).toEqual({ done: true, value: undefined });
});

test("a stream that fails before its first read rejects the reads and does not crash the process", async () => {
  const transport = transportOf();
  transport.fail([new GraphQLError("No longer.")]);
  await nextTurn(); // an error that nobody had received of by now would end a process
  const ended = Promise.withResolvers<void>();
  await expect(transport.results(ended.resolve).next()).rejects.toThrow("No longer.");
  await ended.promise;
});
