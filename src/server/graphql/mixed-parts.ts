// Answers in several parts (multipart/mixed, RFC 2046): for what is deferred, and for the messages of subscriptions, as
// Apollo's clients take both.
import type { ServerResponse } from "node:http";
import { longJson } from "#src/runtime/long-json.ts";
import { inTurns } from "#src/runtime/yielding.ts";
import type { Receiver } from "#src/graph/run/execute.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { unreadAnswers } from "#src/http/backpressure.ts";

const boundary = "graphql";

/** The media type, without a protocol by which the parts are to be read. */
export const mixedParts = `multipart/mixed; boundary="${boundary}"`;

/** Parts of what is deferred. */
export const deferredParts = `${mixedParts}; deferSpec=20220824`;

/** Messages of a subscription. */
export const subscriptionParts = `${mixedParts}; subscriptionSpec="1.0"`;

const head = "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n";
const delimiter = `\r\n--${boundary}`;

/** Begins an answer of parts. Each ends with the delimiter of the next one, so that it is read when it is there. */
export function beginParts(response: ServerResponse, type: typeof deferredParts | typeof subscriptionParts): void {
  response.writeHead(200, {
    "content-type": type,
    "cache-control": "private, no-store, no-transform",
    "x-accel-buffering": "no", // nginx sends it on at once
  });
  response.write(`--${boundary}`);
}

/** A part, as it goes to the network. */
export const partOf = (json: string): string => head + json + delimiter;

/** What comes after the last part. */
export const endOfParts = "--\r\n";

/** Waits until the client has read what was written, or is gone. */
function taken(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  const { socket } = response.req; // that of a response which waits behind another one
  return new Promise((resolve) => {
    const over = () => {
      response.off("drain", over).off("close", over);
      socket.off("close", over);
      resolve();
    };
    response.on("drain", over).on("close", over);
    socket.on("close", over);
  });
}

/**
 * Answers a query in parts: `run` hands them over. Ends when the last one is sent, or when the client is gone. What
 * `run` throws before the first one is thrown.
 */
export async function sendInParts(
  { response, watched }: Exchange,
  run: (receiver: Receiver) => Promise<void>,
): Promise<void> {
  let isBegun = false;
  await run({
    send: async (delivery) => {
      const pieces = await longJson(delivery);
      if (!isBegun) beginParts(response, deferredParts);
      isBegun = true;
      watched.takePiece(delivery);
      unreadAnswers.add(
        response,
        pieces.reduce((sum, piece) => sum + piece.length, 0),
      );
      const [only, ...others] = pieces;
      const written = only && others.length === 0 ? [partOf(only.toString())] : [head, ...pieces, delimiter];
      for await (const piece of inTurns(written)) if (!response.write(piece)) await taken(response);
      unreadAnswers.add(response, 0);
    },
    isOver: () => response.destroyed,
  });
  response.end(endOfParts);
}
