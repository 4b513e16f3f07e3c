// A stream on a socket as the protocol library sees it: an iterator that ends when the stream does.
import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { GraphQLError } from "graphql";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { SocketTransport } from "#src/server/live/socket-transport.ts";

const transportOf = () => new SocketTransport({} as WebSocket, new Duplex(), "1"); // nothing is sent here

test("an error ends it, and is no second error for a client that has gone at the same moment", async () => {
  const transport = transportOf();
  const ends: string[] = [];
  const results = transport.results(() => ends.push("end"));
  const next = results.next();
  transport.fail([new GraphQLError("No longer.")]);
  expect(await results.return()).toEqual({ done: true, value: undefined });
  await expect(next).rejects.toThrow("No longer.");
  expect(ends).toEqual(["end"]);
});

test("a client that goes away ends it without an error, whatever happens to the stream afterwards", async () => {
  const transport = transportOf();
  const results = transport.results(() => {});
  const next = results.next();
  expect(await results.return()).toEqual({ done: true, value: undefined });
  transport.fail([new GraphQLError("No longer.")]);
  expect(await next).toEqual({ done: true, value: undefined });
});

test("one that fails before anybody asks for its results fails them, and ends no process", async () => {
  const transport = transportOf();
  transport.fail([new GraphQLError("No longer.")]);
  await nextTurn(); // an error that nobody had heard of by now would end a process
  const ended = Promise.withResolvers<void>();
  await expect(transport.results(ended.resolve).next()).rejects.toThrow("No longer.");
  await ended.promise;
});
